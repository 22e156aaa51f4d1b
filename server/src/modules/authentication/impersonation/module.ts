import { defineModule } from '../../../tenancy/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/index.ts';
import { statusListsModule } from '../../tokens/status-lists/index.ts';
import { bindImpersonationRoutes } from './routes.ts';

export const impersonationModule = defineModule('impersonation', (core, use) => ({
  routes: (router) =>
    bindImpersonationRoutes(router, {
      ...core,
      ...use(signingKeysModule),
      ...use(statusListsModule),
    }),
}));
