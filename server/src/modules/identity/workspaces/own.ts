import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, parseWorkspaceId, type WorkspaceId } from '@keywright/contract/ids';
import type { WorkspaceRecord } from '@keywright/contract/records/workspace';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { EVERYBODY, recordMembership } from './membership.ts';
import { findWorkspacesOf } from './own-store.ts';
import { presentWorkspace } from './present.ts';
import { deleteMember } from './store.ts';

export async function listOwnWorkspaces(
  tenant: TenantData,
  { subject }: UserCaller,
): Promise<WorkspaceRecord[]> {
  const rows = await tenant.transaction((tx) => findWorkspacesOf(tx, subject));
  return rows.map((row) => presentWorkspace(row));
}

export async function leaveWorkspace(
  tenant: TenantData,
  caller: UserCaller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'DEFAULT_WORKSPACE_PROTECTED'>,
): Promise<WorkspaceId> {
  const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
  if (workspaceId === DEFAULT_WORKSPACE) {
    fail('DEFAULT_WORKSPACE_PROTECTED', { detail: EVERYBODY });
  }
  const { subject: userId } = caller;
  await tenant.transaction(async (tx) => {
    if (!(await deleteMember(tx, workspaceId, userId))) fail('NOT_FOUND');
    await recordMembership(tx, caller, 'workspace.member_removed', { workspaceId, userId });
  });
  return workspaceId;
}
