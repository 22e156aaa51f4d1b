import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from '@keywright/contract/routes/agents';
import {
  createDelegation,
  deleteDelegation,
  getDelegation,
  listDelegations,
  previewDelegation,
} from '@keywright/contract/routes/delegations';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import {
  changeAgent,
  getAgentById,
  listAgentsPage,
  removeAgent,
  writeAgent,
} from './agent-service.ts';
import {
  delegate,
  getDelegationById,
  listDelegationsPage,
  previewDelegationTo,
  revokeOwnDelegation,
} from './delegation-service.ts';

/** How long ended delegations are stored. */
const ENDED_DELEGATION_SECONDS = 30 * DAY_SECONDS;

export const agentsModule = defineModule('agents', (core) => ({
  routes(router) {
    bindAgentRoutes(router, core.gate, core.egress);
    bindDelegationRoutes(router, core.gate, core.clock);
  },
  sweeps: [expiring('delegations', 'expires_at', ENDED_DELEGATION_SECONDS)],
}));

function bindAgentRoutes(router: Router, gate: Gate, egress: Egress): void {
  router.add(listAgents, ({ tenant, query }, fail) =>
    listAgentsPage(gate.into(tenant.id), query, fail),
  );
  router.add(createAgent, async ({ tenant, caller, body, repeatable }, fail) => {
    requireGoodProofs(body, egress, fail);
    return once(gate.into(tenant.id), repeatable, (tx) =>
      writeAgent(tx, caller, body, tx.now, fail),
    );
  });
  router.add(getAgent, ({ tenant, params }, fail) =>
    getAgentById(gate.into(tenant.id), params.agent_id, fail),
  );
  router.add(updateAgent, ({ tenant, caller, params, body }, fail) => {
    requireGoodProofs(body, egress, fail);
    return changeAgent(gate.into(tenant.id), caller, params.agent_id, body, fail);
  });
  router.add(deleteAgent, ({ tenant, caller, params, query }, fail) => {
    const isDry = query.dry_run === 'true';
    return removeAgent(gate.into(tenant.id), caller, params.agent_id, isDry, fail);
  });
}

function bindDelegationRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(createDelegation, async ({ tenant, caller, body, repeatable }, fail) => {
    return once(gate.into(tenant.id), repeatable, (tx) => delegate(tx, caller, body, fail));
  });
  router.add(listDelegations, ({ tenant, caller, query }, fail) =>
    listDelegationsPage(gate.into(tenant.id), caller.subject, query, clock.now(), fail),
  );
  router.add(getDelegation, ({ tenant, caller, params }, fail) =>
    getDelegationById(
      gate.into(tenant.id),
      caller.subject,
      params.delegation_id,
      clock.now(),
      fail,
    ),
  );
  router.add(previewDelegation, ({ tenant, caller, params, query }, fail) =>
    previewDelegationTo(gate.into(tenant.id), caller, params.agent_id, query, fail),
  );
  router.add(deleteDelegation, async ({ tenant, caller, params }, fail) => ({
    id: await revokeOwnDelegation(gate.into(tenant.id), caller, params.delegation_id, fail),
    deleted: true as const,
  }));
}
