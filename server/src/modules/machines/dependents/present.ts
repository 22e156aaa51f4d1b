import { EXACT_TOTAL } from '@keywright/contract/list';
import type { TenantId } from '@keywright/contract/ids';
import type { UserDependents } from '@keywright/contract/records/dependents';
import type { AgentRow, ApiKeyRow, DelegationRow, Part, SessionRow } from './store.ts';

function presentPart<Row, Item>({ rows, counted }: Part<Row>, present: (row: Row) => Item) {
  return {
    total: Math.min(counted, EXACT_TOTAL),
    ...(counted > EXACT_TOTAL ? { total_is_estimate: true as const } : {}),
    items: rows.map(present),
  };
}

export function presentSessions(
  tenantId: TenantId,
  part: Part<SessionRow>,
): UserDependents['sessions'] {
  return presentPart(part, (row) => ({
    id: row.id,
    tenant_id: tenantId,
    workspace_id: row.workspace_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

export function presentAgents(tenantId: TenantId, part: Part<AgentRow>): UserDependents['agents'] {
  return presentPart(part, (row) => ({
    id: row.id,
    tenant_id: tenantId,
    workspace_id: row.workspace_id,
    name: row.name,
    is_active: row.is_active,
    api_keys: row.api_keys,
    created_at: row.created_at.toISOString(),
  }));
}

export function presentKeys(tenantId: TenantId, part: Part<ApiKeyRow>): UserDependents['api_keys'] {
  return presentPart(part, (row) => ({
    id: row.id,
    tenant_id: tenantId,
    agent_id: row.agent_id,
    name: row.name,
    prefix: row.prefix,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

export function presentDelegations(
  tenantId: TenantId,
  part: Part<DelegationRow>,
): UserDependents['delegations'] {
  return presentPart(part, (row) => ({
    id: row.id,
    tenant_id: tenantId,
    user_id: row.user_id,
    agent_id: row.agent_id,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}
