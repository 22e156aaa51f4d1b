import type { IncomingHttpHeaders } from 'node:http';
import { ISSUER_PATH } from '@keywright/contract/issuer-routes';
import { type Route, isTenantInRequest } from '@keywright/contract/route';
import { BY_TENANT, BY_TENANT_AND_ORIGIN } from '../platform/http/answer.ts';
import type { Cacheable } from '../platform/http/replies.ts';
import type { StoredRoute } from '../platform/http/stored-responses.ts';
import { originHeaders } from './cors.ts';
import type { TenantDirectory } from './directory.ts';
import { findTenant } from './resolve.ts';
import type { Tenant } from './tenant.ts';

/** Returns the response for a tenant if it is in memory and still valid. Never throws. */
export type FindStored = (tenant: Tenant) => Cacheable<unknown> | undefined;

/** Routes whose responses depend only on the tenant and are usually in memory. */
export class StoredRoutes {
  readonly #directory: TenantDirectory;
  readonly #routes = new Map<string, { readonly route: Route; readonly find: FindStored }>();

  constructor(directory: TenantDirectory) {
    this.#directory = directory;
  }

  add(route: Route, find: FindStored): void {
    this.#routes.set(route.path, { route, find });
  }

  /** Returns the route at a URL without a query. */
  at(url: string): StoredRoute | undefined {
    // Looking a URL up hashes all of it, and that of a login page has a long query.
    if (url.includes('?')) return undefined;
    const { path, params } = splitPath(url);
    const stored = this.#routes.get(path);
    if (!stored) return undefined;
    const { route, find } = stored;
    return {
      routeId: route.id,
      find: (headers, peer) => {
        // The next nonce is part of the response to a DPoP proof.
        if (headers.dpop !== undefined) return undefined;
        const request = { headers, peer, params };
        const tenant = findTenant(this.#directory.cached, request, route.tenant);
        const answer = tenant?.isActive ? find(tenant) : undefined;
        if (!tenant || !answer) return undefined;
        return { tenantId: tenant.id, answer, headers: headersOf(route, tenant, headers) };
      },
    };
  }
}

function headersOf(route: Route, tenant: Tenant, requested: IncomingHttpHeaders) {
  const cors = originHeaders(route, tenant, requested);
  if (!isTenantInRequest(route)) return cors;
  return { ...cors, vary: 'vary' in cors ? BY_TENANT_AND_ORIGIN : BY_TENANT };
}

const ISSUER_START = '/t/';

/** Separates the tenant from the path of an issuer's route. */
function splitPath(url: string) {
  const at = url.indexOf(ISSUER_START);
  if (at < 0) return { path: url, params: {} };
  const start = at + ISSUER_START.length;
  const slash = url.indexOf('/', start);
  const end = slash < 0 ? url.length : slash;
  return {
    path: `${url.slice(0, at)}${ISSUER_PATH}${url.slice(end)}`,
    params: { tenant_id: url.slice(start, end) },
  };
}
