import { createContext, type ReactNode, use, useMemo } from 'react';
import { type FieldWords, keyOfName, wordsIn } from './fields.ts';
import type { Catalog, TextKey } from './locales.ts';
import {
  formatAbsolute,
  formatDate,
  formatMessage,
  formatNumber,
  formatRelative,
  formatTime,
  type Values,
  wordsOfName,
} from './format.ts';

export interface Texts {
  readonly locale: string;
  readonly say: (key: TextKey, values?: Values) => string;
  /** Returns the name of a field or a value of the API. */
  readonly name: (name: string) => string;
  /** Returns a text whose key is built from data; undefined if there is none. */
  readonly find: (key: string, values?: Values) => string | undefined;
  readonly number: (value: number) => string;
  /** The time of day. */
  readonly time: (moment: number) => string;
  readonly date: (moment: number) => string;
  readonly relative: (moment: number) => string;
  readonly absolute: (moment: number, timeZone?: string) => string;
}

const Context = createContext<Texts | undefined>(undefined);

function textsOf(locale: string, catalog: Catalog): Texts {
  return {
    locale,
    say: (key, values) => formatMessage(locale, catalog[key], values),
    name: (name) => {
      const key = keyOfName(name, catalog);
      return key ? formatMessage(locale, catalog[key]) : wordsOfName(name);
    },
    find: (key, values) =>
      key in catalog ? formatMessage(locale, catalog[key as TextKey], values) : undefined,
    number: (value) => formatNumber(locale, value),
    time: (moment) => formatTime(locale, moment),
    date: (moment) => formatDate(locale, moment),
    relative: (moment) => formatRelative(locale, moment, Date.now()),
    absolute: (moment, timeZone) => formatAbsolute(locale, moment, timeZone),
  };
}

interface Props {
  readonly locale: string;
  readonly catalog: Catalog;
  readonly children: ReactNode;
}

export function TextsProvider({ locale, catalog, children }: Props) {
  const texts = useMemo(() => textsOf(locale, catalog), [locale, catalog]);
  return <Context value={texts}>{children}</Context>;
}

export function useTexts(): Texts {
  const texts = use(Context);
  if (!texts) throw new Error('Texts are used within their provider.');
  return texts;
}

/** Returns the labels, hints and choices of form fields. */
export function useWords(): FieldWords {
  return wordsIn(useTexts().find);
}
