import type { EN } from './en.ts';
import type { Placeholders } from './placeholders.ts';

/** The key of a text. */
export type TextKey = keyof typeof EN;

/** The texts of one language, as ICU messages. */
export type Catalog = Readonly<Record<TextKey, string>>;

/** The names of the values that a text needs. */
export type NamesOf<Key extends TextKey> = Key extends keyof Placeholders
  ? Placeholders[Key]
  : never;
