import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  reportApiKey,
  rotateApiKey,
} from '@keywright/contract/routes/api-keys';
import type { Clock } from '../../../platform/clock.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { createApiKeys, createFindKey, createKeyUses } from './api-key-authentication.ts';
import {
  createTakeReport,
  rotate,
  createApiKeyOf,
  getApiKeyById,
  listApiKeysPage,
  revokeApiKey,
} from './api-key-service.ts';

export const apiKeysModule = defineModule('api keys', (core) => {
  const { gate, clock, log } = core;
  const uses = createKeyUses(gate, clock, log);
  return {
    offer: { apiKeys: createApiKeys(createFindKey(gate, clock), uses.note) },
    routes: (router) => bindApiKeyRoutes(router, core),
    stop: () => uses.stop(),
  };
});

interface Dependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly clock: Clock;
}

function bindApiKeyRoutes(router: Router, { gate, system, clock }: Dependencies): void {
  const takeReport = createTakeReport({ gate, system, clock });
  router.add(listApiKeys, ({ tenant, query }, fail) =>
    listApiKeysPage(gate.into(tenant.id), query, fail),
  );
  router.add(createApiKey, async ({ tenant, caller, body, repeatable }, fail) => {
    const context = { caller, now: clock.now(), repeatable };
    return createApiKeyOf(gate.into(tenant.id), context, body, fail);
  });
  router.add(getApiKey, ({ tenant, params }, fail) =>
    getApiKeyById(gate.into(tenant.id), params.key_id, fail),
  );
  router.add(rotateApiKey, async ({ tenant, caller, params, body, repeatable }, fail) => {
    // The path names the key, so it is part of the request that a repetition has to match.
    const context = { caller, now: clock.now(), repeatable };
    return rotate(gate.into(tenant.id), context, params.key_id, body.overlap_days, fail);
  });
  router.add(deleteApiKey, async ({ tenant, caller, params }, fail) => ({
    id: await revokeApiKey(gate.into(tenant.id), caller, params.key_id, clock.now(), fail),
    revoked: true as const,
  }));
  router.add(reportApiKey, ({ body, from }, fail) => takeReport(body.key, from, fail));
}
