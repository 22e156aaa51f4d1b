import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { directionOf } from './format.ts';
import { chooseLocale, loadCatalog, LOCALES } from './locales.ts';
import { EN } from './en.ts';
import type { Message } from './format.ts';

const SOURCES = globSync(
  '{{api,keyboard,parts,screens,shell,url}/**/*.{ts,tsx},texts/{field*,problems}.ts}',
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  },
)
  .map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  .join('\n');

/** The prefixes of keys that are built at run time: `theme.${one}`. */
const BUILT = [...SOURCES.matchAll(/`([a-zA-Z]+\.)\$\{/g)].map(([, prefix = '']) => prefix);

function isUsed(key: string): boolean {
  return (
    SOURCES.includes(`'${key}'`) ||
    SOURCES.includes(`"${key}"`) ||
    BUILT.some((prefix) => key.startsWith(prefix))
  );
}

/** The keys of a file. JSON.parse would hide one that is there twice. */
function keysIn(path: string): string[] {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8');
  return [...text.matchAll(/^ {2}"([^"]+)": /gm)].map(([, key = '']) => key);
}

const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
const formsOf = (message: Message) =>
  typeof message === 'string' ? [message] : Object.values(message);

describe('the texts', () => {
  it('All texts of the console are used', () => {
    const unused = Object.keys(EN).filter((key) => !key.startsWith('name.') && !isUsed(key));
    assert.deepEqual(unused, []);
  });

  for (const locale of LOCALES) {
    it(`The texts in ${locale} are those of English, each in one file`, async () => {
      const keys = globSync(`${locale}/*.json`, { cwd: import.meta.dirname }).flatMap(keysIn);
      assert.deepEqual(keys.toSorted(), Object.keys(EN).toSorted());
      assert.deepEqual(Object.keys(await loadCatalog(locale)).toSorted(), keys.toSorted());
    });

    it(`The texts in ${locale} have the values of the English ones, and every plural form of the language`, async () => {
      const catalog = await loadCatalog(locale);
      const expected = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
      for (const [key, message] of Object.entries<Message>(EN)) {
        const translated = catalog[key as keyof typeof EN];
        const values = new Set(formsOf(message).flatMap(placesOf));
        assert.deepEqual(new Set(formsOf(translated).flatMap(placesOf)), values, key);
        assert.equal(typeof translated, typeof message, key);
        if (typeof translated === 'string') continue;
        assert.deepEqual(Object.keys(translated).toSorted(), [...expected].toSorted(), key);
      }
    });
  }
});

describe('the language', () => {
  it('The language is the first requested one that exists, or else English', () => {
    assert.equal(chooseLocale(['tlh', 'de-AT', 'en']), 'de');
    assert.equal(chooseLocale(['tlh']), 'en');
    assert.equal(chooseLocale([]), 'en');
  });

  it('The language of a page in Arabic is read from right to left', () => {
    assert.equal(directionOf('ar'), 'rtl');
    assert.equal(directionOf('en'), 'ltr');
  });
});
