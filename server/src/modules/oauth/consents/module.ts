import { defineModule } from '../../../tenancy/module.ts';
import { bindConsentRoutes } from './routes.ts';

export const consentsModule = defineModule('consents', ({ gate }) => ({
  routes: (router) => bindConsentRoutes(router, gate),
}));
