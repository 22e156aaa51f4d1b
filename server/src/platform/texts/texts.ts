import type { TextLocale as Locale } from '@keywright/contract/locale';
import type { Html } from '../http/pages/html.ts';
import type { NamesOf, TextKey } from './keys.ts';

/** Where the link of a text leads. */
export interface Link {
  readonly href: string;
  readonly id?: string;
}

/** A value of a placeholder. On a page text is escaped, and isolated from the direction of what surrounds it. */
export type TextValue = string | number | Html | Link;

type Values<Key extends TextKey, Value> = [NamesOf<Key>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Key>, Value>>];

/** The texts of one language, with their values. */
export interface Texts {
  readonly locale: Locale;
  readonly direction: 'ltr' | 'rtl';
  /** As a part of a page, with its bold words and its link, which is the value `link`. */
  html<Key extends TextKey>(key: Key, ...values: Values<Key, TextValue>): Html;
  /** A time to the minute, in UTC. */
  readonly moment: (at: Date) => string;
  /** Names that others chose, one after the other. */
  readonly named: (names: readonly string[]) => Html;
  /** Without markup: for titles, labels and messages. */
  text<Key extends TextKey>(key: Key, ...values: Values<Key, string | number>): string;
  /** The same in the words of a tenant. @param own ICU messages by key: unusable ones, and those of fixed texts, count for nothing */
  with(own: ReadonlyMap<string, string>): Texts;
}
