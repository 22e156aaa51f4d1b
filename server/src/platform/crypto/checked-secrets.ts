import { randomFillSync } from 'node:crypto';
import { zlib } from '../zlib.ts';
import { sha256 } from './sealed.ts';

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
  readonly hashIfWellFormed: (text: string) => Buffer | undefined;
}

export function checkedSecrets(prefix: string): CheckedSecrets {
  const form = new RegExp(`^${prefix}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECK_CHARACTERS}}$`);
  const checkAt = prefix.length + RANDOM_CHARACTERS;
  return {
    mint() {
      const start = prefix + randomCharacters(RANDOM_CHARACTERS);
      return start + checkOf(start);
    },
    hashIfWellFormed(text) {
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
