import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { MESSAGE_KIND_NAMES } from '@keywright/contract/messages';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { html } from '../http/pages/html.ts';
import { CATALOGS, loadTexts } from './load.ts';
import { chooseLocale, formatsOf, preferredLocale } from './locales.ts';
import { fillMessage, type Message, parseMessage } from './message.ts';

const PLAIN = {
  literal: (text: string) => text,
  value: (value: string | number) => String(value),
  tag: (_name: string, parts: readonly string[]) => parts.join(''),
};
const COUNTS = [0, 1, 2, 3, 6, 10, 11, 25, 100, 101, 102, 103, 111, 1000, 1_000_000];
const ENGLISH = await CATALOGS.en();

const PARTS = await readdir(new URL('en', import.meta.url));

/** The keys of a file. JSON.parse would hide one that is there twice. */
async function keysIn(path: string): Promise<string[]> {
  const text = await readFile(new URL(path, import.meta.url), 'utf8');
  return [...text.matchAll(/^ {2}"([^"]+)": /gm)].map(([, key = '']) => key);
}

/** The placeholders and tags of a message, sorted and without duplicates. */
function namesIn(message: Message): string[] {
  const names = message.flatMap((element): string[] => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return [`<${element.value}>`, ...namesIn(element.children)];
    const inside = 'options' in element ? Object.values(element.options) : [];
    return [element.value, ...inside.flatMap((option) => namesIn(option.value))];
  });
  return [...new Set(names)].toSorted();
}

/** The plurals of a message. */
function pluralsIn(message: Message): string[][] {
  return message.flatMap((element) => {
    if (element.type === TYPE.plural) return [Object.keys(element.options)];
    return element.type === TYPE.tag ? pluralsIn(element.children) : [];
  });
}

function valuesFor(text: string, count: number): Record<string, string | number> {
  const names = namesIn(parse(text)).filter((name) => !name.startsWith('<'));
  const isNumber = (name: string) => ['minutes', 'count'].includes(name);
  return Object.fromEntries(names.map((name) => [name, isNumber(name) ? count : 'Ada']));
}

/** Fills a message. Only one of its branches is used. */
function readWith(text: string, locale: string): string {
  const filled = fillMessage(parseMessage(text), valuesFor(text, 100), formatsOf(locale), PLAIN);
  return filled.join('');
}

for (const locale of TEXT_LOCALES) {
  const catalog = await CATALOGS[locale]();

  describe(`the texts in ${locale}`, () => {
    const messages = Object.entries(catalog).map(
      ([key, text]) => [key as keyof typeof catalog, text] as const,
    );

    test('All texts of the language exist, each in one file', async () => {
      const keys = (await Promise.all(PARTS.map((part) => keysIn(`${locale}/${part}`)))).flat();
      assert.deepEqual(keys.toSorted(), Object.keys(ENGLISH).toSorted());
      assert.deepEqual(Object.keys(catalog).toSorted(), keys.toSorted());
    });

    test('All texts of the language have the placeholders and tags of the English ones', () => {
      for (const [key, text] of messages) {
        assert.deepEqual(namesIn(parse(text)), namesIn(parse(ENGLISH[key])), key);
      }
    });

    test('All plural texts have every plural category of the language', () => {
      const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
      for (const [key, text] of messages) {
        for (const options of pluralsIn(parse(text))) {
          const categories = options.filter((option) => !option.startsWith('='));
          assert.deepEqual(categories.toSorted(), pluralCategories.toSorted(), key);
        }
      }
    });

    test('All texts of the language are formatted as another implementation of ICU messages formats them, for every count', () => {
      const formats = formatsOf(locale);
      const join = (parts: string[]) => parts.join('');
      for (const [key, text] of messages) {
        for (const count of text.includes('plural') ? COUNTS : [0]) {
          const values = valuesFor(text, count);
          const filled = fillMessage(parseMessage(text), values, formats, PLAIN).join('');
          const other = new IntlMessageFormat(text, `${locale}-u-nu-latn`);
          const expected = other.format({ ...values, b: join, link: join });
          assert.equal(filled, String(expected), `${key}, ${count}`);
        }
      }
    });

    test('All texts of the language are of a sensible length, written out, and contain only readable characters', () => {
      for (const [key, text] of messages) {
        const { length } = readWith(text, locale);
        const ratio = length / readWith(ENGLISH[key], 'en').length;
        assert.ok(text.trim() === text && length > 0, key);
        assert.ok(length < 40 || (ratio > 0.2 && ratio < 2.2), `${key}: ${ratio}`);
        assert.doesNotMatch(text, /\.\.\.|  |['"\p{Cc}\u200e\u200f\u202a-\u202e]/u, key);
      }
    });
  });
}

/** Words that exist only in English. Product names are not translated. */
const ENGLISH_WORDS =
  /\b(?:the|you|your|is|are|this|that|with|log|account|address|here|again|password)\b/i;

test('No English is left in the texts of another language', async () => {
  for (const locale of TEXT_LOCALES.filter((candidate) => candidate !== 'en')) {
    for (const [key, text] of Object.entries(await CATALOGS[locale]())) {
      const words = text.replaceAll(
        /\{[a-z_]+[,}]|<\/?[a-z]+>|\b(?:plural|zero|one|two|few|many|other)\b/g,
        ' ',
      );
      assert.doesNotMatch(words, ENGLISH_WORDS, `${locale} ${key}`);
      if (locale === 'ja') assert.match(text, /[\u3040-\u30ff\u4e00-\u9fff]|^\{/u, key);
      if (locale === 'ar') assert.match(text, /\p{Script=Arabic}|^\{/u, key);
    }
  }
});

/** All sources that can show a text, without those that only list keys. */
async function sourcesOf(folder: URL): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const shown = files.filter(
    ({ name, parentPath }) =>
      name.endsWith('.ts') &&
      !name.endsWith('.test.ts') &&
      !(parentPath.endsWith('/texts') && ['keys.ts', 'placeholders.ts'].includes(name)),
  );
  const texts = shown.map(({ name, parentPath }) => readFile(`${parentPath}/${name}`, 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

test('Every text is shown somewhere', async () => {
  const source = await sourcesOf(new URL('../../', import.meta.url));
  const literals = new Set(
    [...source.matchAll(/'([a-z_]+(?:\.[a-z0-9_]+)+)'/g)].map(([, key]) => key),
  );
  // Keys such as `scope.${action}`, and `error.${name}.title`.
  const made = [...source.matchAll(/`([a-z_]+\.(?:[a-z_]+\.)?)\$\{[^}]*\}((?:\.[a-z_]+)?)`/g)].map(
    ([, start = '', end = '']) => ({ start, end }),
  );
  const notices = MESSAGE_KIND_NAMES.filter((kind) => kind.startsWith('notice.'));
  const unused = Object.keys(ENGLISH).filter((key) => {
    // The key of an error's title is derived from the key of its text.
    if (literals.has(key.replace(/^(error\..*)\.title$/, '$1'))) return false;
    if (key.startsWith('notice.')) {
      return !notices.some((kind) => key === `${kind}.subject` || key === `${kind}.text`);
    }
    return !made.some(({ start, end }) => key.startsWith(start) && key.endsWith(end));
  });
  assert.deepEqual(unused, [], 'remove them from server/src/platform/texts, in every language');
});

/** The informal forms of address, which our translations do not use. */
const INFORMAL: Readonly<Partial<Record<string, string>>> = {
  de: 'du|dein|deine|deinen|deinem|deiner|deines|dich|dir',
  fr: 'tu|ton|ta|tes|toi|te',
  es: 'tú|tu|tus|te|ti|contigo|puedes|has|eres|tienes|quieres',
};

test('All readers are addressed in the same formal way on pages and in messages', async () => {
  for (const locale of TEXT_LOCALES) {
    const words = INFORMAL[locale];
    if (words === undefined) continue;
    const pattern = new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
    for (const [key, text] of Object.entries(await CATALOGS[locale]())) {
      assert.doesNotMatch(text, pattern, `${locale} ${key}`);
    }
  }
});

describe('a text', () => {
  test('A text escapes and isolates its values, and keeps parts of a page', async () => {
    const texts = await loadTexts('en');
    const client = '<b onclick="x">&';
    assert.equal(
      texts.html('login.lead', { client }).html,
      'Sign in to continue to <b><bdi>&lt;b onclick=&quot;x&quot;&gt;&amp;</bdi></b>',
    );
    const identifier = html`<i>${'a<b'}</i>`;
    const { html: shown } = texts.html('consent.lead', { identifier, tenant: '{x}' });
    assert.equal(shown, 'Signed in as <i>a&lt;b</i> at <bdi>{x}</bdi>');
    assert.equal(
      texts.text('consent.title', { client: '<b>' }),
      '<b> wants access to your account',
    );
  });

  test('A text lists names as the language does, each escaped and isolated', async () => {
    const listed = async (locale: (typeof TEXT_LOCALES)[number], names: readonly string[]) =>
      (await loadTexts(locale)).named(names).html.replaceAll(/<\/?bdi>/g, '|');
    assert.equal(await listed('en', ['<a>', 'b', 'c']), '|&lt;a&gt;|, |b|, and |c|');
    assert.equal(await listed('de', ['a', 'b']), '|a| und |b|');
    assert.equal(await listed('ja', ['a', 'b']), '|a|、|b|');
    assert.equal(await listed('ar', ['a', 'b', 'c']), '|a| و|b| و|c|');
    assert.equal(await listed('en', ['a']), '|a|');
    assert.equal(await listed('en', []), '');
  });

  test('A link in a text leads to the address that the service says', async () => {
    const texts = await loadTexts('en');
    const link = { id: 'leave', href: 'https://a.example/?x="1' };
    assert.equal(
      texts.html('leave.back', { host: 'a.example', link }).html,
      'Returning to <a id="leave" href="https://a.example/?x=&quot;1"><bdi>a.example</bdi></a>',
    );
  });

  test('A text shows counts with Western digits, in the wording for each count', async () => {
    const texts = await loadTexts('ar');
    const waits = [1, 2, 3, 11, 100].map((minutes) => texts.text('error.wait', { minutes }));
    assert.deepEqual(waits, [
      'حاول مرة أخرى بعد دقيقة.',
      'حاول مرة أخرى بعد دقيقتين.',
      'حاول مرة أخرى بعد 3 دقائق.',
      'حاول مرة أخرى بعد 11 دقيقة.',
      'حاول مرة أخرى بعد 100 دقيقة.',
    ]);
  });
});

describe('the language of a page', () => {
  test('The language of a page is what the user chose, then what the application requested, the browser, and the tenant', () => {
    const accepted = 'es';
    const [chosen, wished, usual] = ['ar', ['pt', 'fr-CA'], ['pt-BR', 'ja']];
    assert.equal(chooseLocale({ chosen, wished, accepted, usual }), 'ar');
    assert.equal(chooseLocale({ wished, accepted, usual }), 'fr');
    assert.equal(chooseLocale({ accepted, usual }), 'es');
    assert.equal(chooseLocale({ accepted: 'pt', usual }), 'ja');
    assert.equal(chooseLocale({ usual: ['pt-BR'] }), 'en');
    assert.equal(preferredLocale({ usual }), undefined);
  });

  test('The language of a page is that of the highest quality in Accept-Language', () => {
    const cases: [string, string | undefined][] = [
      ['de-CH, fr;q=0.9', 'de'],
      ['fr;q=0.5, DE-de ; q=0.8, en;q=0.1', 'de'],
      ['de;q=0, fr;q=0.001', 'fr'],
      ['pt, ja;q=0.3, *;q=0.5', 'ja'],
      ['fr;q=1.000, de', 'fr'],
      ['fr;q=2, de;q=0.1', 'de'],
      ['fr;q=0.1234, de;q=0.1', 'de'],
      ['*', undefined],
      ['', undefined],
      [';;,,=q', undefined],
      [`${'x-a,'.repeat(16)}de`, undefined],
      [`${'a'.repeat(600)}, de`, undefined],
      ['de\u0000', undefined],
    ];
    for (const [accepted, expected] of cases) {
      assert.equal(preferredLocale({ accepted }), expected, accepted.slice(0, 40));
    }
  });
});
