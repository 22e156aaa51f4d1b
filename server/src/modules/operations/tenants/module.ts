import { defineModule } from '../../../tenancy/module.ts';
import { createTenantDeletion } from './deletion.ts';
import { bindTenantRoutes } from './routes.ts';

export const tenantsModule = defineModule('tenants', (core) => {
  const { system, clock, log } = core;
  const deletion = createTenantDeletion(system, clock, log);
  return {
    routes: (router) => bindTenantRoutes(router, { ...core, deletion }),
    resume: () => deletion.resume(),
    stop: () => deletion.stop(),
  };
});
