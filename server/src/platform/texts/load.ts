import { TEXT_LOCALES, type TextLocale as Locale } from '@keywright/contract/locale';
import { lazy } from '../lazy.ts';
import type { Catalog } from './keys.ts';
import type { Texts } from './texts.ts';

/** Each language is loaded on first use. */
export const CATALOGS: Readonly<Record<Locale, () => Promise<Catalog>>> = {
  en: async () => (await import('./en.ts')).EN,
  de: async () => (await import('./de.ts')).DE,
  fr: async () => (await import('./fr.ts')).FR,
  es: async () => (await import('./es.ts')).ES,
  ja: async () => (await import('./ja.ts')).JA,
  ar: async () => (await import('./ar.ts')).AR,
};

const loaders = new Map(
  TEXT_LOCALES.map((locale) => [
    locale,
    lazy(async () => {
      const [module, catalog] = await Promise.all([import('./texts.ts'), CATALOGS[locale]()]);
      return module.Texts.of(locale, catalog);
    }),
  ]),
);

/** The texts of a language: loaded when they are first needed. */
export function loadTexts(locale: Locale): Promise<Texts> {
  return (loaders.get(locale) as () => Promise<Texts>)();
}
