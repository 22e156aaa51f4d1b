import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { bindFactorRoutes } from './routes.ts';

export const factorsModule = defineModule('factors', (core, use) => ({
  routes: (router) =>
    bindFactorRoutes(router, { ...core, ...use(flowsModule), ...use(messagesModule) }),
  // Those that were never confirmed.
  sweeps: [expiring('user_factors', 'expires_at')],
}));
