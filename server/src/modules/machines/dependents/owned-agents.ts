import type { AgentId, UserId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Revoked } from '../../events/journal/index.ts';
import { deactivateAgents, lockOwnedAgents, revokeKeysAndDelegations } from './store.ts';

/** What ended with an owner. */
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
