import type { AgentId, UserId } from '@keywright/contract/ids';
import type {
  AgentDependents,
  UserDisabled,
  UserDependents,
} from '@keywright/contract/records/dependents';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { presentAgents, presentDelegations, presentKeys, presentSessions } from './present.ts';
import {
  findIsActive,
  findLivingDelegations,
  findLivingSessions,
  findOwnedAgents,
  findUsableKeys,
  type Holder,
} from './store.ts';

/** The dependents of a user; undefined for an unknown user. */
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

/** The dependents of an agent; undefined for an unknown agent. */
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

/** @param activeOnly leaves out agents that are inactive */
export async function partsOfUser(
  tx: TenantTx,
  userId: UserId,
  activeOnly: boolean,
  now: Date,
): Promise<UserDisabled['ended']> {
  const sessions = await findLivingSessions(tx, userId, now);
  const agents = await findOwnedAgents(tx, userId, activeOnly, now);
  return {
    sessions: presentSessions(tx.tenantId, sessions),
    agents: presentAgents(tx.tenantId, agents),
    ...(await partsOfAgents(tx, { userId }, now)),
  };
}

async function partsOfAgents(tx: TenantTx, holder: Holder, now: Date) {
  const keys = await findUsableKeys(tx, holder, now);
  const delegations = await findLivingDelegations(tx, holder, now);
  return {
    api_keys: presentKeys(tx.tenantId, keys),
    delegations: presentDelegations(tx.tenantId, delegations),
  };
}
