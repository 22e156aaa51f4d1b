import type { Fail } from '@keywright/contract/errors';
import { continueAuthorization } from '@keywright/contract/routes/authorize';
import { returnFromProvider } from '@keywright/contract/routes/login-returns';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** URL of the page on which a login continues, at the issuer. */
export function continuePath(tenant: Tenant, request: string): `/${string}` {
  return `${pathAtIssuer(tenant, continueAuthorization.path)}?request=${request}`;
}

/** The path at the issuer for a path of the host. */
export function pathAtIssuer({ issuer }: Tenant, path: string): `/${string}` {
  const { pathname } = new URL(issuer);
  const base = pathname === '/' ? '' : pathname;
  return `/${`${base}${path}`.slice(1)}`;
}

/** Where the browser returns to from an identity provider. */
export function returnedAddress(tenant: Tenant, request: string): URL {
  const address = new URL(pathAtIssuer(tenant, returnFromProvider.path), tenant.issuer);
  address.searchParams.set('request', request);
  return address;
}

/**
 * Logins are only at the origin of the issuer: cookies and passwords of another origin would be outside the tenant's
 * control.
 * @throws AppError ISSUER_ELSEWHERE
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
