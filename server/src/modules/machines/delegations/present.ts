import type { DelegationRecord } from '@keywright/contract/records/delegation';
import type { DelegationRow } from './store.ts';

export function presentDelegation(row: DelegationRow, now: Date): DelegationRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    scopes: row.scopes,
    is_active: row.expires_at > now,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
