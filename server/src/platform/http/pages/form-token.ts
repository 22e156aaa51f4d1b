import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const BYTES = 32;
const TEXT = /^[\w-]{86}$/;

/**
 * A token for the forms of one flow, bound to a cookie that scripts cannot read. It is masked with random bytes in each
 * response, so that its compressed length reveals nothing (BREACH).
 */
export function issueFormToken(cookie: string): string {
  const mask = randomBytes(BYTES);
  return Buffer.concat([mask, xor(mask, tokenOf(cookie))]).toString('base64url');
}

export function isFormToken(cookie: string, text: unknown): boolean {
  if (typeof text !== 'string' || !TEXT.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  const token = xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES));
  return timingSafeEqual(token, tokenOf(cookie));
}

function tokenOf(cookie: string): Buffer {
  return createHmac('sha256', cookie).update('form').digest();
}

function xor(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
}
