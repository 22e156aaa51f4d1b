import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { describe, test } from 'node:test';
import { encodeForeignHash, type ForeignHash, foreignHashFlaw } from './foreign-hash.ts';
import { PasswordHasher } from './password.ts';

const salt = Buffer.alloc(16, 1);

const pbkdf2 = (digest: 'sha1' | 'sha256' | 'sha512', iterations: number, bytes: number) =>
  ({ kind: 'pbkdf2', digest, iterations, salt, hash: Buffer.alloc(bytes) }) as const;
const scrypt = (log2Cost: number, blockSize: number, parallelism: number): ForeignHash => ({
  kind: 'scrypt',
  log2Cost,
  blockSize,
  parallelism,
  isNormalized: false,
  salt,
  hash: Buffer.alloc(32),
});
const argon2 = (memory: number, passes: number): ForeignHash => ({
  kind: 'encoded',
  encoded: `$argon2id$v=19$m=${memory},t=${passes},p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`,
});
const bcrypt = (cost: number): ForeignHash => ({
  kind: 'encoded',
  encoded: `$2b$${cost}$${'a'.repeat(53)}`,
});

describe('a hash of another product', () => {
  const most: Readonly<Record<string, readonly [ForeignHash, ForeignHash]>> = {
    'PBKDF2 with SHA-1': [pbkdf2('sha1', 1_000_000, 20), pbkdf2('sha1', 1_000_000, 21)],
    'PBKDF2 with SHA-256': [pbkdf2('sha256', 1_000_000, 32), pbkdf2('sha256', 500_001, 64)],
    'PBKDF2 with SHA-512': [pbkdf2('sha512', 500_000, 64), pbkdf2('sha512', 500_001, 64)],
    'PBKDF2 with a long hash': [pbkdf2('sha1', 142_857, 128), pbkdf2('sha1', 142_858, 128)],
    'scrypt of much memory': [scrypt(16, 8, 2), scrypt(16, 8, 3)],
    'scrypt of little memory': [scrypt(15, 8, 4), scrypt(15, 9, 4)],
    Argon2: [argon2(65_536, 16), argon2(65_536, 17)],
    bcrypt: [bcrypt(13), bcrypt(14)],
  };
  for (const [what, [affordable, other]] of Object.entries(most)) {
    test(`A hash of another product is accepted up to a bound on all its parameters together: ${what}`, () => {
      assert.equal(foreignHashFlaw(affordable), undefined);
      assert.ok(foreignHashFlaw(other));
    });
  }

  test('A hash of another product beyond the cost bound is not verified, even with the right password', async () => {
    const passwords = new PasswordHasher();
    const of = (iterations: number) =>
      encodeForeignHash({
        ...pbkdf2('sha512', iterations, 64),
        hash: pbkdf2Sync('right', salt, iterations, 64, 'sha512'),
      });
    const share = { flow: 'org_a', source: '192.0.2.1' };
    assert.equal(await passwords.verify(of(500_000), 'right', share), true);
    assert.equal(await passwords.verify(of(500_001), 'right', share), false);
  });
});
