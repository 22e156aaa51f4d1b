import { defineModule } from '../../../tenancy/module.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { upstreamLoginsModule } from '../../authentication/upstream-logins/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { codesModule } from '../codes/module.ts';
import { clientsModule } from '../clients/module.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { deviceGrantsModule } from '../device-grants/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { createFactorPages } from './factor-pages.ts';
import { createInAppRequests } from './in-app-requests.ts';
import { createInteractions } from './interaction.ts';
import { createBeginOwnLogin } from './page-logins.ts';
import { bindAuthorizeRoutes } from './routes.ts';
import { createSteps } from './login-steps.ts';

export const authorizeModule = defineModule('authorize', (core, use) => {
  const { verifyOwnJwt, signJwt } = use(signingKeysModule);
  const interactions = createInteractions(use(codesModule).seals);
  const { subjects } = use(idTokensModule);
  const { resources } = use(resourcesModule);
  const { clientAuthentication, clientSigningKeys } = use(tokenEndpointModule);
  const own = {
    ...core,
    ...use(clientsModule),
    findResources: resources.of.bind(resources),
    ...use(codesModule),
    identify: clientAuthentication,
    findClientKey: clientSigningKeys.find.bind(clientSigningKeys),
    subjectFor: subjects.of.bind(subjects),
    browserLogins: use(sessionsModule).browserLogins,
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
        ...use(dpopModule),
        ...use(flowsModule),
        steps: createSteps(router),
        factorPages: createFactorPages({ ...given, ...use(upstreamLoginsModule) }),
      });
    },
  };
});
