// For Express, Connect, and other frameworks with (request, response, next).

import { refusalAnswer, VerificationError } from '../errors.ts';
import { metadataAnswer } from '../resource/metadata.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestVerifier } from '../verifier/verifier.ts';
import { type Authenticated, type IncomingRequest, pathOf, proofOf } from './authenticated.ts';

export { claimsOf } from './authenticated.ts';

/** The part of a Node.js response that a rejection needs. */
export interface OutgoingResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** Responds to a rejected request. */
export function sendRefusal(response: OutgoingResponse, refusal: VerificationError): void {
  const { status, headers, body } = refusalAnswer(refusal);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(JSON.stringify(body));
}

/**
 * Middleware that accepts requests with a valid token that meets the requirements, and stores its claims in
 * `request.auth`, which `claimsOf(request)` returns. Other requests get 401, 403 or 503.
 */
export function requireToken<Incoming extends IncomingRequest = IncomingRequest>(
  verifier: RequestVerifier,
  requirement: RequestRequirement = {},
): (
  request: Incoming,
  response: OutgoingResponse,
  next: (error?: unknown) => void,
) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { authorization } = request.headers;
      const claims = await verifier.authenticate(authorization, requirement, proofOf(request));
      Object.assign<Incoming, Authenticated>(request, { auth: claims });
    } catch (error) {
      if (error instanceof VerificationError) return sendRefusal(response, error);
      return next(error);
    }
    next();
  };
}

/** Error middleware that responds to a `VerificationError` thrown by a handler, and passes on all other errors. */
export function answerRefusals(): (
  error: unknown,
  request: IncomingRequest,
  response: OutgoingResponse,
  next: (error?: unknown) => void,
) => void {
  return (error, _request, response, next) => {
    if (error instanceof VerificationError) sendRefusal(response, error);
    else next(error);
  };
}

/** Middleware that serves the metadata of a protected resource at its URL, and passes on all other requests. */
export function serveMetadata(
  resource: ProtectedResource,
): (request: IncomingRequest, response: OutgoingResponse, next: () => void) => void {
  return (request, response, next) => {
    if (pathOf(request) !== resource.metadataPath) return next();
    const { status, headers, body } = metadataAnswer(resource, request.method ?? '');
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(body);
  };
}
