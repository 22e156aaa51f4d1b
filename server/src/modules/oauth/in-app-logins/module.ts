import { defineModule } from '../../../tenancy/module.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { authorizeModule } from '../authorize/module.ts';
import { codesModule } from '../codes/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { createAuthSessions } from './auth-sessions.ts';
import { bindChallengeRoutes } from './routes.ts';

export const inAppLoginsModule = defineModule('in-app logins', (_core, use) => ({
  routes(router) {
    bindChallengeRoutes(router, {
      ...use(dpopModule),
      ...use(flowsModule),
      ...use(codesModule),
      ...use(tokenEndpointModule),
      ...use(authorizeModule),
      authSessions: createAuthSessions(use(codesModule).seals),
      perform: router.perform,
    });
  },
}));
