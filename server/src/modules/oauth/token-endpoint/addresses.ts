import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';

/** The token endpoint of a tenant: its own address for clients that name the tenant nowhere else, and further ones. */
export function addressesOf(tenantId: string, baseUrl: string) {
  const shared = `${baseUrl}${issueToken.path}`;
  const own = `${baseUrl}${issueTokenByIssuer.path.replace(':tenant_id', tenantId)}`;
  const tokenEndpoint = tenantId === DEFAULT_TENANT ? shared : own;
  return { tokenEndpoint, tokenEndpoints: [shared, own] };
}
