import type { Html } from '../http/pages/html.ts';
import type { NamesOf, TextKey } from './keys.ts';

/** Where the link of a text leads. */
export interface Link {
  readonly href: string;
  readonly id?: string;
}

/** A value of a placeholder. Text is escaped where it becomes a part of a page. */
export type TextValue = string | number | Html | Link;

type Values<Key extends TextKey, Value> = [NamesOf<Key>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Key>, Value>>];

/** The texts of one language, with their values. */
export interface Texts {
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  /** As a part of a page, with its bold words and its link, which is the value `link`. */
  html<Key extends TextKey>(key: Key, ...values: Values<Key, TextValue>): Html;
  /** Without markup: for titles, labels and messages. */
  text<Key extends TextKey>(key: Key, ...values: Values<Key, string | number>): string;
}
