// For runtimes with the Fetch API: Deno, Bun, edge runtimes, service workers, Next.js routes.

import { refusalAnswer, VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import { metadataAnswer } from '../resource/metadata.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestWithHeaders, RequestVerifier } from '../verifier/verifier.ts';

/** The response to a rejected request, as a `Response`. */
export function refusalResponse(refusal: VerificationError): Response {
  const { status, headers, body } = refusalAnswer(refusal);
  return new Response(JSON.stringify(body), { status, headers });
}

/**
 * Protects a handler, which receives requests with a valid token. The claims of the token precede the runtime's other
 * arguments. Other requests get 401, 403 or 503, as do requests whose handler throws a `VerificationError`.
 */
export function protect<
  Custom extends object,
  Incoming extends RequestWithHeaders = Request,
  Rest extends readonly unknown[] = [],
>(
  verifier: RequestVerifier<Custom>,
  requirement: RequestRequirement,
  handler: (
    request: Incoming,
    claims: AccessTokenClaims & Custom,
    ...rest: Rest
  ) => Response | Promise<Response>,
): (request: Incoming, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) => {
    try {
      const claims = await verifier.authenticateRequest(request, requirement);
      return await handler(request, claims, ...rest);
    } catch (error) {
      if (error instanceof VerificationError) return refusalResponse(error);
      throw error;
    }
  };
}

/** The response to a request for the metadata of a protected resource, or undefined for any other request. */
export function metadataResponse(
  resource: ProtectedResource,
  { method, url }: Pick<Request, 'method' | 'url'>,
): Response | undefined {
  if (new URL(url).pathname !== resource.metadataPath) return undefined;
  const { status, headers, body } = metadataAnswer(resource, method);
  return new Response(body === '' || method === 'HEAD' ? null : body, { status, headers });
}
