import { defineModule } from '../../../tenancy/module.ts';
import { usersModule } from '../users/index.ts';
import { bindMeRoutes } from './routes.ts';

export const meModule = defineModule('me', ({ gate }, use) => ({
  routes: (router) => bindMeRoutes(router, gate, use(usersModule).getUserById),
}));
