// Sentences about entries of the audit log and about events. They are loaded when a screen first shows one.

import type { Locale } from './locales.ts';
import type EN from './sentences/en.json';

export type SentenceKey = keyof typeof EN;
/** The sentences of one language. A language that lacks one does not compile. */
export type Sentences = Readonly<Record<SentenceKey, string>>;

const LOADERS: Readonly<Record<Locale, () => Promise<{ readonly default: Sentences }>>> = {
  en: () => import('./sentences/en.json', { with: { type: 'json' } }),
  de: () => import('./sentences/de.json', { with: { type: 'json' } }),
  fr: () => import('./sentences/fr.json', { with: { type: 'json' } }),
  es: () => import('./sentences/es.json', { with: { type: 'json' } }),
  ja: () => import('./sentences/ja.json', { with: { type: 'json' } }),
  ar: () => import('./sentences/ar.json', { with: { type: 'json' } }),
};

export async function loadSentences(locale: Locale): Promise<Sentences> {
  return (await LOADERS[locale]()).default;
}
