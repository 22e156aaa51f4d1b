import { refusalAnswer, VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { Verifier } from '../verifier/verifier.ts';

/** What `requireToken` sets: `new Koa<KeywrightState>()` knows of `ctx.state.auth`. */
export interface KeywrightState<Custom extends object = Record<never, never>> {
  auth: AccessTokenClaims & Custom;
}

/** A context of Koa, as far as a token is concerned. */
export interface Context {
  readonly headers: { readonly authorization?: string | undefined };
  readonly state: object;
  status: number;
  body: unknown;
  set(fields: { [name: string]: string }): void;
}

type Middleware = (context: Context, next: () => Promise<unknown>) => Promise<void>;

/** Answers a request that is refused. */
export function sendRefusal(context: Context, refusal: VerificationError): void {
  const { status, headers, body } = refusalAnswer(refusal);
  context.status = status;
  context.set({ ...headers });
  context.body = JSON.stringify(body);
}

/**
 * Middleware that lets in requests with a good token that holds what is required, and puts its claims into
 * `ctx.state.auth`. Every other request is answered 401, 403 or 503.
 */
export function requireToken(verifier: Verifier, requirement: RequestRequirement = {}): Middleware {
  return async (context, next) => {
    try {
      const auth = await verifier.authenticate(context.headers.authorization, requirement);
      Object.assign<object, KeywrightState>(context.state, { auth });
    } catch (error) {
      if (error instanceof VerificationError) return sendRefusal(context, error);
      throw error;
    }
    await next();
  };
}

/** Middleware, in front of all others: answers a `VerificationError` that a handler throws. */
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

/**
 * The claims of a request that was let in.
 *
 * @throws Error when nothing verified a token for it: the route is not protected
 */
export function claimsOf<Custom extends object = Record<never, never>>(
  context: Pick<Context, 'state'>,
): AccessTokenClaims & Custom {
  const { auth } = context.state as Partial<KeywrightState<Custom>>;
  if (auth === undefined) {
    throw new Error('No token was verified for this request: requireToken has to come first.');
  }
  return auth;
}
