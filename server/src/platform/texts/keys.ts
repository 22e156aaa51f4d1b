import type { EN } from './en.ts';

/** The key of a text. */
export type TextKey = keyof typeof EN;

/** The texts of one language, as ICU messages. */
export type Catalogue = Readonly<Record<TextKey, string>>;

/** A part of the catalog in another language. */
export type Translated<Part> = { readonly [Key in keyof Part]: string };

/** The placeholders of an ICU message: `{name}`, `{name, plural, …}`; a link's address is also a value. */
type NamesIn<Message extends string> =
  | (Message extends `${string}{${infer Rest}` ? FirstIn<Rest> | NamesIn<Rest> : never)
  | (Message extends `${string}<link>${string}` ? 'link' : never);

type FirstIn<Rest extends string> = Rest extends `${infer Inside}}${string}`
  ? Inside extends `${infer Name},${string}`
    ? NameOrNothing<Name>
    : NameOrNothing<Inside>
  : never;

/** Excludes the words of a branch, which contain spaces or a count. */
type NameOrNothing<Name extends string> = Name extends `${string} ${string}` | `#${string}` | ''
  ? never
  : Name;

/** The names of the values that a text needs. */
export type NamesOf<Key extends TextKey> = NamesIn<(typeof EN)[Key]>;
