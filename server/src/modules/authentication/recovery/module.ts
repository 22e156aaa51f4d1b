import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/index.ts';
import { breachedPasswordsModule } from '../breached-passwords/index.ts';
import { challengesModule } from '../challenges/index.ts';
import { flowsModule } from '../flows/index.ts';
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
