import type { Fail } from '@keywright/contract/errors';
import type { Tenant } from './tenant.ts';

/** Returns the issuer's path for a path of the host. */
export function pathAtIssuer({ issuer }: Tenant, path: string): `/${string}` {
  const { pathname } = new URL(issuer);
  const base = pathname === '/' ? '' : pathname;
  return `/${`${base}${path}`.slice(1)}`;
}

/**
 * Requires a login to be at the issuer's origin: cookies and passwords of another origin would be outside the tenant's
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
