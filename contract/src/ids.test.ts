import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  parseSessionId,
  parseSigningKeyId,
  parseTenantId,
  parseUserId,
  parseWorkspaceId,
} from './ids.ts';

const RANDOM = '01jdq3x0123456789abcdefghj';

describe('ids with a random part', () => {
  const kinds = [
    { parse: parseUserId, prefix: 'user:' },
    { parse: parseSessionId, prefix: 'session:' },
    { parse: parseSigningKeyId, prefix: 'key_' },
  ];
  for (const { parse, prefix } of kinds) {
    test(`${prefix}… is parsed if well-formed`, () => {
      for (const part of [RANDOM, '0'.repeat(26), `7${'z'.repeat(25)}`]) {
        assert.equal(parse(prefix + part), prefix + part);
      }
    });

    test(`${prefix}… is rejected if malformed`, () => {
      const wrong = [
        '',
        prefix,
        RANDOM,
        prefix + RANDOM.slice(1),
        `${prefix + RANDOM}0`,
        `${prefix + RANDOM}\n`,
        ` ${prefix + RANDOM}`,
        prefix + RANDOM.toUpperCase(),
        prefix.toUpperCase() + RANDOM,
        // A first character of 8 or more would exceed 128 bits.
        `${prefix}8${RANDOM.slice(1)}`,
        ...['i', 'l', 'o', 'u', '-', ' ', '\0', '０'].map(
          (character) => prefix + RANDOM.slice(1) + character,
        ),
      ];
      for (const text of wrong) assert.equal(parse(text), undefined, JSON.stringify(text));
    });
  }

  test('An id with a random part is never parsed as an id of another kind', () => {
    for (const { parse, prefix } of kinds) {
      for (const other of kinds) {
        const isRead = parse(other.prefix + RANDOM) !== undefined;
        assert.equal(isRead, other.prefix === prefix, `${other.prefix} as ${prefix}`);
      }
    }
  });
});

describe('ids with a slug', () => {
  const kinds = [
    { parse: parseTenantId, prefix: 'org_' },
    { parse: parseWorkspaceId, prefix: 'ws_' },
  ];
  for (const { parse, prefix } of kinds) {
    test(`${prefix}… is parsed with 1 to 48 characters of a-z, 0-9 and -`, () => {
      for (const slug of ['a', '0', '-', 'default', 'a-b-0', 'x'.repeat(48)]) {
        assert.equal(parse(prefix + slug), prefix + slug);
      }
      for (const slug of ['', 'x'.repeat(49), 'A', 'a_b', 'a.b', 'ä', 'a b', 'a\n', 'a/b', 'a,b']) {
        assert.equal(parse(prefix + slug), undefined, JSON.stringify(slug));
      }
    });
  }
});
