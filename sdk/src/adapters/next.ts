// For Next.js: `protect` for route handlers, `requireToken` for `proxy.ts` (`middleware.ts` before Next.js 16).

import { VerificationError } from '../errors.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestWithHeaders, Verifier } from '../verifier/verifier.ts';
import { refusalResponse } from './fetch.ts';

export { protect, refusalResponse } from './fetch.ts';

/**
 * A check for the proxy of Next.js: the answer to a request that is refused, and nothing for one that is let in. It
 * sees paths alone, so it is a first line; a route handler that relies on claims is put behind `protect`.
 */
export function requireToken(
  verifier: Verifier,
  requirement: RequestRequirement = {},
): (request: RequestWithHeaders) => Promise<Response | undefined> {
  return async (request) => {
    try {
      await verifier.authenticateRequest(request, requirement);
      return undefined;
    } catch (error) {
      if (error instanceof VerificationError) return refusalResponse(error);
      throw error;
    }
  };
}
