import type { Fail } from '@keywright/contract/errors';
import type { AgentId, TenantId, UserId } from '@keywright/contract/ids';
import { EXACT_TOTAL } from '@keywright/contract/list';
import {
  type AgentDependents,
  DEPENDENT_ITEMS,
  type UserDependents,
  type UserDisabled,
} from '@keywright/contract/records/dependents';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import {
  type EndedSession,
  type NewEvent,
  type Revoked,
  record,
  revocationEvents,
  sessionRevoked,
} from '../../events/journal/index.ts';
import {
  isAdministrator,
  requireAdministratorLeft,
  requireMayActOnUser,
  findMissingScopes,
} from '../../identity/roles/index.ts';
import { isUserActive, updateUserRow } from '../../identity/users/index.ts';
import { endSessionsOf, findLiveSessionsOf } from '../../tokens/sessions/index.ts';
import { isAgentActive } from './agents-store.ts';
import {
  type AgentRow,
  type ApiKeyRow,
  type DelegationRow,
  type DependentsOf,
  type Part,
  deactivateAgents,
  findLiveDelegations,
  findOwnedAgents,
  findUsableKeys,
  lockOwnedAgents,
  revokeKeysAndDelegations,
} from './dependents-store.ts';

/** The dependents of a user; undefined if the user is unknown. */
export async function findUserDependents(
  tx: TenantTx,
  userId: UserId,
  now: Date,
): Promise<UserDependents | undefined> {
  const isActive = await isUserActive(tx, userId);
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
  const isActive = await isAgentActive(tx, agentId);
  if (isActive === undefined) return undefined;
  const parts = await partsOfAgents(tx, { agentId }, now);
  return { agent_id: agentId, tenant_id: tx.tenantId, is_active: isActive, ...parts };
}

/** @param activeOnly whether inactive agents are left out */
async function partsOfUser(
  tx: TenantTx,
  userId: UserId,
  activeOnly: boolean,
  now: Date,
): Promise<UserDisabled['ended']> {
  const sessions = await findLiveSessionsOf(tx, userId, DEPENDENT_ITEMS);
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

type LiveSession = Awaited<ReturnType<typeof findLiveSessionsOf>>['rows'][number];

function presentSessions(tenantId: TenantId, part: Part<LiveSession>): UserDependents['sessions'] {
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

type Refuse = Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED' | 'LAST_ADMINISTRATOR'>;

/**
 * Disables a user and ends their dependents. The user and the agents are locked first: a concurrent login, new agent or
 * new key either precedes the locks, and ends here, or waits for them, and finds the user inactive.
 * @returns the dependents that ended
 */
export async function disableUserAndDependents(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  reason: string,
  now: Date,
  fail: Refuse,
): Promise<UserDisabled> {
  await requireMayActOnUser(tx, caller, userId, fail);
  const isAdmin = await isAdministrator(tx, userId);
  await requireMayActOnAgents(tx, caller, userId, fail);
  const ended = await partsOfUser(tx, userId, true, now);
  await updateUserRow(tx, userId, { is_active: false }, true);
  const agents = await deactivateAgents(tx, userId);
  const sessions = await endSessionsOf(tx, userId, 'deactivated');
  const revoked = await revokeKeysAndDelegations(tx, { userId }, reason, now);
  if (isAdmin) await requireAdministratorLeft(tx, caller, userId, fail);
  await recordDisabling(tx, caller, userId, reason, { agents, sessions, ...revoked });
  return { user_id: userId, tenant_id: tx.tenantId, is_active: false, ended };
}

interface Ended extends Revoked {
  readonly agents: readonly AgentId[];
  readonly sessions: readonly EndedSession[];
}

function recordDisabling(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  reason: string,
  { agents, sessions, keys, delegations }: Ended,
): Promise<void> {
  const fields = ['is_active'];
  const events: NewEvent[] = [
    { type: 'user.updated', data: { user_id: userId, fields } },
    ...agents.map((id) => ({ type: 'agent.updated', data: { agent_id: id, fields } }) as const),
    ...sessions.map((session) => sessionRevoked(session, 'deactivated')),
    ...revocationEvents({ keys, delegations }, reason),
  ];
  return record(tx, caller, {
    action: 'user.disabled',
    target: { kind: 'user', id: userId },
    details: {
      reason,
      fields,
      agents: [...agents],
      api_keys: keys.map(({ id }) => id),
      delegations: delegations.map(({ id }) => id),
      sessions: sessions.length,
    },
    events,
  });
}

/** Requires that the caller can also act on the agents. */
async function requireMayActOnAgents(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const missing = await findMissingScopes(tx, caller, await lockOwnedAgents(tx, userId));
  if (missing.length === 0) return;
  const detail = `Agents of this user hold scopes that you do not hold: ${missing.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** The agents, keys and delegations that ended with their owner. */
export interface EndedAgents extends Revoked {
  readonly agents: readonly AgentId[];
}

/** Ends the agents that a locked user owns, before the user is deleted. */
export async function endOwnedAgents(
  tx: TenantTx,
  userId: UserId,
  reason: string,
): Promise<EndedAgents> {
  await lockOwnedAgents(tx, userId);
  const agents = await deactivateAgents(tx, userId);
  return { agents, ...(await revokeKeysAndDelegations(tx, { userId }, reason, tx.now)) };
}
