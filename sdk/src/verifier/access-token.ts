import { base64url, type CompactJWSHeaderParameters, compactVerify, errors } from 'jose';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import { CLAIM_FORMS, type ClaimForm } from './claim-forms.ts';
import type { KeySet, PublishedKey } from './key-set.ts';
import { readStatusReference, type StatusReference } from './status-reference.ts';

/** RFC 9068 §2.1: no other kind of token is taken for an access token. */
const TYP = 'at+jwt';
const ALGORITHMS = ['EdDSA'];
/** How far two clocks may be apart. */
export const CLOCK_SKEW_SECONDS = 10;
/** Far above anything that the service issues. */
const MAX_TOKEN_CHARACTERS = 8192;
/** Three parts, the last one 64 bytes in their one canonical spelling (RFC 4648 §3.5). */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/;
const API_KEY_PREFIX = 'svc_sk_';
/** Header fields that would name a key or a rule of the sender's choosing (RFC 8725 §3.10; RFC 7515 §4.1.11). */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip'];

/** What a token has to name. */
export interface Expectations {
  readonly issuer: string;
  readonly audience: string;
  /** Nothing where the issuer does not tell. */
  readonly tenant: string | undefined;
}

/** A token whose signature is good. Its time, its key and its status are looked at on every use. */
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
  if (token.startsWith(API_KEY_PREFIX)) throw new VerificationError('api_key');
  if (token.length > MAX_TOKEN_CHARACTERS || !COMPACT_FORM.test(token)) {
    throw new VerificationError('malformed');
  }
  const found: { kid?: string; key?: PublishedKey; payload?: Record<string, unknown> } = {};
  const findKey = async (header: CompactJWSHeaderParameters, jws: { payload: unknown }) => {
    found.kid = kidIn(header);
    found.payload = parsePayload(jws.payload);
    // Before the key is looked for: tokens from elsewhere must not cause questions.
    requireOrigin(found.payload, expected);
    const key = await keys.find(found.kid);
    if (key === undefined) throw new VerificationError('key_unknown');
    found.key = key;
    return key.key;
  };
  await compactVerify(token, findKey, { algorithms: ALGORITHMS }).catch(refuse);
  const { kid, key, payload } = found;
  if (kid === undefined || key === undefined || payload === undefined) {
    throw new VerificationError('malformed');
  }
  const claims = freeze(requireForms(payload));
  if (claims.aud !== expected.audience) throw new VerificationError('audience');
  return { claims, kid, key, status: readStatusReference(claims, expected.issuer) };
}

/** @throws VerificationError `expired` or `not_yet_valid` */
export function requireCurrent(claims: AccessTokenClaims, nowMs: number): void {
  const seconds = nowMs / 1000;
  if (claims.exp + CLOCK_SKEW_SECONDS <= seconds) throw new VerificationError('expired');
  if (claims.iat - CLOCK_SKEW_SECONDS > seconds) throw new VerificationError('not_yet_valid');
}

function refuse(error: unknown): never {
  if (error instanceof VerificationError) throw error;
  const isForged = error instanceof errors.JWSSignatureVerificationFailed;
  throw new VerificationError(isForged ? 'signature' : 'malformed', { cause: error });
}

function kidIn(header: CompactJWSHeaderParameters): string {
  const isPlain = !REFUSED_HEADERS.some((name) => Object.hasOwn(header, name));
  if (!isPlain || header.typ !== TYP || typeof header.kid !== 'string') {
    throw new VerificationError('malformed');
  }
  return header.kid;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parsePayload(encoded: unknown): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(decoder.decode(base64url.decode(encoded as string)));
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
      return payload as Record<string, unknown>;
    }
  } catch (error) {
    throw new VerificationError('malformed', { cause: error });
  }
  throw new VerificationError('malformed');
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

/** One token is verified for many requests: none of them may change what the others read. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}
