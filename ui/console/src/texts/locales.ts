import type { EN } from './en.ts';
import type { Message } from './format.ts';

export const LOCALES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;
export type Locale = (typeof LOCALES)[number];

export type TextKey = keyof typeof EN;
/** The texts of one language. A language that lacks a key of the English texts does not compile. */
export type Catalog = Readonly<Record<TextKey, Message>>;

const LOADERS: Readonly<Record<Locale, () => Promise<Catalog>>> = {
  en: async () => (await import('./en.ts')).EN,
  de: async () => (await import('./de.ts')).DE,
  fr: async () => (await import('./fr.ts')).FR,
  es: async () => (await import('./es.ts')).ES,
  ja: async () => (await import('./ja.ts')).JA,
  ar: async () => (await import('./ar.ts')).AR,
};

/** Only this language is loaded. */
export function loadCatalog(locale: Locale): Promise<Catalog> {
  return LOADERS[locale]();
}

/** Returns the first of the requested languages that exists. */
export function chooseLocale(requested: readonly string[]): Locale {
  const languages = requested.map((tag) => tag.toLowerCase().split('-', 1)[0]);
  const found = languages.find((language) =>
    (LOCALES as readonly (string | undefined)[]).includes(language),
  );
  return (found as Locale | undefined) ?? 'en';
}

/** Returns the name of a language in itself, so that users who cannot read the page find theirs. */
export function nameOfLanguage(locale: string): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
}
