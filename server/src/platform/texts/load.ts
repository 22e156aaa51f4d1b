import { lazy } from '../lazy.ts';
import type { Texts } from './texts.ts';

const loadEnglish = lazy(async () => {
  const [{ EN }, { createTexts }] = await Promise.all([import('./en.ts'), import('./create.ts')]);
  return createTexts('en', EN);
});

/** The texts of a language: loaded, and parsed, when they are first needed. */
export function loadTexts(): Promise<Texts> {
  return loadEnglish();
}
