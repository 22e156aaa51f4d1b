import { defineModule } from '../../../tenancy/module.ts';
import { idempotencyModule } from '../../operations/idempotency/index.ts';
import { bindRoleRoutes } from './routes.ts';

export const rolesModule = defineModule('roles', ({ gate, clock }, use) => ({
  routes: (router) => bindRoleRoutes(router, gate, use(idempotencyModule).readRepeatable, clock),
}));
