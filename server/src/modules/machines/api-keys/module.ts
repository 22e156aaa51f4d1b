import { defineModule } from '../../../tenancy/module.ts';
import { createApiKeys } from './authenticate.ts';
import { createFindKey } from './lookup.ts';
import { bindApiKeyRoutes } from './routes.ts';
import { createKeyUses } from './uses.ts';

export const apiKeysModule = defineModule('api keys', (core) => {
  const { gate, clock, log } = core;
  const uses = createKeyUses(gate, clock, log);
  return {
    offer: { apiKeys: createApiKeys(createFindKey(gate, clock), uses.note) },
    routes: (router) => bindApiKeyRoutes(router, core),
    stop: () => uses.stop(),
  };
});
