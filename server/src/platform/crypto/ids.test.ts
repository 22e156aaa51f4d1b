import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSessionId, parseSigningKeyId, parseUserId } from '@keywright/contract/ids';
import { newSessionId, newSigningKeyId, newUserId, randomId } from './ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits of the part after the prefix. */
function bitsOf(id: string): bigint {
  const text = id.slice(-26);
  return Array.from(text, (character) => BigInt(ALPHABET.indexOf(character))).reduce(
    (bits, five) => (bits << 5n) | five,
    0n,
  );
}

describe('a new id', () => {
  test('A new id consists of its prefix and 26 characters, and can be parsed as its kind', () => {
    for (let round = 0; round < 1000; round += 1) {
      const now = new Date(round * 1_000_000_007);
      const ids = [newUserId(now), newSessionId(now), newSigningKeyId(now)] as const;
      assert.deepEqual(
        ids.map((id) => id.length),
        ['user:'.length + 26, 'session:'.length + 26, 'key_'.length + 26],
      );
      assert.equal(parseUserId(ids[0]), ids[0]);
      assert.equal(parseSessionId(ids[1]), ids[1]);
      assert.equal(parseSigningKeyId(ids[2]), ids[2]);
    }
  });

  test('A new id is a UUIDv7 with its time in milliseconds', () => {
    const now = new Date('2026-11-21T06:05:04.321Z');
    for (let round = 0; round < 100; round += 1) {
      const bits = bitsOf(newUserId(now));
      assert.equal(bits >> 80n, BigInt(now.getTime()));
      assert.equal((bits >> 76n) & 0xfn, 7n, 'version');
      assert.equal((bits >> 62n) & 0b11n, 0b10n, 'variant');
    }
  });

  test('A new id sorts by time, as text', () => {
    const moments = [0, 1, 999, 1_700_000_000_000, 1_700_000_000_001, 2 ** 47, 2 ** 48 - 1];
    const ids = moments.map((moment) => newSessionId(new Date(moment)));
    assert.deepEqual(ids.toSorted(), ids);
  });

  test('A new id is unique, even within a millisecond', () => {
    const now = new Date();
    const ids = Array.from({ length: 20_000 }, () => newUserId(now));
    assert.equal(new Set(ids).size, ids.length);
    // Each of the 74 random bits is set in about half of them.
    const all = ids.map(bitsOf);
    for (let bit = 0n; bit < 76n; bit += 1n) {
      if (bit === 62n || bit === 63n) continue;
      const share = all.filter((bits) => ((bits >> bit) & 1n) === 1n).length / all.length;
      assert.ok(share > 0.45 && share < 0.55, `bit ${bit}: ${share}`);
    }
  });
});

test('A random ID has 128 bits, and is unique', () => {
  const ids = Array.from({ length: 1000 }, randomId);
  for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  assert.equal(new Set(ids).size, ids.length);
});
