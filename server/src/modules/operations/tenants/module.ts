import * as contract from '@keywright/contract/routes/tenants';
import { defineModule } from '../../../tenancy/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { TenantDeletion, TenantService } from './tenant-service.ts';
import { TenantUpdate } from './update-tenant.ts';

export const tenantsModule = defineModule('tenants', (core, use) => {
  const deletion = new TenantDeletion(core.system, core.clock, core.log);
  return {
    routes(router) {
      const tenants = new TenantService(core);
      const updates = new TenantUpdate(core, use(messagesModule).notices);

      router.add(contract.listTenants, ({ caller, query }, fail) =>
        tenants.list(caller, query, fail),
      );
      router.add(contract.createTenant, ({ tenant, caller, body, repeatable }, fail) =>
        tenants.create(tenant, caller, body, repeatable, fail),
      );
      router.add(contract.getTenant, ({ tenant, caller, params }, fail) =>
        tenants.get(tenant, caller, params.tenant_id, fail),
      );
      router.add(contract.getTenantDependents, ({ caller, params }, fail) =>
        tenants.getDependents(caller, params.tenant_id, fail),
      );
      router.add(contract.updateTenant, ({ tenant, caller, params, query, body }, fail) => {
        const mode = { isDryRun: query.dry_run === 'true', isForced: query.force === 'true' };
        return updates.update(tenant, caller, params.tenant_id, body, mode, fail);
      });
      router.add(contract.deleteTenant, async ({ caller, params }, fail) => ({
        id: await deletion.delete(caller, params.tenant_id, fail),
        deleted: true as const,
      }));
    },
    resume: () => deletion.resume(),
    stop: () => deletion.stop(),
  };
});
