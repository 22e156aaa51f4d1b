import {
  createRole,
  deleteRole,
  getRole,
  listRoles,
  updateRole,
} from '@keywright/contract/routes/roles';
import { listedWhole } from '../../../platform/db/page.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { changeRole, getRoleNamed, presentRole, removeRole, writeRole } from './role-service.ts';
import { listAllRoles } from './role-store.ts';

function bindRoleRoutes(router: Router, gate: Gate): void {
  router.add(listRoles, async ({ tenant, query }, fail) => {
    const rows = await gate.into(tenant.id).transaction(listAllRoles);
    return listedWhole(query, rows.map(presentRole), fail);
  });
  router.add(createRole, async ({ tenant, caller, body, repeatable }, fail) => {
    return once(gate.into(tenant.id), repeatable, (tx) =>
      writeRole(tx, caller, body, tx.now, fail),
    );
  });
  router.add(getRole, ({ tenant, params }, fail) =>
    getRoleNamed(gate.into(tenant.id), params.role, fail),
  );
  router.add(updateRole, ({ tenant, caller, params, body }, fail) =>
    changeRole(gate.into(tenant.id), caller, params.role, body, fail),
  );
  router.add(deleteRole, async ({ tenant, caller, params, query }, fail) => {
    const isForced = query.force === 'true';
    await removeRole(gate.into(tenant.id), caller, params.role, isForced, fail);
    return { name: params.role, deleted: true as const };
  });
}

export const rolesModule = defineModule('roles', ({ gate }) => ({
  routes: (router) => bindRoleRoutes(router, gate),
}));
