import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { ProviderRow, ProviderSettings } from './store.ts';

export function presentProvider(row: ProviderRow): IdentityProviderRecord {
  const { issuer, scopes } = row.settings as unknown as ProviderSettings;
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    type: row.type as IdentityProviderRecord['type'],
    name: row.name,
    issuer,
    client_id: row.client_id,
    has_client_secret: row.client_secret !== null,
    scopes: [...scopes],
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}
