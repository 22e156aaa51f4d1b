import {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  reportApiKey,
  rotateApiKey,
} from '@keywright/contract/routes/api-keys';
import type { ApiKeyId } from '@keywright/contract/ids';
import { type Core, defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { Uses } from '../../../tenancy/uses.ts';
import { ApiKeys } from './api-key-authentication.ts';
import {
  createKey,
  getApiKeyById,
  LeakReports,
  listApiKeysPage,
  revokeApiKey,
  rotateKey,
} from './api-key-service.ts';
import { writeKeyUses } from './api-keys-store.ts';

export const apiKeysModule = defineModule('api keys', (core) => {
  const { gate, clock } = core;
  const uses = new Uses<ApiKeyId>(core, {
    what: 'API keys',
    periodMs: 60_000,
    write: (all) => writeKeyUses(gate, all),
  });
  return {
    offer: { apiKeys: new ApiKeys(gate, clock, uses.note) },
    routes: (router) => bindApiKeyRoutes(router, core),
    stop: () => uses.stop(),
  };
});

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
    return rotateKey(gate.into(tenant.id), context, params.key_id, body.overlap_days, fail);
  });
  router.add(deleteApiKey, async ({ tenant, caller, params }, fail) => ({
    id: await revokeApiKey(gate.into(tenant.id), caller, params.key_id, clock.now(), fail),
    revoked: true as const,
  }));
  router.add(reportApiKey, ({ body, from }, fail) => reports.accept(body.key, from, fail));
}
