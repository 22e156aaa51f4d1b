import { randomFillSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { API_KEY_PREFIX } from '@keywright/contract/records/api-key';
import { sha256 } from '../../../platform/crypto/sealed.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;
/** 226 bits. */
const RANDOM_CHARACTERS = 38;
const CHECK_CHARACTERS = 6;
const FORM = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECK_CHARACTERS}}$`);
const CHECK_AT = API_KEY_PREFIX.length + RANDOM_CHARACTERS;
/** Bytes from here on are rejected: they would make some characters more frequent. */
const FAIR_BYTES = 256 - (256 % BASE);
const SHOWN_CHARACTERS = 12;

/** A new API key: `svc_sk_`, random base62 characters and six check characters. */
export function mintApiKey(): string {
  const start = API_KEY_PREFIX + randomCharacters(RANDOM_CHARACTERS);
  return start + checkOf(start);
}

/** The stored prefix, to recognise the key. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}

/** Whether a text is formatted as an API key rather than a token. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith(API_KEY_PREFIX);
}

/**
 * The SHA-256 by which a key is kept and looked up. Nothing for what can't be a key: one that was mistyped or
 * made up costs no look-up. A plain hash is enough for 226 random bits.
 */
export function hashApiKey(text: string): Buffer | undefined {
  if (!FORM.test(text)) return undefined;
  return checkOf(text.slice(0, CHECK_AT)) === text.slice(CHECK_AT) ? sha256(text) : undefined;
}

function checkOf(start: string): string {
  let rest = crc32(start);
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
