import type { AgentId, UserId, TenantId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import type {
  AgentDependents,
  UserDisabled,
  UserDependents,
} from '@keywright/contract/records/dependents';
import type { TenantTx } from '../../../tenancy/gate.ts';
import {
  findIsActive,
  findLiveDelegations,
  findLiveSessions,
  findOwnedAgents,
  findUsableKeys,
  type DependentsOf,
  type AgentRow,
  type ApiKeyRow,
  type DelegationRow,
  type Part,
  type SessionRow,
} from './dependents-store.ts';

/** The dependents of a user; undefined if the user is unknown. */
export async function findUserDependents(
  tx: TenantTx,
  userId: UserId,
  now: Date,
): Promise<UserDependents | undefined> {
  const isActive = await findIsActive(tx, { userId });
  if (isActive === undefined) return undefined;
  const parts = await partsOfUser(tx, userId, false, now);
  return { user_id: userId, tenant_id: tx.tenantId, is_active: isActive, ...parts };
}

/** The dependents of an agent; undefined if the agent is unknown. */
export async function findAgentDependents(
  tx: TenantTx,
  agentId: AgentId,
  now: Date,
): Promise<AgentDependents | undefined> {
  const isActive = await findIsActive(tx, { agentId });
  if (isActive === undefined) return undefined;
  const parts = await partsOfAgents(tx, { agentId }, now);
  return { agent_id: agentId, tenant_id: tx.tenantId, is_active: isActive, ...parts };
}

/** @param activeOnly whether inactive agents are left out */
export async function partsOfUser(
  tx: TenantTx,
  userId: UserId,
  activeOnly: boolean,
  now: Date,
): Promise<UserDisabled['ended']> {
  const sessions = await findLiveSessions(tx, userId, now);
  const agents = await findOwnedAgents(tx, userId, activeOnly, now);
  return {
    sessions: presentSessions(tx.tenantId, sessions),
    agents: presentAgents(tx.tenantId, agents),
    ...(await partsOfAgents(tx, { userId }, now)),
  };
}

async function partsOfAgents(tx: TenantTx, holder: DependentsOf, now: Date) {
  const keys = await findUsableKeys(tx, holder, now);
  const delegations = await findLiveDelegations(tx, holder, now);
  return {
    api_keys: presentKeys(tx.tenantId, keys),
    delegations: presentDelegations(tx.tenantId, delegations),
  };
}

function presentPart<Row, Item>({ rows, counted }: Part<Row>, present: (row: Row) => Item) {
  return {
    total: Math.min(counted, EXACT_TOTAL),
    ...(counted > EXACT_TOTAL ? { total_is_estimate: true as const } : {}),
    items: rows.map(present),
  };
}

function presentSessions(tenantId: TenantId, part: Part<SessionRow>): UserDependents['sessions'] {
  return presentPart(part, (row) => ({
    id: row.id,
    tenant_id: tenantId,
    workspace_id: row.workspace_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

function presentAgents(tenantId: TenantId, part: Part<AgentRow>): UserDependents['agents'] {
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

function presentKeys(tenantId: TenantId, part: Part<ApiKeyRow>): UserDependents['api_keys'] {
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

function presentDelegations(
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
