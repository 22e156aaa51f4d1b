import { TEXT_LOCALES, type TextLocale as Locale } from '@keywright/contract/locale';

/** Each language's name in that language. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
};

const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/;

/** @param locale any locale of our texts or of a tenant's */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr';
}

/** The language of a tag (RFC 5646), such as `de` of `de-CH`, if there are texts in it. */
export function localeOf(tag: string): Locale | undefined {
  const [language = ''] = tag.toLowerCase().split('-', 1);
  return TEXT_LOCALES.find((one) => one === language);
}

/** The preferences that determine a user's language. */
export interface Wishes {
  /** The language that the user chose on a page. */
  readonly chosen?: string | undefined;
  /** The languages that the application requested. */
  readonly wished?: readonly string[];
  /** The `Accept-Language` header of the browser. */
  readonly accepted?: string | undefined;
  /** The languages of the tenant. */
  readonly usual?: readonly string[];
}

/**
 * Returns the user's choice first, then the application's request, then the browser's languages. Undefined if none has
 * texts.
 */
export function preferredLocale({ chosen, wished = [], accepted }: Wishes): Locale | undefined {
  const asked = chosen === undefined ? wished : [chosen, ...wished];
  return firstIn(asked) ?? firstIn(acceptedIn(accepted));
}

/** Returns the language of an API client's `Accept-Language` header; undefined if it has no texts. */
export function askedIn(headers: {
  readonly 'accept-language'?: string | undefined;
}): Locale | undefined {
  return preferredLocale({ accepted: headers['accept-language'] });
}

/** Returns the preferred language, otherwise the tenant's. */
export function chooseLocale(wishes: Wishes): Locale {
  return preferredLocale(wishes) ?? firstIn(wishes.usual ?? []) ?? TEXT_LOCALES[0];
}

function firstIn(tags: readonly string[]): Locale | undefined {
  return tags.map(localeOf).find((one) => one !== undefined);
}

/** Limits of the parsed header; anything beyond them adds nothing useful. */
const MAX_HEADER = 512;
const MAX_RANGES = 16;
const RANGE =
  /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4})(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * Returns the ranges of an Accept-Language header (RFC 9110 §12.5.4), most preferred first; `*` expresses no
 * preference.
 */
function acceptedIn(header = ''): string[] {
  return header
    .slice(0, MAX_HEADER)
    .split(',', MAX_RANGES)
    .flatMap((text) => {
      const [, tag, quality = '1'] = RANGE.exec(text.trim()) ?? [];
      return tag === undefined || Number(quality) === 0 ? [] : [{ tag, quality: Number(quality) }];
    })
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
