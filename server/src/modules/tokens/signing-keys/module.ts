import { defineModule } from '../../../tenancy/module.ts';
import { bindSigningKeyRoutes } from './administration-routes.ts';
import { createApplicationKeys } from './application-keys.ts';
import { createKeyRing } from './key-ring.ts';
import { createFindKeySet } from './key-set.ts';
import { bindKeySetRoutes } from './routes.ts';

export const signingKeysModule = defineModule('signing keys', (core) => {
  const { gate, masterKeys, dataKeys, changes, clock } = core;
  const keys = createKeyRing(gate, masterKeys, changes, clock);
  const applicationKeys = createApplicationKeys(gate, changes, clock);
  const findKeySet = createFindKeySet(keys, applicationKeys);
  return {
    offer: { keys },
    routes(router) {
      bindKeySetRoutes(router, findKeySet);
      bindSigningKeyRoutes(router, gate, dataKeys, clock);
    },
  };
});
