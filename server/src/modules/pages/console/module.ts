import { defineModule } from '../../../tenancy/module.ts';
import { authorizeModule } from '../../oauth/authorize/index.ts';
import { createFindUserOfConsole } from '../../tokens/sessions/index.ts';
import { createAuthenticateUser } from './authenticate.ts';
import { bindConsoleRoutes } from './routes.ts';

export const consoleModule = defineModule('console', ({ gate, clock }, use) => {
  const findUser = createFindUserOfConsole(gate);
  return {
    authenticateBrowser: createAuthenticateUser(findUser, clock),
    routes(router) {
      const { beginOwnLogin } = use(authorizeModule);
      bindConsoleRoutes(router, { findUser, beginOwnLogin, clock });
    },
  };
});
