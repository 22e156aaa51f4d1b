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
import { sessionsModule } from '../../tokens/sessions/index.ts';
import { deviceGrantsModule } from '../device-grants/index.ts';
import { pushedRequestsModule } from '../pushed-requests/index.ts';
import { resourcesModule } from '../resources/index.ts';
import { tokenEndpointModule } from '../token-endpoint/index.ts';
import { createFactorPages } from './factor-pages.ts';
import { createInAppRequests } from './in-app.ts';
import { createInteractions } from './interaction.ts';
import { createBeginOwnLogin } from './own-login.ts';
import { bindAuthorizeRoutes } from './routes.ts';
import { createSteps } from './steps.ts';

export const authorizeModule = defineModule('authorize', (core, use) => {
  const { keys, verifyOwnJwt, signJwt } = use(signingKeysModule);
  const seals = createSeals(keys.auditKeys);
  const interactions = createInteractions(seals);
  const own = {
    ...core,
    ...use(clientsModule),
    ...use(resourcesModule),
    ...use(pushedRequestsModule),
    ...use(tokenEndpointModule),
    subjectFor: createSubjectFor(keys),
    browserLogins: use(sessionsModule).browserLogins,
    codes: createCodes(seals),
  };
  return {
    offer: {
      beginOwnLogin: createBeginOwnLogin(interactions, core.clock),
      inAppRequests: createInAppRequests(own),
    },
    routes(router) {
      const given = {
        ...own,
        ...use(brandModule),
        ...use(deviceGrantsModule),
        interactions,
        verifyOwnJwt,
        signJwt,
        perform: router.perform,
      };
      bindAuthorizeRoutes(router, {
        ...given,
        ...use(challengesModule),
        ...use(dpopModule),
        ...use(flowsModule),
        steps: createSteps(router),
        factorPages: createFactorPages({ ...given, ...use(upstreamLoginsModule) }),
      });
    },
  };
});
