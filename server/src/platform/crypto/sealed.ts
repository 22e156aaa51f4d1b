import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  randomFillSync,
} from 'node:crypto';
import { zlib } from '../zlib.ts';
import { pooledRandomBytes } from './ids.ts';

const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts bytes with AES-256-GCM into version, IV, ciphertext and tag. `belongsTo` identifies the row and column, so
 * that a value that was moved to another row cannot be decrypted.
 */
export function seal(key: Buffer, plain: Buffer, belongsTo: string): Buffer {
  const iv = pooledRandomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(belongsTo));
  const encrypted = [cipher.update(plain), cipher.final()];
  return Buffer.concat([Buffer.of(VERSION), iv, ...encrypted, cipher.getAuthTag()]);
}

/** Decrypts the output of `seal`. @throws Error for another key, another `belongsTo`, or modified bytes */
export function unseal(key: Buffer, sealed: Buffer, belongsTo: string): Buffer {
  if (sealed.length < 1 + IV_BYTES + TAG_BYTES || sealed[0] !== VERSION) {
    throw new Error(`The value stored for ${belongsTo} is not encrypted.`);
  }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV_BYTES));
  decipher.setAAD(Buffer.from(belongsTo));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(1 + IV_BYTES, -TAG_BYTES));
  try {
    // In GCM this only checks authenticity and returns no output; a copy of a key would need wiping as well.
    decipher.final();
    return plain;
  } catch (cause) {
    throw new Error(`The value stored for ${belongsTo} cannot be decrypted.`, { cause });
  }
}

/** An identifier of a key that reveals nothing about it. */
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

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;
/** 226 bits. */
const RANDOM_CHARACTERS = 38;
const CHECK_CHARACTERS = 6;
/** Bytes from here on are rejected: they would make some characters more frequent. */
const FAIR_BYTES = 256 - (256 % BASE);

/** Secrets that have check characters, and a prefix that secret scanners find. */
export interface CheckedSecrets {
  /** Mints a secret: the prefix, 38 random base62 characters and six check characters. */
  readonly mint: () => string;
  /**
   * Returns the SHA-256 that is stored for a secret; undefined for malformed input, so that a mistyped or made-up
   * secret costs no lookup. A plain hash is enough for 226 random bits.
   */
  readonly hash: (text: string) => Buffer | undefined;
}

export function checkedSecrets(prefix: string): CheckedSecrets {
  const form = new RegExp(`^${prefix}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECK_CHARACTERS}}$`);
  const checkAt = prefix.length + RANDOM_CHARACTERS;
  return {
    mint() {
      const start = prefix + randomCharacters(RANDOM_CHARACTERS);
      return start + checkOf(start);
    },
    hash(text) {
      if (!form.test(text)) return undefined;
      return checkOf(text.slice(0, checkAt)) === text.slice(checkAt) ? sha256(text) : undefined;
    },
  };
}

function checkOf(start: string): string {
  let rest = zlib().crc32(start);
  let text = '';
  for (let index = 0; index < CHECK_CHARACTERS; index += 1) {
    text = ALPHABET.charAt(rest % BASE) + text;
    rest = Math.floor(rest / BASE);
  }
  return text;
}

function randomCharacters(count: number): string {
  let text = '';
  while (text.length < count) {
    for (const byte of randomFillSync(Buffer.alloc(count))) {
      if (byte < FAIR_BYTES && text.length < count) text += ALPHABET.charAt(byte % BASE);
    }
  }
  return text;
}

/**
 * A key for HMACs whose bytes OpenSSL wipes when its last reference is gone.
 * @param bytes taken over, and wiped
 */
export function takeSecretKey(bytes: Buffer): KeyObject {
  try {
    return createSecretKey(bytes);
  } finally {
    bytes.fill(0);
  }
}
