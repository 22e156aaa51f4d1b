import { parseAgentId, parseUserId } from '@keywright/contract/ids';
import {
  disableUser,
  getAgentDependents,
  getUserDependents,
} from '@keywright/contract/routes/dependents';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { disable, findAgentDependents, findUserDependents } from './dependents.ts';

export const dependentsModule = defineModule('dependents', ({ gate, clock }) => ({
  routes: (router) => bindDependentRoutes(router, gate, clock),
}));

function bindDependentRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(getUserDependents, async ({ tenant, params }, fail) => {
    const userId = parseUserId(params.user_id) ?? fail('NOT_FOUND');
    const dependents = await gate
      .into(tenant.id)
      .transaction((tx) => findUserDependents(tx, userId, clock.now()));
    return dependents ?? fail('NOT_FOUND');
  });
  router.add(getAgentDependents, async ({ tenant, params }, fail) => {
    const agentId = parseAgentId(params.agent_id) ?? fail('NOT_FOUND');
    const dependents = await gate
      .into(tenant.id)
      .transaction((tx) => findAgentDependents(tx, agentId, clock.now()));
    return dependents ?? fail('NOT_FOUND');
  });
  router.add(disableUser, async ({ tenant, caller, params, body, repeatable }, fail) => {
    const userId = parseUserId(params.user_id) ?? fail('NOT_FOUND');
    return once(gate.into(tenant.id), repeatable, (tx) =>
      disable(tx, caller, userId, body.reason, tx.now, fail),
    );
  });
}
