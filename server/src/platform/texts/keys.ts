import type { EN } from './en.ts';

/** What a text is called. */
export type TextKey = keyof typeof EN;

/** The texts of one language, as ICU messages. */
export type Catalogue = Readonly<Record<TextKey, string>>;

/** A part of the catalogue in another language. */
export type Translated<Part> = { readonly [Key in keyof Part]: string };

/** Placeholders of an ICU message: `{name}`, `{name, plural, …}`; a link has its address as a value. */
type NamesIn<Message extends string> =
  | (Message extends `${string}{${infer Rest}` ? FirstIn<Rest> | NamesIn<Rest> : never)
  | (Message extends `${string}<link>${string}` ? 'link' : never);

type FirstIn<Rest extends string> = Rest extends `${infer Inside}}${string}`
  ? Inside extends `${infer Name},${string}`
    ? NameOrNothing<Name>
    : NameOrNothing<Inside>
  : never;

/** The words of a branch are none: they have spaces, or count. */
type NameOrNothing<Name extends string> = Name extends `${string} ${string}` | `#${string}` | ''
  ? never
  : Name;

/** What a text needs values for. */
export type NamesOf<Key extends TextKey> = NamesIn<(typeof EN)[Key]>;
