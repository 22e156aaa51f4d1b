import type { ApiKeyRecord } from '@keywright/contract/records/api-key';
import type { ApiKeyRow } from './store.ts';

export function presentApiKey(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    agent_id: row.agent_id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    allowed_ips: row.allowed_ips,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    revoke_reason: row.revoke_reason,
    successor_id: row.successor_id,
  };
}
