import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from '@keywright/contract/routes/agents';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { nameOf } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { requireGoodProofs } from '../proofs/index.ts';
import { once, type ReadRepeatable } from '../../operations/idempotency/index.ts';
import { changeAgent, getAgentById, listAgentsPage, removeAgent, writeAgent } from './service.ts';

interface Parts {
  readonly gate: Gate;
  readonly readRepeatable: ReadRepeatable;
  readonly clock: Clock;
  readonly egress: Egress;
}

export function bindAgentRoutes(
  router: Router,
  { gate, readRepeatable, clock, egress }: Parts,
): void {
  router.add(listAgents, ({ tenant, query }, fail) =>
    listAgentsPage(gate.into(tenant.id), query, fail),
  );
  router.add(createAgent, async ({ tenant, caller, body, headers }, fail) => {
    requireGoodProofs(body, egress, fail);
    const request = { caller: nameOf(caller), route: createAgent.id, body };
    const repeatable = await readRepeatable(tenant.id, request, headers['idempotency-key'], fail);
    const now = clock.now();
    return gate
      .into(tenant.id)
      .transaction((tx) =>
        once(tx, repeatable, now, fail, () => writeAgent(tx, caller, body, now, fail)),
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
