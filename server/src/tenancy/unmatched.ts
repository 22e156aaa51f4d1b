import { AppError } from '@keywright/contract/errors';
import { isPage, type Route } from '@keywright/contract/route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFailure } from '../platform/http/failures.ts';
import { allowPreflight, type Preflight, readPreflight } from './cors.ts';
import type { TenantDirectory } from './directory.ts';
import { type KnownPaths, methodsOf } from './known-paths.ts';
import { findTenant } from './resolve.ts';

/** Answers what no route is for: preflights, and methods that a path does not take, which are told what it takes. */
export function answerUnmatched(
  server: FastifyInstance,
  paths: KnownPaths,
  directory: TenantDirectory,
): void {
  server.setNotFoundHandler(async (request, reply) => {
    const routes = paths.routesAt(request.url);
    if (routes.length === 0) return sendFailure(request, reply, new AppError('ROUTE_NOT_FOUND'));
    const methods = methodsOf(routes);
    reply.header('allow', methods.join(', '));
    if (request.method !== 'OPTIONS') {
      const detail = `This path does not take ${request.method}. It takes: ${methods.join(', ')}.`;
      return sendFailure(request, reply, new AppError('ROUTE_NOT_FOUND', { detail }));
    }
    const preflight = readPreflight(request);
    const readable = routes.filter((one) => !isPage(one));
    if (preflight && readable.length > 0) {
      const isOpen = readable.some(
        (one) => mayAskAnywhere(one) && methodsOf([one]).includes(preflight.method),
      );
      const asked = { preflight, isOpen, methods: methodsOf(readable) };
      await answerPreflight(request, reply, asked, directory);
    }
    return reply.code(200).send();
  });
}

/** The address of an issuer names its tenant, whose origins are told by the answer, as they are after X-Tenant-ID. */
function mayAskAnywhere({ cors, tenant }: Route): boolean {
  return cors === 'any' || tenant === 'path';
}

interface Asked {
  readonly preflight: Preflight;
  /** Any origin may send the request. */
  readonly isOpen: boolean;
  readonly methods: readonly string[];
}

/**
 * A preflight that announces X-Tenant-ID is let pass for every origin alike, since which tenant is meant is not in it:
 * whether the page reads anything is decided by the tenant with the request itself. Anything else would tell a stranger
 * which origins some tenant has.
 */
async function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  { preflight: { origin, namesTenant }, isOpen, methods }: Asked,
  directory: TenantDirectory,
): Promise<void> {
  reply.header('vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  if (isOpen || namesTenant) return allowPreflight(reply, '*', methods);
  const tenant = await findTenant(directory, request);
  if (tenant?.config.allowed_origins.includes(origin)) allowPreflight(reply, origin, methods);
}
