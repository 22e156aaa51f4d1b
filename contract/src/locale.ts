import Type, { type Static } from 'typebox';
import { EXPECTS } from './expectation.ts';

export const LocaleText = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$',
  [EXPECTS]: 'a language such as de or pt-BR',
  description: 'A language tag, with script and region if needed (BCP 47).',
  examples: ['de-CH'],
});

/** The languages with translations. The first one is the fallback. */
export const TEXT_LOCALES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;

export const TextLocale = Type.Enum([...TEXT_LOCALES], {
  description: 'A language that has texts.',
});
export type TextLocale = Static<typeof TextLocale>;
