import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { callbackUrlOf } from '../upstream/index.ts';
import { providerOf, type ProviderRow } from './store.ts';

export function presentProvider(row: ProviderRow, baseUrl: string): IdentityProviderRecord {
  const { settings, ...provider } = providerOf(row);
  return {
    id: provider.id,
    tenant_id: provider.tenantId,
    type: provider.type,
    name: provider.name,
    client_id: provider.clientId,
    has_client_secret: provider.clientSecret !== null,
    ...settings,
    callback_url: callbackUrlOf(baseUrl, provider),
    is_active: row.is_active,
    tested_at: row.tested_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
