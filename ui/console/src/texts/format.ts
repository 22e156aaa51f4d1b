// Texts with values, and the plural forms of a language.

type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string;
};
/** `{name}` is replaced by a value; a text with plural forms is selected by its value `count`. */
export type Message = string | PluralForms;
export type Values = Readonly<Record<string, string | number>>;

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr';
}

/** In a text from right to left, values are isolated. */
export function formatMessage(locale: string, message: Message, values: Values = {}): string {
  const form = typeof message === 'string' ? message : formOf(locale, message, values['count']);
  return form.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value === 'number') return formatNumber(locale, value);
    // Names and addresses can be in any script (UAX #9 §6.1).
    return directionOf(locale) === 'rtl' && !value.startsWith('\u2068') ? isolated(value) : value;
  });
}

function formOf(locale: string, forms: PluralForms, count: string | number | undefined): string {
  return forms[new Intl.PluralRules(locale).select(Number(count))] ?? forms.other;
}

/** Formats a number with the digits of IDs and codes, which are Western in every language. */
export function formatNumber(locale: string, value: number): string {
  return new Intl.NumberFormat(`${locale}-u-nu-latn`).format(value);
}

/** Prevents text written by a user from reordering other text (Unicode UAX #9 §2.5). */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** Returns `member, engineer` as one text. From right to left, each name is isolated. */
export function formatNames(locale: string, names: readonly string[]): string {
  const isolate = directionOf(locale) === 'rtl' ? isolated : String;
  return new Intl.ListFormat(locale, { type: 'unit' }).format(names.map((name) => isolate(name)));
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Returns `3 hours ago` or `in 2 days`; less than a minute is now. */
export function formatRelative(locale: string, moment: number, now: number): string {
  const seconds = Math.round((moment - now) / 1000);
  const format = new Intl.RelativeTimeFormat(`${locale}-u-nu-latn`, { numeric: 'auto' });
  const [unit, size] = UNITS.find(([, unitSeconds]) => Math.abs(seconds) >= unitSeconds) ?? [
    'second',
    0,
  ];
  return size === 0 ? format.format(0, 'second') : format.format(Math.trunc(seconds / size), unit);
}

/** The units of durations, with their seconds. */
export const DURATION_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Returns the largest unit that divides a duration, in seconds. */
export function unitOf(seconds: number): (typeof DURATION_UNITS)[number] {
  return DURATION_UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1];
}

/** Returns `12 hours` for 43200. */
export function formatDuration(locale: string, seconds: number): string {
  const [unit, size] = seconds === 0 ? (['second', 1] as const) : unitOf(seconds);
  return formatUnit(locale, seconds / size, unit);
}

export function formatUnit(locale: string, value: number, unit: string): string {
  return new Intl.NumberFormat(`${locale}-u-nu-latn`, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(value);
}

/** Returns `hours`: the unit without a number. */
export function nameOfUnit(locale: string, unit: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  const found = format.formatToParts(5).find(({ type }) => type === 'unit');
  return found?.value ?? unit;
}

/** Returns `14:32`, as the language writes it. */
export function formatTime(locale: string, moment: number): string {
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { timeStyle: 'short' }).format(moment);
}

/** Returns `Oct 24, 2026`, as the language writes it. */
export function formatDate(locale: string, moment: number): string {
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, { dateStyle: 'medium' }).format(moment);
}

export function formatAbsolute(locale: string, moment: number, timeZone?: string): string {
  return new Intl.DateTimeFormat(`${locale}-u-nu-latn`, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(timeZone && { timeZone }),
  }).format(moment);
}

/** The spelling of names that are not ordinary words. */
const ACRONYMS: Readonly<Record<string, string>> = {
  aaguids: 'AAGUIDs',
  api: 'API',
  dpop: 'DPoP',
  id: 'ID',
  ips: 'IP addresses',
  jwks: 'JWKS',
  mfa: 'MFA',
  oauth: 'OAuth',
  pkce: 'PKCE',
  rp: 'RP',
  sms: 'SMS',
  totp: 'TOTP',
  ttl: 'lifetime',
  uri: 'URI',
  uris: 'URIs',
  url: 'URL',
  urls: 'URLs',
};

/** Returns `Expires in days` for `expires_in_days`, for fields without a name in the catalog. */
export function wordsOfName(name: string): string {
  const words = name.split('_').map((word) => ACRONYMS[word] ?? word);
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
