import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { passwordsModule } from '../passwords/module.ts';
import { flowsModule } from '../flows/module.ts';
import { bindRecoveryRoutes } from './routes.ts';

export const recoveryModule = defineModule('recovery', (core, use) => ({
  routes: (router) =>
    bindRecoveryRoutes(router, {
      ...core,
      ...use(flowsModule),
      ...use(messagesModule),
      ...use(passwordsModule),
    }),
}));
