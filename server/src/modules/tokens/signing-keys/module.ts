import { defineModule } from '../../../tenancy/module.ts';
import { bindSigningKeyRoutes } from './administration-routes.ts';
import { createApplicationKeys } from './application-keys.ts';
import { createEnsureKey } from './first-key.ts';
import { createKeyRing } from './key-ring.ts';
import { createFindKeySet } from './key-set.ts';
import { createPublishKeys } from './publish-keys.ts';
import { bindKeySetRoutes } from './routes.ts';
import { createSignJwt } from './sign-jwt.ts';
import { createVerifyOwnJwt } from './verify-own-jwt.ts';

export const signingKeysModule = defineModule('signing keys', (core) => {
  const { gate, masterKeys, dataKeys, changes, clock } = core;
  const keys = createKeyRing(gate, masterKeys, changes, clock);
  const ensureKey = createEnsureKey(gate, dataKeys);
  const applicationKeys = createApplicationKeys({ gate, masterKeys, changes, clock, ensureKey });
  const findKeySet = createFindKeySet(keys, applicationKeys);
  return {
    offer: {
      keys,
      signJwt: createSignJwt(keys, applicationKeys),
      publishKeys: createPublishKeys(applicationKeys),
      verifyOwnJwt: createVerifyOwnJwt({ gate, clock, keys, applicationKeys }),
    },
    routes(router) {
      bindKeySetRoutes(router, findKeySet);
      bindSigningKeyRoutes(router, gate, dataKeys, clock);
    },
  };
});
