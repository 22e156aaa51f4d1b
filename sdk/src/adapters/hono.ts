import type { MiddlewareHandler } from 'hono';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { Verifier } from '../verifier/verifier.ts';
import { refusalResponse } from './fetch.ts';

export { refusalResponse } from './fetch.ts';

/** What `requireToken` sets. The type of `c.get('auth')` is inferred in later handlers. */
export interface KeywrightVariables<Custom extends object = Record<never, never>> {
  auth: AccessTokenClaims & Custom;
}

/**
 * Middleware that accepts requests with a valid token that meets the requirements, and sets its claims as `auth`. Other
 * requests get 401, 403 or 503.
 */
export function requireToken<Custom extends object = Record<never, never>>(
  verifier: Verifier<Custom>,
  requirement: RequestRequirement = {},
): MiddlewareHandler<{ Variables: KeywrightVariables<Custom> }> {
  return async (context, next) => {
    try {
      context.set('auth', await verifier.authenticateRequest(context.req.raw, requirement));
    } catch (error) {
      if (error instanceof VerificationError) return refusalResponse(error);
      throw error;
    }
    await next();
    return undefined;
  };
}
