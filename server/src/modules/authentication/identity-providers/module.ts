import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { bindIdentityProviderRoutes } from './routes.ts';

export const identityProvidersModule = defineModule('identity-providers', (core, use) => {
  const { notifyAdministrators } = use(messagesModule);
  return {
    routes: (router) => bindIdentityProviderRoutes(router, { ...core, notifyAdministrators }),
  };
});
