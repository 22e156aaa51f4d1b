import { defineModule } from '../../../tenancy/module.ts';
import { flowsModule } from '../../authentication/flows/index.ts';
import { dpopModule } from '../../tokens/dpop/index.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { authorizeModule } from '../authorize/index.ts';
import { createSeals } from '../codes/index.ts';
import { pushedRequestsModule } from '../pushed-requests/index.ts';
import { tokenEndpointModule } from '../token-endpoint/index.ts';
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
