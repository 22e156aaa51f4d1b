import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { hashApiKey, looksLikeApiKey, mintApiKey, shownPrefix } from './api-key-authentication.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  test('is svc_sk_, 38 random characters and a 6-character checksum (SPEC resources apikey 1)', () => {
    const made = Array.from({ length: 1000 }, mintApiKey);
    assert.equal(new Set(made).size, made.length);
    const seen = new Set<string>();
    for (const key of made) {
      assert.match(key, /^svc_sk_[0-9A-Za-z]{44}$/);
      assert.ok(looksLikeApiKey(key));
      assert.deepEqual(hashApiKey(key), sha256(key));
      assert.equal(shownPrefix(key), key.slice(0, 12));
      for (const character of key.slice(7, 45)) seen.add(character);
    }
    assert.equal(seen.size, ALPHABET.length);
  });

  test('uses every character equally often', () => {
    const counts = new Map<string, number>();
    const draws = 2000 * 38;
    for (let round = 0; round < 2000; round += 1) {
      for (const one of mintApiKey().slice(7, 45)) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    // Chi squared with 61 degrees of freedom: above 125 once in a million.
    const expected = draws / ALPHABET.length;
    const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    assert.ok(chi < 125, `chi squared ${chi}`);
  });

  test('with any one character changed, or two swapped, is invalid', () => {
    const key = mintApiKey();
    for (let at = 7; at < key.length; at += 1) {
      for (const other of ALPHABET) {
        if (other === key[at]) continue;
        assert.equal(hashApiKey(key.slice(0, at) + other + key.slice(at + 1)), undefined);
      }
      const [one = '', next = ''] = [key[at], key[at + 1]];
      if (one === next || next === '') continue;
      assert.equal(hashApiKey(key.slice(0, at) + next + one + key.slice(at + 2)), undefined);
    }
  });

  test('is invalid if shorter, longer or with other characters', () => {
    const key = mintApiKey();
    const others = ['', 'svc_sk_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`];
    others.push(key.toUpperCase(), key.replace('svc_sk_', 'svc_pk_'), `${key.slice(0, -1)}é`);
    for (const text of others) assert.equal(hashApiKey(text), undefined, JSON.stringify(text));
    // Not even with the right check behind them.
    for (const character of ['é', '-', ' ', '0'.repeat(39)]) {
      const start = `svc_sk_${character.padEnd(38, '0')}`;
      assert.equal(hashApiKey(start + base62(crc32(start))), undefined, JSON.stringify(start));
    }
    const start = `svc_sk_${'0'.repeat(38)}`;
    assert.ok(hashApiKey(start + base62(crc32(start))));
  });

  test('uses the CRC-32 of zlib, which scanners know', () => {
    assert.ok(hashApiKey('svc_sk_000000000000000000000000000000000000000oJNsn'));
  });
});

/** In six characters. */
function base62(number: number): string {
  let text = '';
  for (let rest = number; text.length < 6; rest = Math.floor(rest / 62)) {
    text = ALPHABET.charAt(rest % 62) + text;
  }
  return text;
}
