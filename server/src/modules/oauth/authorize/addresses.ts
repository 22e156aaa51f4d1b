import type { Fail } from '@keywright/contract/errors';
import { continueAuthorization } from '@keywright/contract/routes/authorize';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** Where a login goes on, at the address of the issuer. */
export function continuePath(tenant: Tenant, request: string): `/${string}` {
  return `${pathAtIssuer(tenant, continueAuthorization.path)}?request=${request}`;
}

/** Where a path of the host is at the address of the issuer. */
export function pathAtIssuer({ issuer }: Tenant, path: string): `/${string}` {
  const { pathname } = new URL(issuer);
  const base = pathname === '/' ? '' : pathname;
  return `/${`${base}${path}`.slice(1)}`;
}

/**
 * A login has one address, that of the issuer: a cookie or a password of another origin would be one that the tenant does
 * not control. @throws AppError ISSUER_ELSEWHERE
 */
export function requireIssuer(
  { issuer }: Tenant,
  { host, params }: { readonly host: string; readonly params: object },
  fail: Fail<'ISSUER_ELSEWHERE'>,
): void {
  const own = new URL(issuer);
  const tenantId = 'tenant_id' in params ? String(params.tenant_id) : undefined;
  const path = tenantId === undefined ? '/' : `/t/${tenantId}`;
  const isThere = own.pathname === path && [own.host, own.hostname].includes(host);
  if (!isThere) fail('ISSUER_ELSEWHERE');
}
