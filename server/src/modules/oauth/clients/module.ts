import { defineModule } from '../../../tenancy/module.ts';
import { bindClientRoutes } from './routes.ts';

export const clientsModule = defineModule('clients', ({ gate, clock }) => ({
  routes: (router) => bindClientRoutes(router, gate, clock),
}));
