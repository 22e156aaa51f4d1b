import type { AccessTokenClaims } from '../generated/claims.ts';
import type { SentProof } from '../verifier/dpop.ts';

/** The part of a Node.js request that concerns tokens. */
export interface IncomingRequest {
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly dpop?: string | readonly string[] | undefined;
  };
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Set by frameworks that change `url`. */
  readonly originalUrl?: string | undefined;
}

/** The proof of a request (RFC 9449 §4.1). */
export function proofOf(request: IncomingRequest): SentProof {
  const { headers, method = '', url = '', originalUrl = url } = request;
  const { dpop } = headers;
  return { proof: typeof dpop === 'string' ? dpop : undefined, method, url: originalUrl };
}

/** Returns the path of a request as the client sent it. */
export function pathOf({ url = '', originalUrl = url }: IncomingRequest): string {
  return originalUrl.split('?', 1)[0] ?? '';
}

/** The claims of the request: `request.auth`. */
export interface Authenticated {
  auth?: AccessTokenClaims | null;
}

/**
 * Returns the claims of an authenticated request.
 *
 * @throws Error if no verifier protects the route
 */
export function claimsOf<Custom extends object = Record<never, never>>(
  request: object,
): AccessTokenClaims & Custom {
  const { auth } = request as Authenticated;
  if (auth === undefined || auth === null) {
    throw new Error('No token was verified for this request: requireToken must run first.');
  }
  return auth as AccessTokenClaims & Custom;
}
