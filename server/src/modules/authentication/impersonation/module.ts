import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { statusListsModule } from '../../tokens/status-lists/module.ts';
import { bearerModule } from '../bearer/module.ts';
import { createFindImpersonator } from './caller.ts';
import { bindImpersonationRoutes } from './routes.ts';

export const impersonationModule = defineModule('impersonation', (core, use) => ({
  offer: { findImpersonator: createFindImpersonator(core.gate, use(bearerModule).isAlive) },
  sweeps: [expiring('impersonations', 'expires_at')],
  routes: (router) =>
    bindImpersonationRoutes(router, {
      ...core,
      ...use(signingKeysModule),
      ...use(statusListsModule),
    }),
}));
