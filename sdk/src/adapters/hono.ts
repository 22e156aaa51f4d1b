import type { MiddlewareHandler } from 'hono';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestVerifier } from '../verifier/verifier.ts';
import { metadataResponse, refusalResponse } from './fetch.ts';

export { refusalResponse } from './fetch.ts';

/** The variables that `requireToken` sets. Later handlers infer the type of `c.get('auth')`. */
export interface KeywrightVariables<Custom extends object = Record<never, never>> {
  auth: AccessTokenClaims & Custom;
}

/**
 * Middleware that accepts requests with a valid token that meets the requirements, and sets its claims as `auth`. Other
 * requests get 401, 403 or 503.
 */
export function requireToken<Custom extends object = Record<never, never>>(
  verifier: RequestVerifier<Custom>,
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

/** Middleware that serves the metadata of a protected resource at its URL, and passes on all other requests. */
export function serveMetadata(resource: ProtectedResource): MiddlewareHandler {
  return async (context, next) => {
    const response = metadataResponse(resource, context.req.raw);
    if (response) return response;
    await next();
    return undefined;
  };
}
