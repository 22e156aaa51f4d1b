import * as contract from '@keywright/contract/routes/roles';
import { listedWhole } from '../../../platform/db/page.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { RoleService } from './role-service.ts';

export const rolesModule = defineModule('roles', ({ gate }) => ({
  routes(router) {
    const roles = new RoleService(gate);

    router.add(contract.listRoles, async ({ tenant, query }, fail) =>
      listedWhole(query, await roles.list(tenant, query.search), fail),
    );
    router.add(contract.createRole, ({ tenant, caller, body, repeatable }, fail) =>
      roles.create(tenant, caller, body, repeatable, fail),
    );
    router.add(contract.getRole, ({ tenant, params }, fail) =>
      roles.get(tenant, params.role, fail),
    );
    router.add(contract.updateRole, ({ tenant, caller, params, body }, fail) =>
      roles.update(tenant, caller, params.role, body, fail),
    );
    router.add(contract.deleteRole, async ({ tenant, caller, params, query }, fail) => {
      await roles.delete(tenant, caller, params.role, query.force === 'true', fail);
      return { name: params.role, deleted: true as const };
    });
  },
}));
