import { defineModule } from '../../../tenancy/module.ts';
import { idempotencyModule } from '../../operations/idempotency/index.ts';
import { bindSigningKeyRoutes } from './administration-routes.ts';
import { createKeyRing } from './key-ring.ts';
import { bindKeySetRoutes } from './routes.ts';

export const signingKeysModule = defineModule('signing keys', (core, use) => {
  const { gate, masterKeys, dataKeys, changes, clock } = core;
  const keys = createKeyRing(gate, masterKeys, changes, clock);
  return {
    offer: { keys },
    routes(router) {
      bindKeySetRoutes(router, keys);
      const { readRepeatable } = use(idempotencyModule);
      bindSigningKeyRoutes(router, gate, dataKeys, readRepeatable, clock);
    },
  };
});
