import type { ConsentRecord } from '@keywright/contract/records/consent';
import type { ConsentRow } from './store.ts';

export function presentConsent(row: ConsentRow): ConsentRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    client_id: row.client_id,
    client_name: row.client_name,
    scopes: row.scopes,
    resources: row.resources,
    authorization_details: row.authorization_details as ConsentRecord['authorization_details'],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
