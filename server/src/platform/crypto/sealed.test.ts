import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { keyFingerprint, openCarried, seal, sealCarried, unseal } from './sealed.ts';

const key = randomBytes(32);
const plain = Buffer.from('a private key of sixty-four characters, or so, more or less, eh?');
const PLACE = 'signing_keys/org_default/key_1/private_key';
const KINDS = [
  { kind: 'a stored value', close: seal, open: unseal, overhead: 1 + 12 + 16 },
  { kind: 'a carried value', close: sealCarried, open: openCarried, overhead: 24 + 16 },
];

for (const { kind, close, open, overhead } of KINDS) {
  describe(kind, () => {
    test('A sealed value is decrypted with its key in its place', () => {
      for (const bytes of [plain, Buffer.alloc(0), randomBytes(10_000)]) {
        assert.deepEqual(open(key, close(key, bytes, PLACE), PLACE), bytes);
      }
    });

    test('A sealed value discloses nothing, and is different each time', () => {
      const [first, other] = [close(key, plain, PLACE), close(key, plain, PLACE)];
      assert.notDeepEqual(first, other);
      assert.equal(first.includes(plain.subarray(0, 8)), false);
      assert.equal(first.length, overhead + plain.length);
    });

    test('A sealed value cannot be decrypted in another row or column', () => {
      const sealed = close(key, plain, PLACE);
      for (const place of [
        'signing_keys/org_default/key_2/private_key',
        'signing_keys/org_other/key_1/private_key',
        'signing_keys/org_default/key_1/public_key',
        `${PLACE} `,
        '',
      ]) {
        assert.throws(() => open(key, sealed, place), place);
      }
    });

    test('A sealed value cannot be decrypted with another key', () => {
      const other = Buffer.from(key);
      other[31] = (other[31] as number) ^ 1;
      assert.throws(() => open(other, close(key, plain, PLACE), PLACE));
    });

    test('A sealed value cannot be decrypted if any of its bits is flipped', () => {
      const sealed = close(key, plain, PLACE);
      for (let bit = 0; bit < sealed.length * 8; bit += 1) {
        const changed = Buffer.from(sealed);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        assert.throws(() => open(key, changed, PLACE), `bit ${bit}`);
      }
    });

    test('A sealed value cannot be decrypted if truncated or extended', () => {
      const sealed = close(key, plain, PLACE);
      for (let length = 0; length < sealed.length; length += 1) {
        assert.throws(() => open(key, sealed.subarray(0, length), PLACE), `${length} bytes`);
      }
      assert.throws(() => open(key, Buffer.concat([sealed, Buffer.of(0)]), PLACE));
    });
  });
}

test('The fingerprint of a key identifies the key and discloses nothing about it', () => {
  assert.equal(keyFingerprint(key), keyFingerprint(Buffer.from(key)));
  assert.notEqual(keyFingerprint(key), keyFingerprint(randomBytes(32)));
  assert.match(keyFingerprint(key), /^[0-9a-f]{16}$/);
  assert.equal(key.toString('hex').includes(keyFingerprint(key)), false);
});
