import { parseAgentId, parseUserId } from '@keywright/contract/ids';
import { disableUser, getAgentReach, getUserReach } from '@keywright/contract/routes/reach';
import type { Clock } from '../../../platform/clock.ts';
import { nameOf } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { once, type ReadRepeatable } from '../../operations/idempotency/index.ts';
import { disable } from './disable.ts';
import { findAgentReach, findUserReach } from './reach.ts';

export function bindReachRoutes(
  router: Router,
  gate: Gate,
  readRepeatable: ReadRepeatable,
  clock: Clock,
): void {
  router.add(getUserReach, async ({ tenant, params }, fail) => {
    const userId = parseUserId(params.user_id) ?? fail('NOT_FOUND');
    const reach = await gate
      .into(tenant.id)
      .transaction((tx) => findUserReach(tx, userId, clock.now()));
    return reach ?? fail('NOT_FOUND');
  });
  router.add(getAgentReach, async ({ tenant, params }, fail) => {
    const agentId = parseAgentId(params.agent_id) ?? fail('NOT_FOUND');
    const reach = await gate
      .into(tenant.id)
      .transaction((tx) => findAgentReach(tx, agentId, clock.now()));
    return reach ?? fail('NOT_FOUND');
  });
  router.add(disableUser, async ({ tenant, caller, params, body, headers }, fail) => {
    const userId = parseUserId(params.user_id) ?? fail('NOT_FOUND');
    const request = { caller: nameOf(caller), route: `${disableUser.id} ${userId}`, body };
    const repeatable = await readRepeatable(tenant.id, request, headers['idempotency-key'], fail);
    const now = clock.now();
    return gate
      .into(tenant.id)
      .transaction((tx) =>
        once(tx, repeatable, now, fail, () => disable(tx, caller, userId, body.reason, now, fail)),
      );
  });
}
