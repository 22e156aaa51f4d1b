import type { FieldFacts } from '../../api/field-facts.ts';
import type { FormSection } from '../../parts/form/props.ts';
import type { useTexts } from '../../texts/texts.tsx';

/** The fields of each tab. A form shows those that it has. */
const SECTIONS = [
  ['lookColors', ['primary_color', 'secondary_color', 'color_scheme', 'corner', 'font']],
  [
    'lookLayout',
    [
      'layout',
      'background',
      'background_color',
      'headline',
      'subline',
      'logo_position',
      'logo_height',
      'heading_align',
    ],
  ],
  ['lookSignIn', ['provider_position', 'provider_style', 'identifier_first']],
  ['lookCompany', ['company_name', 'support_email', 'terms_url', 'privacy_url']],
  ['lookUrls', ['logo_url', 'logo_dark_url', 'icon_url', 'background_url']],
] as const;

export function sectionsOf(
  facts: readonly FieldFacts[],
  say: ReturnType<typeof useTexts>['say'],
): FormSection[] {
  const names = new Set(facts.map(({ name }) => name));
  return SECTIONS.flatMap(([title, fields]) => {
    const shown = fields.filter((name) => names.has(name));
    return shown.length === 0 ? [] : [{ title: say(title), fields: shown }];
  });
}
