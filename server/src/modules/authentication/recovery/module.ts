import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { breachedPasswordsModule } from '../breached-passwords/module.ts';
import { challengesModule } from '../challenges/module.ts';
import { flowsModule } from '../flows/module.ts';
import { bindRecoveryRoutes } from './routes.ts';

export const recoveryModule = defineModule('recovery', (core, use) => ({
  routes: (router) =>
    bindRecoveryRoutes(router, {
      ...core,
      ...use(challengesModule),
      ...use(flowsModule),
      ...use(messagesModule),
      ...use(breachedPasswordsModule),
    }),
}));
