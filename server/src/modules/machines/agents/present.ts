import type { AgentRecord } from '@keywright/contract/records/agent';
import type { AgentRow } from './store.ts';

export function presentAgent(row: AgentRow): AgentRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    workspace_id: row.workspace_id,
    name: row.name,
    description: row.description,
    scopes: row.scopes,
    owner_id: row.owner_id,
    jwks: row.jwks as AgentRecord['jwks'],
    trusts: row.trusts as AgentRecord['trusts'],
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}
