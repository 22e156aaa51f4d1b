import {
  createRole,
  deleteRole,
  getRole,
  listRoles,
  updateRole,
} from '@keywright/contract/routes/roles';
import type { Clock } from '../../../platform/clock.ts';
import { listedWhole } from '../../../platform/db/page.ts';
import { nameOf } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { once, type ReadRepeatable } from '../../operations/idempotency/index.ts';
import { changeRole, getRoleNamed, presentRole, removeRole, writeRole } from './administration.ts';
import { listAllRoles } from './administration-store.ts';

export function bindRoleRoutes(
  router: Router,
  gate: Gate,
  readRepeatable: ReadRepeatable,
  clock: Clock,
): void {
  router.add(listRoles, async ({ tenant, query }, fail) => {
    const rows = await gate.into(tenant.id).transaction(listAllRoles);
    return listedWhole(query, rows.map(presentRole), fail);
  });
  router.add(createRole, async ({ tenant, caller, body, headers }, fail) => {
    const request = { caller: nameOf(caller), route: createRole.id, body };
    const repeatable = await readRepeatable(tenant.id, request, headers['idempotency-key'], fail);
    const now = clock.now();
    return gate
      .into(tenant.id)
      .transaction((tx) =>
        once(tx, repeatable, now, fail, () => writeRole(tx, caller, body, now, fail)),
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
