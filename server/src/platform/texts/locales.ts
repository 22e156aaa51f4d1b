import { TEXT_LOCALES, type TextLocale as Locale } from '@keywright/contract/locale';

/** As those who speak them write them. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
};

const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/;

/** @param locale any, of a text of ours or of a tenant */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.test(locale) ? 'rtl' : 'ltr';
}

/** The language of a tag (RFC 5646), such as `de` of `de-CH`, if there are texts in it. */
export function localeOf(tag: string): Locale | undefined {
  const [language = ''] = tag.toLowerCase().split('-', 1);
  return TEXT_LOCALES.find((one) => one === language);
}

/** What determines the language of a user. */
export interface Wishes {
  /** What they chose on a page. */
  readonly chosen?: string | undefined;
  /** What the application asked for. */
  readonly wished?: readonly string[];
  /** `Accept-Language`, as the browser sent it. */
  readonly accepted?: string | undefined;
  /** The languages of the tenant. */
  readonly usual?: readonly string[];
}

/** Their own choice first, then what was asked for in their name. Undefined if there are no texts in what they read. */
export function preferredLocale({ chosen, wished = [], accepted }: Wishes): Locale | undefined {
  const asked = chosen === undefined ? wished : [chosen, ...wished];
  return firstIn(asked) ?? firstIn(acceptedIn(accepted));
}

/** The language that a client of the API asks in, as browsers do; undefined if there are no texts in it. */
export function askedIn(headers: {
  readonly 'accept-language'?: string | undefined;
}): Locale | undefined {
  return preferredLocale({ accepted: headers['accept-language'] });
}

/** The preferred one, else what the tenant speaks. */
export function chooseLocale(wishes: Wishes): Locale {
  return preferredLocale(wishes) ?? firstIn(wishes.usual ?? []) ?? TEXT_LOCALES[0];
}

function firstIn(tags: readonly string[]): Locale | undefined {
  return tags.map(localeOf).find((one) => one !== undefined);
}

/** More says nothing that the first does not. */
const MAX_HEADER = 512;
const MAX_RANGES = 16;
const RANGE =
  /^([a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4})(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/i;

/** The ranges of an Accept-Language header (RFC 9110 §12.5.4), the preferred first; `*` prefers none. */
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
