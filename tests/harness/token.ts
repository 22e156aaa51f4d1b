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
