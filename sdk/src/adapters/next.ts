// For Next.js: `protect` for route handlers, `requireToken` for `proxy.ts` (`middleware.ts` before Next.js 16).

import { VerificationError } from '../errors.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestWithHeaders, RequestVerifier } from '../verifier/verifier.ts';
import { metadataResponse, refusalResponse } from './fetch.ts';

export { protect, refusalResponse } from './fetch.ts';

/**
 * A check for the proxy of Next.js that returns the response to a rejected request, or undefined for an accepted one.
 * It decides by path only, so also protect route handlers that rely on claims with `protect`.
 */
export function requireToken(
  verifier: RequestVerifier,
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

/** A handler for requests. */
type Handler = (request: Pick<Request, 'method' | 'url'>) => Response;

/**
 * A route that serves the metadata of a protected resource, for
 * `app/.well-known/oauth-protected-resource/[[...path]]/route.js`.
 */
export function metadataRoute(resource: ProtectedResource): Record<'GET' | 'OPTIONS', Handler> {
  const handle: Handler = (request) =>
    metadataResponse(resource, request) ?? new Response(null, { status: 404 });
  return { GET: handle, OPTIONS: handle };
}
