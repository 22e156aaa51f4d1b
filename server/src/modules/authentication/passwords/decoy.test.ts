import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';
import { schemeOf } from '../../../platform/crypto/foreign-hash.ts';
import { decoyFor } from './password-rules.ts';

const HASHES: ForeignHashes = {
  key: Buffer.alloc(32, 7).toString('base64'),
  total: 1000,
  schemes: { $2b$10$: 500, '$pbkdf2-sha256$i=27500,l=64': 250 },
  counted_at: '2026-01-01T00:00:00.000Z',
};
const IDENTIFIERS = Array.from({ length: 20_000 }, (_, n) => `nobody-${n}@example.com`);

const schemeFor = (hashes: ForeignHashes | undefined, identifier: string) => {
  const decoy = decoyFor(hashes, identifier);
  return decoy && schemeOf(decoy);
};

describe('the decoy of an unknown identifier', () => {
  test('is of each scheme for as many of them as users have it', () => {
    const counts = new Map<string | undefined, number>();
    for (const one of IDENTIFIERS) {
      const scheme = schemeFor(HASHES, one);
      counts.set(scheme, (counts.get(scheme) ?? 0) + 1);
    }
    const expected = [
      ['$2b$10$', 10_000],
      ['$pbkdf2-sha256$i=27500,l=64', 5000],
      [undefined, 5000],
    ] as const;
    assert.equal(counts.size, expected.length);
    // Six standard deviations at most.
    for (const [scheme, count] of expected) {
      assert.ok(
        Math.abs((counts.get(scheme) ?? 0) - count) < 430,
        `${scheme}: ${counts.get(scheme)}`,
      );
    }
  });

  test('is the same each time, and cannot be foretold without the key', () => {
    const other = { ...HASHES, key: Buffer.alloc(32, 8).toString('base64') };
    const some = IDENTIFIERS.slice(0, 200);
    const schemes = some.map((one) => schemeFor(HASHES, one));
    assert.deepEqual(
      schemes,
      some.map((one) => schemeFor({ ...HASHES }, one)),
    );
    assert.notDeepEqual(
      schemes,
      some.map((one) => schemeFor(other, one)),
    );
  });

  test('leaves a scheme as its users do, and never comes back to it', () => {
    const fewer = { ...HASHES, schemes: { $2b$10$: 100 } };
    const now = { ...HASHES, schemes: { $2b$10$: 500 } };
    for (const one of IDENTIFIERS.slice(0, 2000)) {
      if (schemeFor(fewer, one) !== undefined) assert.equal(schemeFor(now, one), '$2b$10$');
    }
  });

  test('is a hash of this service where nobody has another one, and a foreign one where everybody has', () => {
    assert.equal(decoyFor(undefined, 'nobody@example.com'), undefined);
    const all = { ...HASHES, total: 3, schemes: { $2b$10$: 3 } };
    for (const one of IDENTIFIERS.slice(0, 200)) assert.equal(schemeFor(all, one), '$2b$10$');
  });
});
