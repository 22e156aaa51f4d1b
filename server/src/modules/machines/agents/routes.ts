import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from '@keywright/contract/routes/agents';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { changeAgent, getAgentById, listAgentsPage, removeAgent, writeAgent } from './service.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly egress: Egress;
}

export function bindAgentRoutes(router: Router, { gate, egress }: Dependencies): void {
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
