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
  return TEXT_LOCALES.find((locale) => locale === language);
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
  const preferred = chosen === undefined ? wished : [chosen, ...wished];
  return firstIn(preferred) ?? firstIn(acceptedIn(accepted));
}

/** Returns the language of an API client's `Accept-Language` header; undefined if it has no texts. */
export function localeOfHeaders(headers: {
  readonly 'accept-language'?: string | undefined;
}): Locale | undefined {
  return preferredLocale({ accepted: headers['accept-language'] });
}

/** Returns the preferred language, otherwise the tenant's. */
export function chooseLocale(wishes: Wishes): Locale {
  return preferredLocale(wishes) ?? firstIn(wishes.usual ?? []) ?? TEXT_LOCALES[0];
}

function firstIn(tags: readonly string[]): Locale | undefined {
  return tags.map(localeOf).find((locale) => locale !== undefined);
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
    .toSorted((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag);
}

/** How one language writes numbers, counts, moments and lists. */
export interface Formats {
  readonly number: (value: number) => string;
  /** Formats a time to the minute, in UTC. */
  readonly moment: (at: Date) => string;
  /** Returns the separators of a list with this many elements, including the text around it: one more than elements. */
  readonly between: (count: number) => readonly string[];
  /** Returns the plural category (CLDR) of a count. */
  readonly category: (count: number, type: Intl.PluralRulesOptions['type']) => string;
}

/** A character that no language writes. */
const SLOT = '\0';

const TO_THE_MINUTE: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
};

/**
 * Returns the formats of a locale. `Intl` formatters take up to a millisecond to create, and are created on first use.
 */
export function formatsOf(locale: string): Formats {
  // Codes and addresses have Western digits, so the text around them also does.
  const tag = `${locale}-u-ca-gregory-nu-latn`;
  let numbers: Intl.NumberFormat | undefined;
  let moments: Intl.DateTimeFormat | undefined;
  let lists: Intl.ListFormat | undefined;
  const rules = new Map<string, Intl.PluralRules>();
  return {
    number: (value) => (numbers ??= new Intl.NumberFormat(tag)).format(value),
    moment: (at) => (moments ??= new Intl.DateTimeFormat(tag, TO_THE_MINUTE)).format(at),
    between(count) {
      lists ??= new Intl.ListFormat(tag, { type: 'conjunction' });
      const parts = lists.formatToParts(Array.from({ length: count }, () => '-'));
      const text = parts.map(({ type, value }) => (type === 'element' ? SLOT : value));
      return text.join('').split(SLOT);
    },
    category(count, type = 'cardinal') {
      let rule = rules.get(type);
      if (!rule) rules.set(type, (rule = new Intl.PluralRules(tag, { type })));
      return rule.select(count);
    },
  };
}
