import { defineModule } from '../../../tenancy/module.ts';
import { breachedPasswordsModule } from '../../authentication/breached-passwords/index.ts';
import { messagesModule } from '../../events/messages/index.ts';
import { usersModule } from '../users/index.ts';
import { bindMeRoutes } from './routes.ts';

export const meModule = defineModule('me', (core, use) => ({
  routes: (router) =>
    bindMeRoutes(router, {
      ...core,
      ...use(messagesModule),
      ...use(breachedPasswordsModule),
      getUserById: use(usersModule).getUserById,
    }),
}));
