import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { keyFingerprint, seal, unseal } from './sealed.ts';

const key = randomBytes(32);
const plain = Buffer.from('a private key of sixty-four characters, or so, more or less, eh?');
const PLACE = 'signing_keys/org_default/key_1/private_key';

describe('a sealed value', () => {
  test('A sealed value is decrypted with its key in its place', () => {
    for (const bytes of [plain, Buffer.alloc(0), randomBytes(10_000)]) {
      assert.deepEqual(unseal(key, seal(key, bytes, PLACE), PLACE), bytes);
    }
  });

  test('A sealed value discloses nothing, and is different each time', () => {
    const [first, other] = [seal(key, plain, PLACE), seal(key, plain, PLACE)];
    assert.notDeepEqual(first, other);
    assert.equal(first.includes(plain.subarray(0, 8)), false);
    assert.equal(first.length, 1 + 12 + plain.length + 16);
  });

  test('A sealed value cannot be decrypted in another row or column', () => {
    const sealed = seal(key, plain, PLACE);
    for (const place of [
      'signing_keys/org_default/key_2/private_key',
      'signing_keys/org_other/key_1/private_key',
      'signing_keys/org_default/key_1/public_key',
      `${PLACE} `,
      '',
    ]) {
      assert.throws(() => unseal(key, sealed, place), place);
    }
  });

  test('A sealed value cannot be decrypted with another key', () => {
    const other = Buffer.from(key);
    other[31] = (other[31] as number) ^ 1;
    assert.throws(() => unseal(other, seal(key, plain, PLACE), PLACE));
  });

  test('A sealed value cannot be decrypted if any of its bits is flipped', () => {
    const sealed = seal(key, plain, PLACE);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      assert.throws(() => unseal(key, changed, PLACE), `bit ${bit}`);
    }
  });

  test('A sealed value cannot be decrypted if truncated or extended', () => {
    const sealed = seal(key, plain, PLACE);
    for (let length = 0; length < sealed.length; length += 1) {
      assert.throws(() => unseal(key, sealed.subarray(0, length), PLACE), `${length} bytes`);
    }
    assert.throws(() => unseal(key, Buffer.concat([sealed, Buffer.of(0)]), PLACE));
  });
});

test('The fingerprint of a key identifies the key and discloses nothing about it', () => {
  assert.equal(keyFingerprint(key), keyFingerprint(Buffer.from(key)));
  assert.notEqual(keyFingerprint(key), keyFingerprint(randomBytes(32)));
  assert.match(keyFingerprint(key), /^[0-9a-f]{16}$/);
  assert.equal(key.toString('hex').includes(keyFingerprint(key)), false);
});
