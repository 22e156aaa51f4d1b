import { defineModule } from '../../../tenancy/module.ts';
import { bindAgentRoutes } from './routes.ts';

export const agentsModule = defineModule('agents', (core) => ({
  routes: (router) => bindAgentRoutes(router, core),
}));
