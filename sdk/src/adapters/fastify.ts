import { refusalAnswer, VerificationError } from '../errors.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { Verifier } from '../verifier/verifier.ts';
import type { Authenticated, IncomingRequest } from './authenticated.ts';

export { claimsOf } from './authenticated.ts';

/** A reply of Fastify, as far as a refusal is concerned. */
export interface Reply {
  code(status: number): this;
  headers(headers: Record<string, string>): this;
  send(body: unknown): this;
}

/** A hook for requests. */
type RequestHook<Incoming extends IncomingRequest = IncomingRequest> = (
  request: Incoming,
  reply: Reply,
) => Promise<unknown>;

/** An instance of Fastify, as far as the plugin is concerned. */
export interface Instance {
  hasRequestDecorator(name: string): boolean;
  decorateRequest(name: string, value: null): unknown;
  addHook(name: 'onRequest', hook: RequestHook): unknown;
}

/** Answers a request that is refused. */
export function sendRefusal(reply: Reply, refusal: VerificationError): Reply {
  const { status, headers, body } = refusalAnswer(refusal);
  return reply.code(status).headers(headers).send(body);
}

/**
 * A hook, best as `onRequest`, that lets in requests with a good token that holds what is required, and puts
 * its claims into `request.auth`, which `claimsOf(request)` reads. Every other request is answered 401, 403
 * or 503.
 */
export function requireToken<Incoming extends IncomingRequest = IncomingRequest>(
  verifier: Verifier,
  requirement: RequestRequirement = {},
): RequestHook<Incoming> {
  return async (request, reply) => {
    try {
      const claims = await verifier.authenticate(request.headers.authorization, requirement);
      Object.assign<Incoming, Authenticated>(request, { auth: claims });
      return undefined;
    } catch (error) {
      if (error instanceof VerificationError) return sendRefusal(reply, error);
      throw error;
    }
  };
}

/** What the plugin takes: a verifier, and what every route asks for. */
export interface PluginOptions extends RequestRequirement {
  readonly verifier: Verifier;
}

/**
 * A plugin that protects every route of the scope it is registered in:
 * `app.register(keywright, { verifier, scopes: 'read:reports' })`.
 */
export function keywright(app: Instance, options: PluginOptions, done: () => void): void {
  const { verifier, ...requirement } = options;
  if (!app.hasRequestDecorator('auth')) app.decorateRequest('auth', null);
  app.addHook('onRequest', requireToken(verifier, requirement));
  done();
}

// Without this, Fastify would keep the hook to a scope of the plugin's own, where there are no routes.
Object.assign(keywright, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@keywright/sdk',
});
