import { defineModule } from '../../../tenancy/module.ts';
import { breachedPasswordsModule } from '../../authentication/breached-passwords/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { createGetUserById } from './read.ts';
import { bindUserRoutes } from './routes.ts';

export const usersModule = defineModule('users', (core, use) => {
  const getUserById = createGetUserById(core.gate);
  return {
    offer: { getUserById },
    routes: (router) =>
      bindUserRoutes(router, {
        ...core,
        ...use(messagesModule),
        ...use(breachedPasswordsModule),
        getUserById,
      }),
  };
});
