import { type PrivateKey, type PublicKey, sign, verify } from './signature-key.ts';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: PrivateKey;
}

/** A parsed token whose signature has not been verified. */
export interface ParsedToken {
  readonly kid: string;
  readonly typ: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signingInput: string;
  readonly signature: Buffer;
}

const SIGNATURE_BYTES = 64;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
/** Header fields that would let the sender choose a key or a rule (RFC 8725 §3.10; RFC 7515 §4.1.11). */
const REFUSED_HEADERS = ['jwk', 'jku', 'x5u', 'x5c', 'x5t', 'crit', 'b64', 'zip'];

/**
 * Signs a compact JWS with Ed25519 (RFC 7515, RFC 8037). The same claims in the same order under the same key produce
 * the same bytes, which retried refreshes rely on.
 */
export function signToken(key: SigningKey, typ: string, claims: object): string {
  const input = unsignedToken({ alg: 'EdDSA', typ, kid: key.kid }, claims);
  return `${input}.${sign(Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** Header and claims, as they are signed. */
export function unsignedToken(header: object, claims: object): string {
  return `${encoded(header)}.${encoded(claims)}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Parses a compact JWS. @returns undefined unless this service could have created it */
export function parseToken(token: string): ParsedToken | undefined {
  const [header, payload, signature, ...rest] = token.split('.');
  if (!header || !payload || !signature || rest.length > 0) return undefined;
  const fields = parseJsonObject(header);
  const claims = parseJsonObject(payload);
  const signatureBytes = decodeBase64url(signature);
  if (!fields || !claims || signatureBytes?.length !== SIGNATURE_BYTES) return undefined;
  const { alg, typ, kid } = fields;
  if (alg !== 'EdDSA' || typeof typ !== 'string' || typeof kid !== 'string') return undefined;
  if (REFUSED_HEADERS.some((name) => Object.hasOwn(fields, name))) return undefined;
  return { kid, typ, claims, signingInput: `${header}.${payload}`, signature: signatureBytes };
}

export function signatureIsValid(token: ParsedToken, publicKey: PublicKey): boolean {
  return verify(Buffer.from(token.signingInput), token.signature, publicKey);
}

/** The JSON object in a part of a token. */
export function parseJsonObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(decodeBase64url(part)?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes canonical base64url: no padding, no stray bits (RFC 4648 §3.5). */
export function decodeBase64url(part: string): Buffer | undefined {
  if (!BASE64URL.test(part)) return undefined;
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}
