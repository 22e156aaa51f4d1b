import { defineModule } from '../../../tenancy/module.ts';
import { bindIdentityProviderRoutes } from './routes.ts';

export const identityProvidersModule = defineModule('identity-providers', (core) => ({
  routes: (router) => bindIdentityProviderRoutes(router, core),
}));
