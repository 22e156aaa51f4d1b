import { defineModule } from '../../../tenancy/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { bindDiscoveryRoutes } from './routes.ts';

export const discoveryModule = defineModule('discovery', ({ baseUrl }, use) => ({
  routes: (router) => bindDiscoveryRoutes(router, baseUrl, use(resourcesModule).findResources),
}));
