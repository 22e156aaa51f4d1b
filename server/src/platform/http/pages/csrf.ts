import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

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

/**
 * Whether a form was submitted from a page of this origin. Sec-Fetch-Site decides if the browser sends it: under
 * `Referrer-Policy: no-referrer`, Origin is `null` (Fetch §3.1). Otherwise Origin must be the issuer's.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(issuer).origin;
}
