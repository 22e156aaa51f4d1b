import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { CookieName } from '@keywright/contract/reply';
import { pooledRandomBytes } from '../../crypto/ids.ts';
import { sha256 } from '../../crypto/sealed.ts';

/** A cookie to set. Without a value, the cookie is deleted. */
export interface Cookie<Name extends CookieName = CookieName> {
  readonly name: Name;
  readonly value: string | undefined;
  /** Default: until the browser is closed. */
  readonly maxAgeSeconds?: number;
}

/** The tenant that cookies belong to, and the address of its pages. */
export interface CookieOwner {
  readonly id: string;
  readonly issuer: string;
}

const PREFIX: Readonly<Record<CookieName, string>> = {
  session: 'kw',
  flow: 'kwp',
  locale: 'kwl',
  method: 'kwm',
  device: 'kwd',
};
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const TAG_LENGTH = 10;
/** RFC 6265 §4.1.1, without characters that need quotes. */
const VALUE = /^[\w.~:-]{1,512}$/;

interface Naming {
  readonly tag: string;
  readonly isSecure: boolean;
}

/**
 * Cached because a page reads several cookies: deriving their names each time would cost a tenth of the shortest
 * requests.
 */
const namings = new WeakMap<CookieOwner, Naming>();

function namingOf(owner: CookieOwner): Naming {
  const cached = namings.get(owner);
  if (cached) return cached;
  const naming = { tag: tagOf(owner.id), isSecure: !isLoopbackHttp(owner.issuer) };
  namings.set(owner, naming);
  return naming;
}

/** Tenants share a host, so their cookies need different names. */
export function cookieName(name: CookieName, owner: CookieOwner): string {
  const { tag, isSecure } = namingOf(owner);
  return `${isSecure ? '__Host-' : ''}${PREFIX[name]}_${tag}`;
}

/** The value of a Set-Cookie header (RFC 6265 §4.1). */
export function setCookie({ name, value, maxAgeSeconds }: Cookie, owner: CookieOwner): string {
  if (value !== undefined && !VALUE.test(value)) throw new Error(`Invalid value for ${name}.`);
  const age = value === undefined ? 0 : maxAgeSeconds;
  return [
    `${cookieName(name, owner)}=${value ?? ''}`,
    'Path=/',
    ...(age === undefined ? [] : [`Max-Age=${age}`]),
    ...(namingOf(owner).isSecure ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Lax',
  ].join('; ');
}

/** The value of a cookie in a request; undefined if it occurs twice, since it is unknown which one is ours. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (!header?.includes(name)) return undefined;
  const start = `${name}=`;
  let only: string | undefined;
  for (const pair of header.split(';')) {
    const text = pair.trim();
    if (!text.startsWith(start)) continue;
    if (only !== undefined) return undefined;
    only = text.slice(start.length);
  }
  return only !== undefined && VALUE.test(only) ? only : undefined;
}

/** Returns the first 50 bits of a hash in Base32 (RFC 4648 §6): a number holds them exactly. */
function tagOf(tenantId: string): string {
  const digest = hash('sha256', tenantId, 'buffer');
  let bits = digest.readUIntBE(0, 6) * 4 + (digest.readUInt8(6) >> 6);
  let tag = '';
  for (let at = 0; at < TAG_LENGTH; at += 1) {
    tag = BASE32.charAt(bits % 32) + tag;
    bits = Math.floor(bits / 32);
  }
  return tag;
}

/** Browsers reject Secure cookies there, and so any with the prefix `__Host-`. */
function isLoopbackHttp(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

const BYTES = 32;
const TEXT = /^[\w-]{86}$/;

/**
 * A token for the forms of one flow, bound to a cookie that scripts cannot read. It is masked with random bytes in each
 * response, so that its compressed length reveals nothing (BREACH).
 */
export function issueFormToken(cookie: string): string {
  const mask = pooledRandomBytes(BYTES);
  const token = Buffer.allocUnsafe(2 * BYTES);
  token.set(mask);
  token.set(xor(mask, tokenOf(cookie)), BYTES);
  return token.toString('base64url');
}

export function isFormToken(cookie: string, text: unknown): boolean {
  if (typeof text !== 'string' || !TEXT.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  const token = xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES));
  return timingSafeEqual(token, tokenOf(cookie));
}

/** The cookie is a secret of fixed length, so a plain hash reveals as little as an HMAC, at a third of its cost. */
function tokenOf(cookie: string): Buffer {
  return sha256(`form token ${cookie}`);
}

function xor(bytes: Buffer, other: Buffer): Buffer {
  const result = Buffer.allocUnsafe(BYTES);
  for (let at = 0; at < BYTES; at += 1) result[at] = (bytes[at] ?? 0) ^ (other[at] ?? 0);
  return result;
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
