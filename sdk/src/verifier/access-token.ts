import { base64url } from 'jose';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import { isApiKey } from './api-key.ts';
import { CLAIM_FORMS, type ClaimForm } from './claim-forms.ts';
import { CLOCK_SKEW_SECONDS, kidOf } from './jws-header.ts';
import type { KeySet, PublishedKey } from './key-set.ts';
import { RecentlyUsed } from './recently-used.ts';
import { readStatusReference, type StatusReference } from './status-reference.ts';

/** RFC 9068 §2.1: no other kind of token is accepted as an access token. */
const TYP = 'at+jwt';
/** Far larger than any token of the service. */
const MAX_TOKEN_CHARACTERS = 8192;
/** Matches three parts. The last part encodes 64 bytes in their only canonical form (RFC 4648 §3.5). */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;
/** The name of the algorithm in Web Crypto. */
const ED25519 = 'Ed25519';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The values that a token must contain. */
export interface Expectations {
  readonly issuer: string;
  readonly audience: string;
  /** Undefined if the tenant is not known from the issuer. */
  readonly tenant: string | undefined;
}

/** A token with a valid signature. Its expiry, key and status are checked on every use. */
export interface SignedToken {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
  readonly key: PublishedKey;
  readonly status: StatusReference | undefined;
}

/** Checks everything about a token that does not change. @throws VerificationError */
export async function readSignedToken(
  token: string,
  keys: KeySet,
  expected: Expectations,
): Promise<SignedToken> {
  if (isApiKey(token)) throw new VerificationError('api_key');
  if (token.length > MAX_TOKEN_CHARACTERS || !COMPACT_FORM.test(token)) {
    throw new VerificationError('malformed');
  }
  const [header = '', payload = '', signature = ''] = token.split('.');
  const kid = kidIn(header);
  const fields = parse(payload);
  // Checked before the key lookup, so that tokens of other issuers do not cause requests.
  requireOrigin(fields, expected);
  const key = keys.findAtOnce(kid) ?? (await keys.find(kid));
  if (key === undefined) throw new VerificationError('key_unknown');
  const input = encoder.encode(token.slice(0, -1 - signature.length));
  if (!(await crypto.subtle.verify(ED25519, key.key, decode(signature), input))) {
    throw new VerificationError('signature');
  }
  const claims = freeze(requireForms(fields));
  if (claims.aud !== expected.audience) throw new VerificationError('audience');
  return { claims, kid, key, status: readStatusReference(claims, expected.issuer) };
}

/** @throws VerificationError `expired` or `not_yet_valid` */
export function requireCurrent(claims: AccessTokenClaims, nowMs: number): void {
  const seconds = nowMs / 1000;
  if (claims.exp + CLOCK_SKEW_SECONDS <= seconds) throw new VerificationError('expired');
  if (claims.iat - CLOCK_SKEW_SECONDS > seconds) throw new VerificationError('not_yet_valid');
}

/** Valid headers: an issuer has as many as keys. */
const headers = new RecentlyUsed<string>(64);

function kidIn(header: string): string {
  const kid = headers.get(header) ?? kidOf(parse(header), TYP);
  if (kid === undefined) throw new VerificationError('malformed');
  headers.set(header, kid);
  return kid;
}

/** Decodes a part of a token as a JSON object. */
function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(decoder.decode(decode(part)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    throw new VerificationError('malformed', { cause: error });
  }
  throw new VerificationError('malformed');
}

function decode(part: string): Uint8Array<ArrayBuffer> {
  return base64url.decode(part) as Uint8Array<ArrayBuffer>;
}

function requireOrigin(payload: Record<string, unknown>, expected: Expectations): void {
  const { iss, tenant_id: tenantId } = payload;
  const isElsewhere = expected.tenant !== undefined && tenantId !== expected.tenant;
  if (typeof tenantId === 'string' && isElsewhere) throw new VerificationError('tenant');
  if (iss !== expected.issuer) throw new VerificationError('issuer');
}

function requireForms(payload: Record<string, unknown>): AccessTokenClaims {
  for (const [name, hasForm] of FORMS) {
    if (!Object.hasOwn(payload, name) || !hasForm(payload[name])) {
      throw new VerificationError('claims', { cause: new Error(`The claim ${name}.`) });
    }
  }
  return payload as AccessTokenClaims;
}

const FORMS: readonly (readonly [name: string, form: ClaimForm])[] = Object.entries(CLAIM_FORMS);

/** Freezes the claims, because many requests share a verified token and must not modify each other's claims. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}
