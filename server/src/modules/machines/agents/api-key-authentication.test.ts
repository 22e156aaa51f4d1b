import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { AppError, fail } from '@keywright/contract/errors';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import {
  hashApiKey,
  looksLikeApiKey,
  mintApiKey,
  networksMatcher,
  requireNetworks,
  shownPrefix,
} from './api-key-authentication.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('an API key', () => {
  test('An API key is svc_sk_, 38 random characters and a 6-character checksum (SPEC resources apikey 1)', () => {
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

  test('An API key uses every character equally often', () => {
    const counts = new Map<string, number>();
    const draws = 2000 * 38;
    for (let round = 0; round < 2000; round += 1) {
      for (const character of mintApiKey().slice(7, 45))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // Chi squared with 61 degrees of freedom: above 125 once in a million.
    const expected = draws / ALPHABET.length;
    const chi = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    assert.ok(chi < 125, `chi squared ${chi}`);
  });

  test('An API key with any one character changed, or two swapped, is invalid', () => {
    const key = mintApiKey();
    for (let at = 7; at < key.length; at += 1) {
      for (const other of ALPHABET) {
        if (other === key[at]) continue;
        assert.equal(hashApiKey(key.slice(0, at) + other + key.slice(at + 1)), undefined);
      }
      const [current = '', next = ''] = [key[at], key[at + 1]];
      if (current === next || next === '') continue;
      assert.equal(hashApiKey(key.slice(0, at) + next + current + key.slice(at + 2)), undefined);
    }
  });

  test('An API key is invalid if it is shorter, longer or has other characters', () => {
    const key = mintApiKey();
    const others = ['', 'svc_sk_', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`];
    others.push(key.toUpperCase(), key.replace('svc_sk_', 'svc_pk_'), `${key.slice(0, -1)}é`);
    for (const text of others) assert.equal(hashApiKey(text), undefined, JSON.stringify(text));
    // Not even with a correct checksum.
    for (const character of ['é', '-', ' ', '0'.repeat(39)]) {
      const start = `svc_sk_${character.padEnd(38, '0')}`;
      assert.equal(hashApiKey(start + base62(crc32(start))), undefined, JSON.stringify(start));
    }
    const start = `svc_sk_${'0'.repeat(38)}`;
    assert.ok(hashApiKey(start + base62(crc32(start))));
  });

  test('An API key uses the CRC-32 of zlib, which scanners know', () => {
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

function flawsOf(list: readonly string[]): string[] {
  try {
    requireNetworks(list, fail);
    return [];
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'VALIDATION_FAILED');
    return (error.options.errors ?? []).map((problem) => problem.path);
  }
}

describe('the allowed addresses of a key', () => {
  test('The allowed addresses of a key can be IPv4 and IPv6 addresses and networks', () => {
    const good = ['192.0.2.1', '0.0.0.0/0', '10.0.0.0/8', '255.255.255.255/32'];
    good.push('::', '::1', '2001:db8::/32', '2001:db8::1/128', '::/0', '::ffff:192.0.2.1');
    assert.deepEqual(flawsOf(good), []);
  });

  test('The allowed addresses of a key can be nothing but addresses and networks, and each error is named', () => {
    const bad = ['', 'localhost', '192.0.2', '192.0.2.256', '192.0.2.1/33', '192.0.2.1/-1'];
    bad.push('192.0.2.1/', '192.0.2.1/08', '192.0.2.1/8/8', '192.0.2.1/ 8', ' 192.0.2.1');
    bad.push('::1/129', 'fe80::1%eth0', 'fe80::1%eth0/64', ':::1', '192.0.2.1:80', '[::1]', '/8');
    const paths = bad.map((_, index) => `/allowed_ips/${index}`);
    assert.deepEqual(flawsOf(bad), paths);
    assert.deepEqual(flawsOf(['::1', 'x', '::2']), ['/allowed_ips/1']);
  });

  const cases: readonly (readonly [list: string[], inside: string[], outside: string[]])[] = [
    [['192.0.2.7'], ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'], ['192.0.2.8', '::1']],
    [
      ['10.1.0.0/16', '192.0.2.0/31'],
      ['10.1.0.0', '10.1.255.255', '192.0.2.0', '192.0.2.1'],
      ['10.0.255.255', '10.2.0.0', '192.0.2.2', '110.1.0.0'],
    ],
    // The host bits of a network are ignored.
    [['10.1.2.3/16'], ['10.1.0.1'], ['10.2.2.3']],
    [['0.0.0.0/0'], ['1.2.3.4', '255.255.255.255'], ['2001:db8::1']],
    [
      ['2001:db8::/32', '::1'],
      ['2001:db8::', '2001:DB8:ffff::1', '0:0:0:0:0:0:0:1'],
      ['2001:db9::', '::2', '192.0.2.1'],
    ],
    [['::/0'], ['::', 'ffff::'], []],
  ];
  for (const [list, inside, outside] of cases) {
    test(`The allowed addresses ${list.join(' and ')} contain exactly what is inside`, () => {
      const isAllowed = networksMatcher(list);
      for (const address of inside) assert.equal(isAllowed(address), true, address);
      for (const address of outside) assert.equal(isAllowed(address), false, address);
      for (const text of ['', 'nowhere', 'fe80::1%lo/1']) assert.equal(isAllowed(text), false);
    });
  }
});
