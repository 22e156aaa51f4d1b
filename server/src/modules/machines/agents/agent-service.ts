import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, parseAgentId } from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';
import type { BodyOf, OkOf, QueryOf } from '@keywright/contract/route';
import type {
  createAgent,
  deleteAgent,
  listAgents,
  updateAgent,
} from '@keywright/contract/routes/agents';
import { isPermission } from '@keywright/contract/scopes';
import { newAgentId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, revocationEvents } from '../../events/journal/index.ts';
import { requireHoldings } from '../../identity/roles/index.ts';
import { lockActiveUser, lockWorkspaces, scopeChange } from '../../identity/users/index.ts';
import { unknownScopesOf } from '../../oauth/resources/index.ts';
import { revokeKeysAndDelegations } from './dependents-store.ts';
import { findAgentDependents } from './dependents.ts';
import {
  type AgentChange,
  type AgentFilter,
  type AgentRow,
  countAgents,
  deleteAgentRow,
  findAgent,
  findAgents,
  insertAgent,
  lockAgent,
  updateAgentRow,
} from './agents-store.ts';
import { outdateDelegationsTo } from './delegations-store.ts';

export async function listAgentsPage(
  tenant: TenantData,
  query: QueryOf<typeof listAgents>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'agents'], query, query.sort ?? '-created_at', fail);
  const { workspace_id, owner_id, is_active, search } = query;
  const filter: AgentFilter = {
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(owner_id === undefined ? {} : { owner_id }),
    ...(is_active === undefined ? {} : { is_active: is_active === 'true' }),
    ...(search === undefined ? {} : { search }),
  };
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findAgents(tx, page, filter), await countAgents(tx, filter)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentAgent);
}

export async function getAgentById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<AgentRecord> {
  const agentId = parseAgentId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findAgent(tx, agentId));
  return row ? presentAgent(row) : fail('NOT_FOUND');
}

/** Inserts a new agent, which is active. */
export async function writeAgent(
  tx: TenantTx,
  caller: Caller,
  body: BodyOf<typeof createAgent>,
  now: Date,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<AgentRecord> {
  const { name, description = '', scopes = [], workspace_id = DEFAULT_WORKSPACE } = body;
  const { jwks = null, trusts = [] } = body;
  const owner_id = body.owner_id ?? (caller.kind === 'user' ? caller.subject : null);
  // Checked first: a caller who was disabled in the meantime has no permissions left, and creates no agent.
  await requireReferences(tx, { workspace_id, owner_id }, fail);
  await requireExistingScopes(tx, scopes, fail);
  await requireHoldings(tx, caller, scopes, fail);
  const fields = { workspace_id, name, description, scopes, owner_id, jwks, trusts };
  const row = await insertAgent(tx, { id: newAgentId(now), ...fields }, now);
  await recordCreation(tx, caller, row);
  return presentAgent(row);
}

/** Changes an agent. If its permissions or proofs change, earlier tokens are rejected. */
export function changeAgent(
  tenant: TenantData,
  caller: Caller,
  id: string,
  patch: BodyOf<typeof updateAgent>,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<AgentRecord> {
  return tenant.transaction(async (tx) => {
    // Locked before the agent, because the deletion of a workspace locks its agents in that order.
    await requireReferences(tx, patch, fail);
    const before = await requireMayActOnAgent(tx, caller, id, fail);
    const change = changedFields(patch, before, ['scopes']);
    if (isEmpty(change)) return presentAgent(before);
    await requireExistingScopes(tx, change.scopes ?? [], fail);
    await requireHoldings(tx, caller, change.scopes ?? [], fail);
    const isOther = isOtherAccess(change);
    const row = await updateAgentRow(tx, before.id, change, isOther);
    if (isOther) await outdateDelegationsTo(tx, before.id);
    await recordUpdate(tx, caller, before, change);
    return presentAgent(row);
  });
}

/**
 * Deletes an agent with its keys and delegations. A dry run returns its dependents, and changes nothing.
 */
export async function removeAgent(
  tenant: TenantData,
  caller: Caller,
  id: string,
  isDry: boolean,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<OkOf<typeof deleteAgent>> {
  return tenant.transaction(async (tx) => {
    const agent = await requireMayActOnAgent(tx, caller, id, fail);
    const agentId = agent.id;
    if (isDry) {
      const dependents = (await findAgentDependents(tx, agentId, tx.now)) ?? fail('NOT_FOUND');
      return { dry_run: true as const, ...dependents };
    }
    const ended = await revokeKeysAndDelegations(tx, { agentId }, 'agent_deleted', tx.now);
    await deleteAgentRow(tx, agentId);
    await recordDeletion(tx, caller, agent, ended);
    return { id: agentId, deleted: true as const };
  });
}

/**
 * Locks an agent until the commit, for a caller who can change, delete or create keys of it. The agent must have no
 * permission that the caller lacks, because its keys would be a way to more permissions.
 * @throws AppError NOT_FOUND, SCOPE_NOT_HELD
 */
export async function requireMayActOnAgent(
  tx: TenantTx,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<AgentRow> {
  const agentId = parseAgentId(id) ?? fail('NOT_FOUND');
  const agent = (await lockAgent(tx, agentId)) ?? fail('NOT_FOUND');
  await requireHoldings(tx, caller, agent.scopes, fail);
  return agent;
}

/** Treats a workspace or user of another tenant as unknown (SPEC authentication 7b). */
async function requireReferences(
  tx: TenantTx,
  { workspace_id, owner_id }: AgentChange,
  fail: Fail<'NOT_FOUND'>,
): Promise<void> {
  if (workspace_id !== undefined) {
    const [workspace] = await lockWorkspaces(tx, [workspace_id]);
    if (workspace === undefined) fail('NOT_FOUND');
  }
  if (owner_id && !(await lockActiveUser(tx, owner_id, { mode: 'key share' }))) fail('NOT_FOUND');
}

/** Rejects a misspelled scope, which would silently grant nothing. */
export async function requireExistingScopes(
  tx: TenantTx,
  scopes: readonly string[],
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const names = scopes.filter((scope) => !isPermission(scope));
  const unknown = await unknownScopesOf(tx, names);
  const message = 'must be <action>:<resource>, or a scope of a resource of this tenant';
  const errors = unknown.map((scope) => ({ path: `/scopes/${scopes.indexOf(scope)}`, message }));
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

function isOtherAccess(change: AgentChange): boolean {
  return (['scopes', 'workspace_id', 'is_active', 'jwks', 'trusts'] as const).some(
    (name) => change[name] !== undefined,
  );
}

export function presentAgent(row: AgentRow): AgentRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    workspace_id: row.workspace_id,
    name: row.name,
    description: row.description,
    scopes: row.scopes,
    owner_id: row.owner_id,
    jwks: row.jwks,
    trusts: row.trusts,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}

function recordCreation(tx: TenantTx, by: Actor, agent: AgentRow): Promise<void> {
  const { id: agentId, name, workspace_id, owner_id, scopes } = agent;
  return record(tx, by, {
    action: 'agent.created',
    target: { kind: 'agent', id: agentId },
    details: { name, workspace_id, owner_id, scopes_added: scopes },
    events: [{ type: 'agent.created', data: { agent_id: agentId } }],
  });
}

function recordUpdate(
  tx: TenantTx,
  by: Actor,
  before: AgentRow,
  { scopes, is_active, workspace_id, owner_id, ...rest }: AgentChange,
): Promise<void> {
  const agentId = before.id;
  const recorded = Object.entries({ is_active, workspace_id, owner_id }).filter(
    ([, value]) => value !== undefined,
  );
  const fields = [
    ...recorded.map(([name]) => name),
    ...(scopes === undefined ? [] : ['scopes']),
    ...Object.keys(rest),
  ];
  return record(tx, by, {
    action: 'agent.updated',
    target: { kind: 'agent', id: agentId },
    details: {
      fields,
      ...Object.fromEntries(recorded),
      ...(scopes === undefined ? {} : scopeChange(before.scopes, scopes)),
    },
    events: [{ type: 'agent.updated', data: { agent_id: agentId, fields } }],
  });
}

/** Records the deletion of an agent, with the keys and delegations that ended with it. */
function recordDeletion(
  tx: TenantTx,
  by: Actor,
  agent: AgentRow,
  ended: Parameters<typeof revocationEvents>[0],
): Promise<void> {
  const agentId = agent.id;
  return record(tx, by, {
    action: 'agent.deleted',
    target: { kind: 'agent', id: agentId },
    details: {
      name: agent.name,
      scopes_removed: agent.scopes,
      api_keys: ended.keys.map((key) => key.id),
      delegations: ended.delegations.map((delegation) => delegation.id),
    },
    events: [
      { type: 'agent.deleted', data: { agent_id: agentId } },
      ...revocationEvents(ended, 'agent_deleted'),
    ],
  });
}
