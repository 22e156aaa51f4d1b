import type { AccessTokenClaims } from '../generated/claims.ts';

/** A request of Node.js, as far as a token is concerned. */
export interface IncomingRequest {
  readonly headers: { readonly authorization?: string | undefined };
}

/** Where the claims are kept: `request.auth`. */
export interface Authenticated {
  auth?: AccessTokenClaims | null;
}

/**
 * The claims of a request that was let in.
 *
 * @throws Error when nothing verified a token for it: the route is not protected
 */
export function claimsOf<Custom extends object = Record<never, never>>(
  request: object,
): AccessTokenClaims & Custom {
  const { auth } = request as Authenticated;
  if (auth === undefined || auth === null) {
    throw new Error('No token was verified for this request: requireToken has to come first.');
  }
  return auth as AccessTokenClaims & Custom;
}
