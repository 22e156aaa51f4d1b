import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { Requirement } from '../verifier/requirements.ts';
import type { Verifier } from '../verifier/verifier.ts';
import { refusalResponse } from './fetch.ts';

export { refusalResponse } from './fetch.ts';

/** What `requireToken` sets: `new Hono<{ Variables: KeywrightVariables }>()` knows of `c.get('auth')`. */
export interface KeywrightVariables {
  auth: AccessTokenClaims;
}

/** A context of Hono, as far as a token is concerned. */
export interface Context {
  readonly req: { header(name: string): string | undefined };
  set(key: 'auth', value: AccessTokenClaims): void;
}

/**
 * Middleware that lets in requests with a good token that holds what is required, and sets its claims as
 * `auth`. Every other request is answered 401, 403 or 503.
 */
export function requireToken(
  verifier: Verifier,
  requirement: Requirement = {},
): (context: Context, next: () => Promise<void>) => Promise<Response | undefined> {
  return async (context, next) => {
    try {
      const header = context.req.header('authorization');
      context.set('auth', await verifier.authenticate(header, requirement));
    } catch (error) {
      if (error instanceof VerificationError) return refusalResponse(error);
      throw error;
    }
    await next();
    return undefined;
  };
}
