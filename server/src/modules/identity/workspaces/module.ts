import * as own from '@keywright/contract/routes/own-workspaces';
import * as contract from '@keywright/contract/routes/workspaces';
import { listedWhole } from '../../../platform/db/page.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { MembershipService, WorkspaceService } from './workspace-service.ts';

export const workspacesModule = defineModule('workspaces', ({ gate, clock }) => ({
  routes(router) {
    const workspaces = new WorkspaceService(gate, clock);
    const memberships = new MembershipService(gate);

    router.add(contract.listWorkspaces, ({ tenant, query }, fail) =>
      workspaces.list(tenant, query, fail),
    );
    router.add(contract.createWorkspace, ({ tenant, caller, body, repeatable }, fail) =>
      workspaces.create(tenant, caller, body, repeatable, fail),
    );
    router.add(contract.getWorkspace, ({ tenant, params }, fail) =>
      workspaces.get(tenant, params.workspace_id, fail),
    );
    router.add(contract.updateWorkspace, ({ tenant, caller, params, body }, fail) =>
      workspaces.update(tenant, caller, params.workspace_id, body, fail),
    );
    router.add(contract.deleteWorkspace, async ({ tenant, caller, params, query }, fail) => {
      const isForced = query.force === 'true';
      const id = await workspaces.delete(tenant, caller, params.workspace_id, isForced, fail);
      return { id, deleted: true as const };
    });
    router.add(contract.listMembers, ({ tenant, params, query }, fail) =>
      memberships.listMembers(tenant, params.workspace_id, query, fail),
    );
    router.add(contract.addMember, ({ tenant, caller, params }, fail) =>
      memberships.add(tenant, caller, params.workspace_id, params.user_id, fail),
    );
    router.add(contract.removeMember, async ({ tenant, caller, params }, fail) => ({
      id: await memberships.remove(tenant, caller, params.workspace_id, params.user_id, fail),
      deleted: true as const,
    }));
    router.add(own.listOwnWorkspaces, async ({ tenant, caller, query }, fail) =>
      listedWhole(query, await memberships.listForCaller(tenant, caller), fail),
    );
    router.add(own.leaveWorkspace, async ({ tenant, caller, params }, fail) => ({
      id: await memberships.leave(tenant, caller, params.workspace_id, fail),
      deleted: true as const,
    }));
  },
}));
