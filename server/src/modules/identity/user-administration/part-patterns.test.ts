import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { patternsOf } from './part-patterns.ts';

/** LIKE, as PostgreSQL evaluates it. */
function matches(text: string, pattern: string): boolean {
  const source = pattern.replaceAll(/\\(.)|[^]/gu, (character, literal?: string) =>
    character === '%' ? '.*' : RegExp.escape(literal ?? character),
  );
  return new RegExp(`^${source}$`, 'su').test(text);
}

const isFound = (part: string, text: string) =>
  patternsOf(part).some((pattern) => matches(text, pattern));

describe('the patterns of a part', () => {
  const texts = {
    zq: [
      'zq',
      'zq.ada@example.com',
      'ada.zq@example.com',
      'azq',
      'zqa',
      'ada zq',
      'x-zq_1',
      '日zq',
      'zq日',
    ],
    '9.': ['9.', 'a9.b', '1.9.2', 'ada+9.x'],
    '.9': ['.9', 'a.9', 'a.9b', 'x.9@'],
    山田: ['山田', '山田太郎', '山田 太郎', 'mr 山田'],
    q: ['q', 'qwerty', 'ada.q@example.com', 'ada qwerty'],
    '%': ['100%', '%'],
    '+-': ['a+-b'],
    lovelace: ['ada.lovelace@example.com'],
  };
  for (const [part, all] of Object.entries(texts)) {
    test(`A search for ${part} has a pattern for every text that contains it`, () => {
      for (const text of all) assert.ok(isFound(part, text), text);
      assert.ok(!isFound(part, 'ada.noether@example.org'));
    });
  }

  test('A search for one or two characters with a letter or digit has several patterns, and any other search has one', () => {
    for (const part of ['abc', '#!', '#', '山田太']) assert.equal(patternsOf(part).length, 1);
    for (const part of ['a', 'ab', '9.', '山']) assert.ok(patternsOf(part).length > 5);
  });
});
