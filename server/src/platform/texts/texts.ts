import type { TextLocale as Locale } from '@keywright/contract/locale';
import type { Html } from '../http/pages/html.ts';
import type { NamesOf, TextKey } from './keys.ts';

/** The address of a text's link. */
export interface Link {
  readonly href: string;
  readonly id?: string;
}

/** The value of a placeholder. On a page, text is escaped, and isolated from the surrounding text direction. */
export type TextValue = string | number | Html | Link;

type Values<Key extends TextKey, Value> = [NamesOf<Key>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Key>, Value>>];

/** The texts of one language, filled with values. */
export interface Texts {
  readonly locale: Locale;
  readonly direction: 'ltr' | 'rtl';
  /** Returns a text as part of a page, with its bold words and its link, whose address is the value `link`. */
  html<Key extends TextKey>(key: Key, ...values: Values<Key, TextValue>): Html;
  /** Formats a time to the minute, in UTC. */
  readonly moment: (at: Date) => string;
  /** Formats a list of names chosen by others. */
  readonly named: (names: readonly string[]) => Html;
  /** Returns a text without markup: for titles, labels and messages. */
  text<Key extends TextKey>(key: Key, ...values: Values<Key, string | number>): string;
  /**
   * Returns the texts in the tenant's wording. @param own ICU messages by key; unusable messages and those for fixed
   * texts are ignored
   */
  with(own: ReadonlyMap<string, string>): Texts;
}
