import {
  leaveWorkspace as leaveRoute,
  listOwnWorkspaces as listOwnRoute,
} from '@keywright/contract/routes/own-workspaces';
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
import { listedWhole } from '../../../platform/db/page.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { join, leave, leaveWorkspace, listOwnWorkspaces } from './membership-service.ts';
import {
  changeWorkspace,
  getWorkspaceById,
  listMembersPage,
  listWorkspacesPage,
  removeWorkspace,
  writeWorkspace,
} from './workspace-service.ts';

function bindWorkspaceRoutes(router: Router, gate: Gate, clock: Clock): void {
  router.add(listWorkspaces, ({ tenant, query }, fail) =>
    listWorkspacesPage(gate.into(tenant.id), query, fail),
  );
  router.add(createWorkspace, async ({ tenant, caller, body, repeatable }, fail) => {
    return once(gate.into(tenant.id), repeatable, (tx) =>
      writeWorkspace(tx, caller, body, tx.now, fail),
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
  router.add(listOwnRoute, async ({ tenant, caller, query }, fail) =>
    listedWhole(query, await listOwnWorkspaces(gate.into(tenant.id), caller), fail),
  );
  router.add(leaveRoute, async ({ tenant, caller, params }, fail) => ({
    id: await leaveWorkspace(gate.into(tenant.id), caller, params.workspace_id, fail),
    deleted: true as const,
  }));
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

export const workspacesModule = defineModule('workspaces', ({ gate, clock }) => ({
  routes: (router) => bindWorkspaceRoutes(router, gate, clock),
}));
