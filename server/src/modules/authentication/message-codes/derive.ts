import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { takeSecretKey } from '../../../platform/crypto/secret-key.ts';

const CODE_DIGITS = 8;
const CODES = 10n ** BigInt(CODE_DIGITS);

/** What a message asks its reader to do, so that its code is of no use for anything else. */
interface Challenge {
  readonly id: string;
  readonly kind: string;
}

/** The secrets of a message. They are derived wherever they are needed, and stored nowhere. */
export interface MessageSecrets {
  /** 8 digits. */
  readonly code: string;
  /** The challenge and 256 bits. */
  readonly linkToken: string;
}

/** The same for the life of a challenge, so that a message that is sent again repeats them. */
export function messageSecrets(dataKey: Buffer, challenge: Challenge): MessageSecrets {
  const key = keyOf(dataKey);
  return { code: codeOf(key, challenge), linkToken: linkTokenOf(key, challenge) };
}

/** In constant time. */
export function isRightCode(dataKey: Buffer, challenge: Challenge, given: string): boolean {
  return areEqual(codeOf(keyOf(dataKey), challenge), given);
}

/** In constant time. */
export function isRightLinkToken(dataKey: Buffer, challenge: Challenge, given: string): boolean {
  return areEqual(linkTokenOf(keyOf(dataKey), challenge), given);
}

/** The challenge that a link claims to belong to; undefined for a text that is no link token. */
export function challengeOfLink(linkToken: string): string | undefined {
  return /^([A-Za-z0-9_-]{16,64})\.[A-Za-z0-9_-]{43}$/.exec(linkToken)?.[1];
}

function keyOf(dataKey: Buffer): KeyObject {
  const bytes = hkdfSync('sha256', dataKey, '', 'keywright message codes', 32);
  return takeSecretKey(Buffer.from(bytes));
}

/** Modulo 10^8, of 128 bits: no code is noticeably more frequent than another. */
function codeOf(key: KeyObject, challenge: Challenge): string {
  const bytes = mac(key, 'code', challenge);
  const number = (bytes.readBigUInt64BE(0) << 64n) | bytes.readBigUInt64BE(8);
  return String(number % CODES).padStart(CODE_DIGITS, '0');
}

function linkTokenOf(key: KeyObject, challenge: Challenge): string {
  return `${challenge.id}.${mac(key, 'link', challenge).toString('base64url')}`;
}

function mac(key: KeyObject, purpose: 'code' | 'link', { id, kind }: Challenge): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([purpose, kind, id]))
    .digest();
}

function areEqual(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
