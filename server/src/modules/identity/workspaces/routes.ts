import {
  addMember,
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listMembers,
  listWorkspaces,
  removeMember,
  updateWorkspace,
} from '@keywright/contract/routes/workspaces';
import type { Clock } from '../../../platform/clock.ts';
import { nameOf } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { once, type ReadRepeatable } from '../../operations/idempotency/index.ts';
import {
  changeWorkspace,
  getWorkspaceById,
  join,
  leave,
  listMembersPage,
  listWorkspacesPage,
  removeWorkspace,
  writeWorkspace,
} from './service.ts';

export function bindWorkspaceRoutes(
  router: Router,
  gate: Gate,
  readRepeatable: ReadRepeatable,
  clock: Clock,
): void {
  router.add(listWorkspaces, ({ tenant, query }, fail) =>
    listWorkspacesPage(gate.into(tenant.id), query, fail),
  );
  router.add(createWorkspace, async ({ tenant, caller, body, headers }, fail) => {
    const request = { caller: nameOf(caller), route: createWorkspace.id, body };
    const repeatable = await readRepeatable(tenant.id, request, headers['idempotency-key'], fail);
    const now = clock.now();
    return gate
      .into(tenant.id)
      .transaction((tx) =>
        once(tx, repeatable, now, fail, () => writeWorkspace(tx, caller, body, now, fail)),
      );
  });
  router.add(getWorkspace, ({ tenant, params }, fail) =>
    getWorkspaceById(gate.into(tenant.id), params.workspace_id, fail),
  );
  router.add(updateWorkspace, ({ tenant, caller, params, body }, fail) =>
    changeWorkspace(gate.into(tenant.id), caller, params.workspace_id, body, fail),
  );
  router.add(deleteWorkspace, async ({ tenant, caller, params, query }, fail) => {
    const isForced = query.force === 'true';
    const data = gate.into(tenant.id);
    const id = await removeWorkspace(
      data,
      caller,
      params.workspace_id,
      isForced,
      clock.now(),
      fail,
    );
    return { id, deleted: true as const };
  });
  router.add(listMembers, ({ tenant, params, query }, fail) =>
    listMembersPage(gate.into(tenant.id), params.workspace_id, query, fail),
  );
  router.add(addMember, ({ tenant, caller, params }, fail) =>
    join(gate.into(tenant.id), caller, params.workspace_id, params.user_id, fail),
  );
  router.add(removeMember, async ({ tenant, caller, params }, fail) => ({
    id: await leave(gate.into(tenant.id), caller, params.workspace_id, params.user_id, fail),
    deleted: true as const,
  }));
}
