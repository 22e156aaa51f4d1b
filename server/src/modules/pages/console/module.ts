import { defineModule } from '../../../tenancy/module.ts';
import { impersonationModule } from '../../authentication/impersonation/module.ts';
import { authorizeModule } from '../../oauth/authorize/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { createAuthenticateInside, createAuthenticateUser } from './authenticate.ts';
import { bindConsoleRoutes } from './routes.ts';

export const consoleModule = defineModule('console', ({ clock, directory }, use) => {
  const { findConsoleUser: findUser } = use(sessionsModule);
  return {
    authenticateBrowser: createAuthenticateUser(findUser, clock),
    authenticateInside: createAuthenticateInside({
      findUser,
      findImpersonator: use(impersonationModule).findImpersonator,
      directory,
      clock,
    }),
    routes(router) {
      const { beginOwnLogin } = use(authorizeModule);
      bindConsoleRoutes(router, { findUser, beginOwnLogin, clock });
    },
  };
});
