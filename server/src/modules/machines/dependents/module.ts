import { defineModule } from '../../../tenancy/module.ts';
import { bindDependentRoutes } from './routes.ts';

export const dependentsModule = defineModule('dependents', ({ gate, clock }) => ({
  routes: (router) => bindDependentRoutes(router, gate, clock),
}));
