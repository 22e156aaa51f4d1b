import { defineModule } from '../../../tenancy/module.ts';
import { breachedPasswordsModule } from '../../authentication/breached-passwords/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { usersModule } from '../user-administration/module.ts';
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
