import { DEFAULT_TENANT } from '@keywright/contract/ids';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';

/** Where a tenant's token endpoint is for a client that names the tenant nowhere else, and wherever else it is. */
export function addressesOf(tenantId: string, baseUrl: string) {
  const shared = `${baseUrl}${issueToken.path}`;
  const own = `${baseUrl}${issueTokenByIssuer.path.replace(':tenant_id', tenantId)}`;
  const tokenEndpoint = tenantId === DEFAULT_TENANT ? shared : own;
  return { tokenEndpoint, tokenEndpoints: [shared, own] };
}
