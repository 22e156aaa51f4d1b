import { refusalAnswer, VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import { metadataAnswer } from '../resource/metadata.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestVerifier } from '../verifier/verifier.ts';
import { type IncomingRequest, pathOf, proofOf } from './authenticated.ts';

/** The state that `requireToken` sets: with `new Koa<KeywrightState>()`, `ctx.state.auth` is typed. */
export interface KeywrightState<Custom extends object = Record<never, never>> {
  auth: AccessTokenClaims & Custom;
}

/** The part of a Koa context that concerns tokens. */
export interface Context {
  readonly headers: IncomingRequest['headers'];
  readonly method: string;
  readonly originalUrl: string;
  readonly state: object;
  status: number;
  body: unknown;
  set(fields: { [name: string]: string }): void;
}

type Middleware = (context: Context, next: () => Promise<unknown>) => Promise<void>;

/** Responds to a rejected request. */
export function sendRefusal(context: Context, refusal: VerificationError): void {
  const { status, headers, body } = refusalAnswer(refusal);
  context.status = status;
  context.set({ ...headers });
  context.body = JSON.stringify(body);
}

/**
 * Middleware that accepts requests with a valid token that meets the requirements, and stores its claims in
 * `ctx.state.auth`. Other requests get 401, 403 or 503.
 */
export function requireToken(
  verifier: RequestVerifier,
  requirement: RequestRequirement = {},
): Middleware {
  return async (context, next) => {
    try {
      const { authorization } = context.headers;
      const auth = await verifier.authenticate(authorization, requirement, proofOf(context));
      Object.assign<object, KeywrightState>(context.state, { auth });
    } catch (error) {
      if (error instanceof VerificationError) return sendRefusal(context, error);
      throw error;
    }
    await next();
  };
}

/** Middleware to install before all others: responds to a `VerificationError` thrown by a handler. */
export function answerRefusals(): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      sendRefusal(context, error);
    }
  };
}

/** Middleware that serves the metadata of a protected resource at its URL, and passes on all other requests. */
export function serveMetadata(resource: ProtectedResource): Middleware {
  return async (context, next) => {
    if (pathOf(context) !== resource.metadataPath) {
      await next();
      return;
    }
    const { status, headers, body } = metadataAnswer(resource, context.method);
    context.status = status;
    context.set({ ...headers });
    context.body = body;
  };
}

/**
 * Returns the claims of an authenticated request.
 *
 * @throws Error if no verifier protects the route
 */
export function claimsOf<Custom extends object = Record<never, never>>(
  context: Pick<Context, 'state'>,
): AccessTokenClaims & Custom {
  const { auth } = context.state as Partial<KeywrightState<Custom>>;
  if (auth === undefined) {
    throw new Error('No token was verified for this request: requireToken must run first.');
  }
  return auth;
}
