import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from 'node:crypto';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals bytes with AES-256-GCM: version, IV, ciphertext, tag. `belongsTo` is the identity of the row and
 * column they are kept in, so that a value moved to another row does not open.
 */
export function seal(key: Buffer, plain: Buffer, belongsTo: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(belongsTo));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), iv, encrypted, cipher.getAuthTag()]);
}

/** Opens what `seal` made. @throws when the key or the place is another, or a bit was changed. */
export function unseal(key: Buffer, sealed: Buffer, belongsTo: string): Buffer {
  if (sealed.length < 1 + IV_BYTES + TAG_BYTES || sealed[0] !== VERSION) {
    throw new Error(`What is kept for ${belongsTo} is not a sealed value.`);
  }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV_BYTES));
  decipher.setAAD(Buffer.from(belongsTo));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(1 + IV_BYTES, -TAG_BYTES));
  try {
    // GCM has nothing left to say here but whether it is authentic; a copy of a key would be one more to wipe.
    decipher.final();
    return plain;
  } catch (cause) {
    throw new Error(`What is kept for ${belongsTo} does not open.`, { cause });
  }
}

/** A name for a key that tells nothing about it. */
export function keyFingerprint(key: Buffer): string {
  return createHash('sha256')
    .update('keywright key fingerprint')
    .update(key)
    .digest('hex')
    .slice(0, 16);
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
