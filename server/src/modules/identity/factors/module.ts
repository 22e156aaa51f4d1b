import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { bindFactorRoutes } from './routes.ts';

export const factorsModule = defineModule('factors', (core) => ({
  routes: (router) => bindFactorRoutes(router, core),
  // Those that were never confirmed.
  sweeps: [expiring('user_factors', 'expires_at')],
}));
