import { defineModule } from '../../../tenancy/module.ts';
import { bindDiscoveryRoutes } from './routes.ts';

export const discoveryModule = defineModule('discovery', ({ baseUrl }) => ({
  routes: (router) => bindDiscoveryRoutes(router, baseUrl),
}));
