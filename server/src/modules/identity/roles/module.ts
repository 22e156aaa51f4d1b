import { defineModule } from '../../../tenancy/module.ts';
import { bindRoleRoutes } from './routes.ts';

export const rolesModule = defineModule('roles', ({ gate }) => ({
  routes: (router) => bindRoleRoutes(router, gate),
}));
