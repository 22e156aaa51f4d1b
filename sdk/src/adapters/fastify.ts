import { refusalAnswer, VerificationError } from '../errors.ts';
import { metadataAnswer } from '../resource/metadata.ts';
import type { ProtectedResource } from '../resource/protected-resource.ts';
import type { RequestRequirement } from '../verifier/requirements.ts';
import type { RequestVerifier } from '../verifier/verifier.ts';
import { type Authenticated, type IncomingRequest, proofOf } from './authenticated.ts';

export { claimsOf } from './authenticated.ts';

/** The part of a Fastify reply that a rejection needs. */
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

/** The part of a Fastify instance that the plugin needs. */
export interface Instance {
  hasRequestDecorator(name: string): boolean;
  decorateRequest(name: string, value: null): unknown;
  addHook(name: 'onRequest', hook: RequestHook): unknown;
}

/** Responds to a rejected request. */
export function sendRefusal(reply: Reply, refusal: VerificationError): Reply {
  const { status, headers, body } = refusalAnswer(refusal);
  return reply.code(status).headers(headers).send(body);
}

/**
 * A hook, preferably `onRequest`, that accepts requests with a valid token that meets the requirements, and stores its
 * claims in `request.auth`, which `claimsOf(request)` returns. Other requests get 401, 403 or 503.
 */
export function requireToken<Incoming extends IncomingRequest = IncomingRequest>(
  verifier: RequestVerifier,
  requirement: RequestRequirement = {},
): RequestHook<Incoming> {
  return async (request, reply) => {
    try {
      const { authorization } = request.headers;
      const claims = await verifier.authenticate(authorization, requirement, proofOf(request));
      Object.assign<Incoming, Authenticated>(request, { auth: claims });
      return undefined;
    } catch (error) {
      if (error instanceof VerificationError) return sendRefusal(reply, error);
      throw error;
    }
  };
}

/** Options of the plugin: a verifier, and the requirements of every route. */
export interface PluginOptions extends RequestRequirement {
  readonly verifier: RequestVerifier;
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

/** The part of a Fastify instance that serves the metadata of a resource. */
export interface RoutingInstance {
  route(options: {
    method: ['GET', 'OPTIONS'];
    url: string;
    handler: (request: { readonly method: string }, reply: Reply) => Reply;
  }): unknown;
}

/**
 * A plugin that serves the metadata of a protected resource at its URL, outside the scopes that require a token:
 * `app.register(serveMetadata, { resource })`.
 */
export function serveMetadata(
  app: RoutingInstance,
  { resource }: { readonly resource: ProtectedResource },
  done: () => void,
): void {
  app.route({
    method: ['GET', 'OPTIONS'],
    url: resource.metadataPath,
    handler: (request, reply) => {
      const { status, headers, body } = metadataAnswer(resource, request.method);
      return reply
        .code(status)
        .headers({ ...headers })
        .send(body);
    },
  });
  done();
}

// Without this, Fastify would limit the hook to the plugin's own scope, which has no routes.
Object.assign(keywright, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@keywright/sdk',
});
