import { defineModule } from '../../../tenancy/module.ts';
import { createFindResources } from './known.ts';
import { bindResourceRoutes } from './routes.ts';

export const resourcesModule = defineModule('resources', ({ gate, clock, changes }) => ({
  offer: { findResources: createFindResources(gate, changes) },
  routes: (router) => bindResourceRoutes(router, gate, clock),
}));
