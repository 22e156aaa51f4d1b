import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { SessionId } from '@keywright/contract/ids';

interface TokenHeader {
  readonly alg: string;
  readonly typ: string;
  readonly kid: string;
}

/** The header of a token, without verification. */
export function headerOf(token: string): TokenHeader {
  return part(token, 0) as TokenHeader;
}

/** The claims of a token, without verification. */
export function claimsOf(token: string): AccessTokenClaims {
  return payloadOf(token) as AccessTokenClaims;
}

/** The content of a token of any kind, without verification. */
export function payloadOf(token: string): unknown {
  return part(token, 1);
}

function part(token: string, index: number): unknown {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8'));
}

/** The session that the token of a login or a refresh belongs to. */
export function sessionOf(token: string): SessionId {
  const { sid } = claimsOf(token);
  if (sid === undefined) throw new Error('This token is of no session.');
  return sid;
}

type Claims = Record<string, unknown>;

/** An opaque refresh token with other claims under the MAC of this one. */
export function alteredToken(token: string, alter: (claims: Claims) => Claims): string {
  const bytes = opaqueBytesOf(token);
  const claims = Buffer.from(JSON.stringify(alter(opaqueClaimsOf(token))));
  return opaqueOf(Buffer.concat([bytes.subarray(0, MAC_BYTES), claims]));
}

const OPAQUE_PREFIX = 'rft_';
export const MAC_BYTES = 32;

/** The MAC of an opaque refresh token, and the claims that it covers. */
export function opaqueBytesOf(token: string): Buffer {
  if (!token.startsWith(OPAQUE_PREFIX)) throw new Error('This is not an opaque refresh token.');
  return Buffer.from(token.slice(OPAQUE_PREFIX.length), 'base64url');
}

/** The inverse of `opaqueBytesOf`. */
export function opaqueOf(bytes: Buffer): string {
  return OPAQUE_PREFIX + bytes.toString('base64url');
}

/** The claims of an opaque refresh token, without verification. */
export function opaqueClaimsOf(token: string): Claims {
  return JSON.parse(opaqueBytesOf(token).subarray(MAC_BYTES).toString()) as Claims;
}
