import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { createTenantDeletion } from './deletion.ts';
import { bindTenantRoutes } from './routes.ts';

export const tenantsModule = defineModule('tenants', (core, use) => {
  const { system, clock, log } = core;
  const { notifyAdministrators } = use(messagesModule);
  const deletion = createTenantDeletion(system, clock, log);
  return {
    routes: (router) => bindTenantRoutes(router, { ...core, deletion, notifyAdministrators }),
    resume: () => deletion.resume(),
    stop: () => deletion.stop(),
  };
});
