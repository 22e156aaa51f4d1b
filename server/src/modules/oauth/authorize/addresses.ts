import type { Fail } from '@keywright/contract/errors';
import { continueAuthorization } from '@keywright/contract/routes/authorize';
import { returnFromProvider } from '@keywright/contract/routes/login-returns';
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

/** Where the browser comes back to from an identity provider. */
export function returnedAddress(tenant: Tenant, request: string): URL {
  const address = new URL(pathAtIssuer(tenant, returnFromProvider.path), tenant.issuer);
  address.searchParams.set('request', request);
  return address;
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
