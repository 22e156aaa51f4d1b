import { defineModule } from '../../../tenancy/module.ts';
import { challengesModule } from '../../authentication/challenges/index.ts';
import { flowsModule } from '../../authentication/flows/index.ts';
import { upstreamLoginsModule } from '../../authentication/upstream-logins/index.ts';
import { brandModule } from '../../pages/brand/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { createSubjectFor } from '../claims/index.ts';
import { createCodes, createSeals } from '../codes/index.ts';
import { clientsModule } from '../clients/index.ts';
import { dpopModule } from '../../tokens/dpop/index.ts';
import { createBrowserLogins } from '../../tokens/sessions/index.ts';
import { deviceGrantsModule } from '../device-grants/index.ts';
import { pushedRequestsModule } from '../pushed-requests/index.ts';
import { resourcesModule } from '../resources/index.ts';
import { tokenEndpointModule } from '../token-endpoint/index.ts';
import { createFactorPages } from './factor-pages.ts';
import { createInteractions } from './interaction.ts';
import { createBeginOwnLogin } from './own-login.ts';
import { bindAuthorizeRoutes } from './routes.ts';
import { createSteps } from './steps.ts';

export const authorizeModule = defineModule('authorize', (core, use) => {
  const { keys, verifyOwnJwt, signJwt } = use(signingKeysModule);
  const seals = createSeals(keys.auditKeys);
  const interactions = createInteractions(seals);
  return {
    offer: { beginOwnLogin: createBeginOwnLogin(interactions, core.clock) },
    routes(router) {
      const given = {
        ...core,
        ...use(clientsModule),
        ...use(brandModule),
        ...use(resourcesModule),
        ...use(pushedRequestsModule),
        ...use(deviceGrantsModule),
        ...use(tokenEndpointModule),
        interactions,
        verifyOwnJwt,
        signJwt,
        subjectFor: createSubjectFor(keys),
        browserLogins: createBrowserLogins(core.gate),
        perform: router.perform,
      };
      bindAuthorizeRoutes(router, {
        ...given,
        ...use(challengesModule),
        ...use(dpopModule),
        ...use(flowsModule),
        codes: createCodes(seals),
        steps: createSteps(router),
        factorPages: createFactorPages({ ...given, ...use(upstreamLoginsModule) }),
      });
    },
  };
});
