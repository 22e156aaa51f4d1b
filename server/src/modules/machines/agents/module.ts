import { type ApiKeyId, parseAgentId, parseUserId } from '@keywright/contract/ids';
import {
  createAgent,
  deleteAgent,
  getAgent,
  listAgents,
  updateAgent,
} from '@keywright/contract/routes/agents';
import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  reportApiKey,
  rotateApiKey,
} from '@keywright/contract/routes/api-keys';
import {
  createDelegation,
  deleteDelegation,
  getDelegation,
  listDelegations,
  previewDelegation,
} from '@keywright/contract/routes/delegations';
import {
  disableUser,
  getAgentDependents,
  getUserDependents,
} from '@keywright/contract/routes/dependents';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { type Core, defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { Uses } from '../../../tenancy/activity.ts';
import { requireGoodProofs } from '../../tokens/proofs/index.ts';
import {
  changeAgent,
  getAgentById,
  listAgentsPage,
  removeAgent,
  writeAgent,
} from './agent-service.ts';
import { ApiKeys } from './api-key-authentication.ts';
import {
  LeakReports,
  createKey,
  getApiKeyById,
  listApiKeysPage,
  revokeApiKey,
  replaceApiKey,
} from './api-key-service.ts';
import { writeKeyUses } from './api-keys-store.ts';
import {
  delegate,
  getDelegationById,
  listDelegationsPage,
  previewDelegationTo,
  revokeDelegationById,
} from './delegation-service.ts';
import { disableUserAndDependents, findAgentDependents, findUserDependents } from './dependents.ts';

/** How long ended delegations are stored. */
const ENDED_DELEGATION_SECONDS = 30 * DAY_SECONDS;

/** Agents with all that they authenticate and act with: API keys and delegations. */
export const agentsModule = defineModule('agents', (core) => {
  const { gate, egress, clock } = core;
  const uses = new Uses<ApiKeyId>(core, {
    what: 'API keys',
    periodMs: 60_000,
    write: (all) => writeKeyUses(gate, all),
  });
  return {
    offer: { apiKeys: new ApiKeys(gate, clock, uses.note) },
    routes(router) {
      bindAgentRoutes(router, gate, egress);
      bindApiKeyRoutes(router, core);
      bindDelegationRoutes(router, gate, clock);
      bindDependentRoutes(router, gate, clock);
    },
    sweeps: [expiring('delegations', 'expires_at', ENDED_DELEGATION_SECONDS)],
    stop: () => uses.stop(),
  };
});

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
    id: await revokeDelegationById(gate.into(tenant.id), caller, params.delegation_id, fail),
    deleted: true as const,
  }));
}

function bindApiKeyRoutes(router: Router, { gate, system, clock }: Core): void {
  const reports = new LeakReports(gate, system, clock);
  router.add(listApiKeys, ({ tenant, query }, fail) =>
    listApiKeysPage(gate.into(tenant.id), query, fail),
  );
  router.add(createApiKey, async ({ tenant, caller, body, repeatable }, fail) => {
    const context = { caller, now: clock.now(), repeatable };
    return createKey(gate.into(tenant.id), context, body, fail);
  });
  router.add(getApiKey, ({ tenant, params }, fail) =>
    getApiKeyById(gate.into(tenant.id), params.key_id, fail),
  );
  router.add(rotateApiKey, async ({ tenant, caller, params, body, repeatable }, fail) => {
    // The path names the key, so a repeated request must match it.
    const context = { caller, now: clock.now(), repeatable };
    return replaceApiKey(gate.into(tenant.id), context, params.key_id, body.overlap_days, fail);
  });
  router.add(deleteApiKey, async ({ tenant, caller, params }, fail) => ({
    id: await revokeApiKey(gate.into(tenant.id), caller, params.key_id, clock.now(), fail),
    revoked: true as const,
  }));
  router.add(reportApiKey, ({ body, from }, fail) => reports.accept(body.key, from, fail));
}

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
      disableUserAndDependents(tx, caller, userId, body.reason, tx.now, fail),
    );
  });
}
