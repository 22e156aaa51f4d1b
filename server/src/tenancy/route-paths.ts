import { AppError } from '@keywright/contract/errors';
import { type Route, isPage } from '@keywright/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from '../platform/http/failures.ts';
import { type Preflight, allowPreflight, readPreflight } from './cors.ts';
import type { TenantDirectory } from './directory.ts';
import { findTenant } from './resolve.ts';

interface RoutePath {
  readonly segments: readonly string[];
  readonly routes: Route[];
}

/** The routes of the contract by path, to recognize requests with unsupported methods. */
export class RoutePaths {
  readonly #paths = new Map<string, RoutePath>();

  add(route: Route): void {
    const path = this.#paths.get(route.path) ?? { segments: route.path.split('/'), routes: [] };
    path.routes.push(route);
    this.#paths.set(route.path, path);
  }

  /**
   * Returns all routes that a request target matches: `/apikeys/report` is itself a path, and also matches a key's
   * path.
   */
  routesAt(url: string): Route[] {
    const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
    const segments = path.split('/');
    return [...this.#paths.values()]
      .filter((candidate) => matches(candidate, segments))
      .flatMap(({ routes }) => routes);
  }
}

function matches({ segments }: RoutePath, requested: readonly string[]): boolean {
  return (
    segments.length === requested.length &&
    segments.every((segment, index) =>
      segment.startsWith(':') ? requested[index] !== '' : segment === requested[index],
    )
  );
}

/** Returns the methods for the `Allow` header (RFC 9110 §10.2.1). */
export function methodsOf(routes: readonly Route[]): string[] {
  const methods = new Set<string>();
  for (const { method } of routes) {
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods];
}

/** Responds to requests that match no route: preflights, and unsupported methods with a list of the supported ones. */
export function answerUnmatched(
  server: FastifyInstance,
  paths: RoutePaths,
  directory: TenantDirectory,
): void {
  server.setNotFoundHandler(async (request, reply) => {
    const routes = paths.routesAt(request.url);
    if (routes.length === 0) return sendFailure(request, reply, new AppError('ROUTE_NOT_FOUND'));
    const methods = methodsOf(routes);
    reply.header('allow', methods.join(', '));
    if (request.method !== 'OPTIONS') {
      const detail = `This path does not support ${request.method}. It supports: ${methods.join(', ')}.`;
      const failure = new AppError('METHOD_NOT_ALLOWED', { detail });
      return sendFailure(request, reply, failure, routes[0]?.errorForm);
    }
    const preflight = readPreflight(request);
    const readable = routes.filter((candidate) => !isPage(candidate));
    if (preflight && readable.length > 0) {
      const isOpen = readable.some(
        (route) => allowsAnyOrigin(route) && methodsOf([route]).includes(preflight.method),
      );
      const preflightRequest = { preflight, isOpen, methods: methodsOf(readable) };
      await answerPreflight(request, reply, preflightRequest, directory);
    }
    return reply.code(200).send();
  });
}

/**
 * Whether any origin can send the request. An issuer's address identifies its tenant, so the response has the
 * tenant's allowed origins, as with X-Tenant-ID.
 */
function allowsAnyOrigin({ cors, tenant }: Route): boolean {
  return cors === 'any' || tenant === 'path';
}

interface PreflightRequest {
  readonly preflight: Preflight;
  /** Any origin can send the request. */
  readonly isOpen: boolean;
  readonly methods: readonly string[];
}

/**
 * Allows a preflight that announces X-Tenant-ID for every origin, since it does not contain the tenant. The tenant of
 * the request itself decides whether the page can read the response. Otherwise preflights would reveal which origins
 * some tenant allows.
 */
async function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { preflight: { origin, namesTenant }, isOpen, methods }: PreflightRequest,
  directory: TenantDirectory,
): Promise<void> {
  reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  if (isOpen || namesTenant) return allowPreflight(reply, '*', methods);
  const tenant = await findTenant(directory, request);
  if (tenant?.config.allowed_origins.includes(origin)) allowPreflight(reply, origin, methods);
}
