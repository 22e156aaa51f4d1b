import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { DEVICE_AUTHORIZATION_ROUTES } from '@keywright/contract/routes/device';
import { INTROSPECTION_ROUTES } from '@keywright/contract/routes/introspection';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** The token endpoint of a tenant: its own address for clients that name the tenant nowhere else, and further ones. */
export function addressesOf(tenantId: string, baseUrl: string) {
  const shared = `${baseUrl}${issueToken.path}`;
  const own = addressIn(tenantId, baseUrl, issueTokenByIssuer);
  const tokenEndpoint = tenantId === DEFAULT_TENANT ? shared : own;
  return { tokenEndpoint, tokenEndpoints: [shared, own] };
}

/** What assertions of clients may be for: the tenant, by its issuer or by an endpoint where clients authenticate. */
export function audiencesOf({ id, issuer }: Tenant, baseUrl: string): readonly string[] {
  const others = [
    ...REVOCATION_ROUTES,
    ...INTROSPECTION_ROUTES,
    ...PUSHED_REQUEST_ROUTES,
    ...CHALLENGE_ROUTES,
    ...DEVICE_AUTHORIZATION_ROUTES,
  ];
  return [
    issuer,
    ...addressesOf(id, baseUrl).tokenEndpoints,
    ...others.map((route) => addressIn(id, baseUrl, route)),
  ];
}

function addressIn(tenantId: string, baseUrl: string, { path }: { readonly path: string }): string {
  return `${baseUrl}${path.replace(':tenant_id', tenantId)}`;
}
