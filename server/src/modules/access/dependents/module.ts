import { defineModule } from '../../../tenancy/module.ts';
import { idempotencyModule } from '../../operations/idempotency/index.ts';
import { bindDependentRoutes } from './routes.ts';

export const dependentsModule = defineModule('dependents', ({ gate, clock }, use) => ({
  routes: (router) =>
    bindDependentRoutes(router, gate, use(idempotencyModule).readRepeatable, clock),
}));
