import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { secondFactorsModule } from '../../authentication/second-factors/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { bindIdentifierRoutes } from './routes.ts';

export const identifiersModule = defineModule('identifiers', (core, use) => ({
  routes: (router) =>
    bindIdentifierRoutes(router, {
      ...core,
      ...use(flowsModule),
      ...use(messagesModule),
      ...use(secondFactorsModule),
    }),
  sweeps: [expiring('identifier_undos', 'expires_at')],
}));
