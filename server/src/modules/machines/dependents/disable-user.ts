import type { Fail } from '@keywright/contract/errors';
import type { AgentId, UserId } from '@keywright/contract/ids';
import type { UserDisabled } from '@keywright/contract/records/dependents';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import {
  type EndedSession,
  type NewEvent,
  record,
  sessionRevoked,
  type Revoked,
  revocationEvents,
} from '../../events/journal/index.ts';
import {
  isAdministrator,
  requireAdministratorLeft,
  requireMayActOnUser,
  scopesNotHeld,
} from '../../identity/roles/index.ts';
import { endSessionsOf } from '../../tokens/sessions/index.ts';
import {
  deactivate,
  lockOwnedAgents,
  revokeKeysAndDelegations,
  deactivateAgents,
} from './dependents-store.ts';
import { partsOfUser } from './dependents.ts';

type Refuse = Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED' | 'LAST_ADMINISTRATOR'>;

/**
 * Disables a user and ends their dependents. The user and the agents are locked first: a concurrent login, new agent or
 * new key either precedes the locks, and ends here, or waits for them, and finds the user inactive.
 * @returns the dependents that ended
 */
export async function disable(
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
  const agents = await deactivate(tx, userId);
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
  const missing = await scopesNotHeld(tx, caller, await lockOwnedAgents(tx, userId));
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
