import type { FieldFacts } from '../api/field-facts.ts';
import type { Values } from './format.ts';
import type { Catalog, TextKey } from './locales.ts';

/** A form field, or a value that a form field changes. */
type Field = Pick<FieldFacts, 'of' | 'name' | 'words'>;

export interface FieldWords {
  readonly labelOf: (field: Field) => string;
  readonly hintOf: (field: Field) => string | undefined;
  readonly choiceOf: (field: Field, choice: string) => string;
}

/**
 * Returns the texts of form fields: those of the field in its form, or else those that forms share.
 * @param find returns the text of a key, if there is one
 */
export function wordsIn(find: (key: string, values?: Values) => string | undefined): FieldWords {
  return {
    labelOf: ({ of, name }) => find(`field.${of}.${name}`) ?? find(`field.${name}`) ?? name,
    hintOf: ({ of, name }) => find(`hint.${of}.${name}`) ?? find(`hint.${name}`),
    choiceOf: ({ name, words }, choice) =>
      words?.[choice] ?? find(`choice.${name}.${choice}`) ?? choice,
  };
}

/** Names of the API that are also texts of the console. */
const SHARED = [
  'agent',
  'installation',
  'invitation',
  'metadata',
  'resource',
  'system',
  'tenant',
  'user',
  'workspace',
] as const satisfies readonly TextKey[];

/** Returns the text of a name of the API, if there is one. */
export function keyOfName(name: string, catalog: Catalog): TextKey | undefined {
  const key = `name.${name}`;
  return key in catalog ? (key as TextKey) : SHARED.find((sharedKey) => sharedKey === name);
}
