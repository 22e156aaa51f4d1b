import { defineModule } from '../../../tenancy/module.ts';
import { bindSigningKeyRoutes } from './administration-routes.ts';
import { createKeyRing } from './key-ring.ts';
import { bindKeySetRoutes } from './routes.ts';

export const signingKeysModule = defineModule('signing keys', (core) => {
  const { gate, masterKeys, dataKeys, changes, clock } = core;
  const keys = createKeyRing(gate, masterKeys, changes, clock);
  return {
    offer: { keys },
    routes(router) {
      bindKeySetRoutes(router, keys);
      bindSigningKeyRoutes(router, gate, dataKeys, clock);
    },
  };
});
