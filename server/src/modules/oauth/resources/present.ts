import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { ResourceRow } from './store.ts';

export function presentResource(row: ResourceRow): OAuthResourceRecord {
  const scopes = row.scopes as OAuthResourceRecord['scopes'];
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    uri: row.uri,
    name: row.name,
    scopes: scopes.map(({ name, description, requires }) => ({
      name,
      description,
      requires: requires ?? null,
    })),
    token_ttl: row.token_ttl,
    access_token_signing_alg:
      row.access_token_signing_alg as OAuthResourceRecord['access_token_signing_alg'],
    access_token_typ: row.access_token_typ as OAuthResourceRecord['access_token_typ'],
    dpop_required: row.dpop_required,
    served_by: row.served_by as OAuthResourceRecord['served_by'],
    authorization_details_types:
      row.authorization_details_types as OAuthResourceRecord['authorization_details_types'],
    created_at: row.created_at.toISOString(),
  };
}
