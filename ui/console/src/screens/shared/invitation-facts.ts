import type { FieldFacts } from '../../api/field-facts.ts';
import { invitationCreate } from '../../generated/facts.ts';
import { LOCALES, nameOfLanguage } from '../../texts/locales.ts';

const WORDS = Object.fromEntries(LOCALES.map((locale) => [locale, nameOfLanguage(locale)]));

/** Invitations are sent by email, with texts in the languages of the console. */
const OVERRIDES: Readonly<Record<string, Partial<FieldFacts>>> = {
  identifier: { isEmail: true },
  locale: { kind: 'choice', choices: LOCALES, words: WORDS },
};

export const INVITATION_FACTS: readonly FieldFacts[] = invitationCreate.map((field) =>
  Object.assign({}, field, OVERRIDES[field.name]),
);
