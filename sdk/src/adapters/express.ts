// For Express, Connect, and whatever else hands (request, response, next) from one to the next.

import { refusalAnswer, VerificationError } from '../errors.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { Verifier } from '../verifier/verifier.ts';
import type { Authenticated, IncomingRequest } from './authenticated.ts';

export { claimsOf } from './authenticated.ts';

/** A response of Node.js, as far as a refusal is concerned. */
export interface OutgoingResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** Answers a request that is refused. */
export function sendRefusal(response: OutgoingResponse, refusal: VerificationError): void {
  const { status, headers, body } = refusalAnswer(refusal);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(JSON.stringify(body));
}

/**
 * Middleware that lets in requests with a good token that holds what is required, and puts its claims into
 * `request.auth`, which `claimsOf(request)` reads. Every other request is answered 401, 403 or 503.
 */
export function requireToken<Incoming extends IncomingRequest = IncomingRequest>(
  verifier: Verifier,
  requirement: RequestRequirement = {},
): (
  request: Incoming,
  response: OutgoingResponse,
  next: (error?: unknown) => void,
) => Promise<void> {
  return async (request, response, next) => {
    try {
      const claims = await verifier.authenticate(request.headers.authorization, requirement);
      Object.assign<Incoming, Authenticated>(request, { auth: claims });
    } catch (error) {
      if (error instanceof VerificationError) return sendRefusal(response, error);
      return next(error);
    }
    next();
  };
}

/** Error middleware: answers a `VerificationError` that a handler threw, and passes on everything else. */
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
