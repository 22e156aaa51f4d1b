import { defineModule } from '../../../tenancy/module.ts';
import { idempotencyModule } from '../idempotency/index.ts';
import { createTenantDeletion } from './deletion.ts';
import { bindTenantRoutes } from './routes.ts';

export const tenantsModule = defineModule('tenants', (core, use) => {
  const { system, clock, log } = core;
  const deletion = createTenantDeletion(system, clock, log);
  return {
    routes: (router) => bindTenantRoutes(router, { ...core, ...use(idempotencyModule), deletion }),
    resume: () => deletion.resume(),
    stop: () => deletion.stop(),
  };
});
