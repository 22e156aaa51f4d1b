import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/index.ts';
import { journalModule } from '../../events/journal/index.ts';
import { apiKeysModule } from '../../machines/api-keys/index.ts';
import { proofsModule } from '../../machines/proofs/index.ts';
import { dpopModule } from '../../tokens/dpop/index.ts';
import { sessionsModule } from '../../tokens/sessions/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { clientsModule } from '../clients/index.ts';
import { deviceGrantsModule } from '../device-grants/index.ts';
import { resourcesModule } from '../resources/index.ts';
import { createFindClientKey, createIdentification } from './identification.ts';
import { bindTokenEndpoint } from './routes.ts';

export const tokenEndpointModule = defineModule('token endpoint', (core, use) => {
  const { notes } = use(journalModule);
  const { verifyToken } = use(bearerModule);
  const known = { ...use(apiKeysModule), ...use(clientsModule), ...use(proofsModule) };
  const findClientKey = createFindClientKey(core);
  const means = { ...core, ...known, findClientKey };
  const identify = createIdentification({ ...means, verifyToken, notes });
  return {
    offer: { identify, findClientKey },
    routes(router) {
      const tokens = {
        ...use(sessionsModule),
        ...use(signingKeysModule),
        ...use(proofsModule),
        ...use(dpopModule),
        ...use(statusListsModule),
        ...use(resourcesModule),
        ...use(clientsModule),
        ...use(deviceGrantsModule),
      };
      bindTokenEndpoint(router, { ...core, ...use(bearerModule), ...tokens, notes, identify });
    },
  };
});
