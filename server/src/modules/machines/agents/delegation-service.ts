import type { Fail } from '@keywright/contract/errors';
import {
  type AgentId,
  type DelegationId,
  parseAgentId,
  parseDelegationId,
  type UserId,
} from '@keywright/contract/ids';
import type { DelegationPreview, DelegationRecord } from '@keywright/contract/records/delegation';
import type { BodyOf, QueryOf } from '@keywright/contract/route';
import {
  type createDelegation,
  DEFAULT_DELEGATION_DAYS,
  type listDelegations,
  type previewDelegation,
} from '@keywright/contract/routes/delegations';
import { intersectScopes } from '@keywright/contract/scopes';
import { newDelegationId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Change, record, recordAll } from '../../events/journal/index.ts';
import { findHoldings, requireHoldings } from '../../identity/roles/index.ts';
import { lockActiveUser } from '../../identity/users/index.ts';
import { findActiveAgent, lockAgainstDeletion } from './agents-store.ts';
import {
  countDelegations,
  findDelegation,
  findDelegations,
  findDelegationTo,
  putDelegation,
  revokeDelegation,
  type DelegationRow,
} from './delegations-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lets an agent act for the caller. Replaces an earlier delegation to the same agent. */
export async function delegate(
  tx: TenantTx,
  caller: UserCaller,
  body: BodyOf<typeof createDelegation>,
  fail: Fail<'TOKEN_INVALID' | 'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
): Promise<DelegationRecord> {
  const { agent_id: agentId, scopes, expires_in_days: days = DEFAULT_DELEGATION_DAYS } = body;
  const { subject: userId } = caller;
  // Serializes the delegations of a user with each other, and with disabling the user.
  const user = await lockActiveUser(tx, userId, { mode: 'no key update' });
  if (!user) fail('TOKEN_INVALID');
  if (!(await lockAgainstDeletion(tx, agentId))) fail('NOT_FOUND');
  await requireHoldings(tx, caller, scopes, fail);
  const id = newDelegationId(tx.now);
  const expiresAt = new Date(tx.now.getTime() + days * DAY_MS);
  const before = await findDelegationTo(tx, userId, agentId);
  const row = await putDelegation(tx, { id, userId, agentId, scopes, expiresAt });
  await recordAll(tx, caller, [
    ...(before === undefined ? [] : [revocation(before, userId, agentId)]),
    {
      action: 'delegation.created',
      target: { kind: 'delegation', id },
      details: { agent_id: agentId, scopes_added: scopes, expires_in_days: days },
      events: [
        {
          type: 'delegation.created',
          data: { delegation_id: id, user_id: userId, agent_id: agentId, scopes },
        },
      ],
    },
  ]);
  return presentDelegation(row, tx.now);
}

/** The permissions of a delegation to the agent. An agent that could not act for the caller is treated as unknown. */
export async function previewDelegationTo(
  tenant: TenantData,
  caller: UserCaller,
  agent: string,
  { scope }: QueryOf<typeof previewDelegation>,
  fail: Fail<'NOT_FOUND'>,
): Promise<DelegationPreview> {
  const agentId = parseAgentId(agent) ?? fail('NOT_FOUND');
  return tenant.transaction(async (tx) => {
    const { name, scopes } = (await findActiveAgent(tx, agentId)) ?? fail('NOT_FOUND');
    const permissions = [caller.scopes, (await findHoldings(tx, caller)).scopes, scopes];
    const common = permissions.reduce<string[]>(
      (left, allowed) => intersectScopes(left, allowed),
      scope.split(' '),
    );
    if (common.length === 0) fail('NOT_FOUND');
    return {
      tenant_id: tx.tenantId,
      agent_id: agentId,
      agent_name: name,
      scopes: common,
      delegation_id: (await findDelegationTo(tx, caller.subject, agentId)) ?? null,
    };
  });
}

function revocation(id: DelegationId, userId: UserId, agentId: AgentId): Change {
  const data = { delegation_id: id, user_id: userId, agent_id: agentId };
  return {
    action: 'delegation.revoked',
    target: { kind: 'delegation', id },
    details: { agent_id: agentId },
    events: [{ type: 'delegation.revoked', data }],
  };
}

export async function listDelegationsPage(
  tenant: TenantData,
  userId: UserId,
  query: QueryOf<typeof listDelegations>,
  now: Date,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage(
    [tenant.tenantId, 'delegations', userId],
    query,
    query.sort ?? '-created_at',
    fail,
  );
  const [rows, total] = await tenant.transaction(
    async (tx) =>
      [await findDelegations(tx, userId, page), await countDelegations(tx, userId)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.created_at.toISOString(),
    (row) => presentDelegation(row, now),
  );
}

export async function getDelegationById(
  tenant: TenantData,
  userId: UserId,
  id: string,
  now: Date,
  fail: Fail<'NOT_FOUND'>,
): Promise<DelegationRecord> {
  const delegationId = parseDelegationId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findDelegation(tx, userId, delegationId));
  return row ? presentDelegation(row, now) : fail('NOT_FOUND');
}

export async function revokeDelegationById(
  tenant: TenantData,
  caller: UserCaller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<DelegationId> {
  const delegationId = parseDelegationId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    const agentId = await revokeDelegation(tx, caller.subject, delegationId);
    if (agentId === undefined) return fail('NOT_FOUND');
    return record(tx, caller, revocation(delegationId, caller.subject, agentId));
  });
  return delegationId;
}

function presentDelegation(row: DelegationRow, now: Date): DelegationRecord {
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
