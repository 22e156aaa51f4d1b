import { defineModule } from '../../../tenancy/module.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { dpopModule } from '../../tokens/access-tokens/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { authorizeModule } from '../authorize/module.ts';
import { createSeals } from '../codes/index.ts';
import { pushedRequestsModule } from '../pushed-requests/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { createAuthSessions } from './auth-sessions.ts';
import { bindChallengeRoutes } from './routes.ts';

export const inAppLoginsModule = defineModule('in-app logins', (_core, use) => ({
  routes(router) {
    const { keys } = use(signingKeysModule);
    bindChallengeRoutes(router, {
      ...use(dpopModule),
      ...use(flowsModule),
      ...use(pushedRequestsModule),
      ...use(tokenEndpointModule),
      ...use(authorizeModule),
      authSessions: createAuthSessions(createSeals(keys.auditKeys)),
      perform: router.perform,
    });
  },
}));
