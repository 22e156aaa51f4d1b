import { defineModule } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { apiKeysModule } from '../../machines/api-keys/module.ts';
import { proofsModule } from '../../tokens/proofs/module.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { statusListsModule } from '../../tokens/status-lists/module.ts';
import { clientsModule } from '../clients/module.ts';
import { codesModule } from '../codes/module.ts';
import { deviceGrantsModule } from '../device-grants/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { createFindClientKey, createIdentification } from './identification.ts';
import { bindTokenEndpoint } from './routes.ts';

export const tokenEndpointModule = defineModule('token endpoint', (core, use) => {
  const { notes } = use(journalModule);
  const { bearer } = use(bearerModule);
  const known = { ...use(apiKeysModule), ...use(clientsModule), ...use(proofsModule) };
  const findClientKey = createFindClientKey(core);
  const means = { ...core, ...known, findClientKey };
  const identify = createIdentification({ ...means, bearer, notes });
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
        codes: use(codesModule).codes,
      };
      bindTokenEndpoint(router, { ...core, bearer, ...tokens, notes, identify });
    },
  };
});
