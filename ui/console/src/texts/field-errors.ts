import type { TextKey } from './locales.ts';
import type { Texts } from './texts.tsx';

type FieldErrorKey = Extract<TextKey, `fieldError.${string}`>;

/** Messages of the service about a field, and the text for each. A group is the text's value. */
const TEXTS: readonly (readonly [RegExp, FieldErrorKey])[] = [
  [/^is required|^must not be empty$/, 'fieldError.required'],
  [/^(?:must have|has) (?:at most|more than) ([0-9]+) characters?$/, 'fieldError.tooLong'],
  [/^(?:must have|needs) at least ([0-9]+) characters?$/, 'fieldError.tooShort'],
  [/^must be at least ([0-9]+)$/, 'fieldError.min'],
  [/^must be at most ([0-9]+)$/, 'fieldError.max'],
  [/^must have at most ([0-9]+) entr/, 'fieldError.tooMany'],
  [/^must have at least [0-9]+ (?:entr|URL)/, 'fieldError.tooFew'],
  [/duplicate|twice|^has the same name/, 'fieldError.twice'],
  [/^must be an email address(?:,)? or a phone number/, 'fieldError.identifier'],
  [/^must be an email address/, 'fieldError.email'],
  [/^must be an IP address|network/, 'fieldError.network'],
  [/^must be (?:an? )?(?:lower-case )?host name/, 'fieldError.host'],
  [/^must (?:be an? (?:public )?https URL|start with https)/, 'fieldError.url'],
  [/already used|already exists|is taken/, 'fieldError.taken'],
  [/^is not the name of a role|does not exist/, 'fieldError.unknown'],
  [/^needs a character that is not a letter/, 'fieldError.symbol'],
  [/common passwords|known to attackers|breach/, 'fieldError.known'],
  [/^is too similar/, 'fieldError.similar'],
  [/lone surrogate/, 'fieldError.character'],
  // Lines of an import.
  [/hash parameters|signer_key/, 'fieldError.hashParameters'],
  [/^has a password|custom_password_hash/, 'fieldError.hash'],
  [/^was deleted/, 'fieldError.deleted'],
  [/^has neither/, 'fieldError.noIdentifier'],
  // Texts of pages and messages.
  [/^The text must not be empty/, 'fieldError.required'],
  [/control characters/, 'fieldError.oneLine'],
  [/must not contain an address/, 'fieldError.noAddress'],
  [/is not a valid ICU message/, 'fieldError.syntax'],
  [/^The subject must not contain/, 'fieldError.subject'],
  [/as characters\.$|can only be used around/, 'fieldError.braces'],
  [/must not contain a URL/, 'fieldError.ownLinks'],
  [/must not contain (\{[^}]*\}|<[^>]*>)|^(?=\{\{)(.*?\}\}) is not/, 'fieldError.unknownPart'],
  [/must contain (<link>|\{\{.*\}\})/, 'fieldError.missingPart'],
];

export interface FieldErrorText {
  readonly text: string;
  /** A JSON pointer, if no field of the form has the error. */
  readonly path?: string;
}

/** Returns the text for a field that the service refused. The message of the service is in English. */
export function errorTextOf(message: string, say: Texts['say']): FieldErrorText {
  for (const [pattern, key] of TEXTS) {
    const found = pattern.exec(message);
    if (found) return { text: say(key, valuesOf(found[1] ?? found[2])) };
  }
  return { text: say('fieldError.invalid') };
}

function valuesOf(part = '') {
  const count = Number(part);
  return { count, value: Number.isNaN(count) ? part.replace(' or ', ' / ') : count };
}
