import type { Fail } from '@keywright/contract/errors';
import {
  DEFAULT_WORKSPACE,
  parseUserId,
  parseWorkspaceId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { MemberRecord, WorkspaceRecord } from '@keywright/contract/records/workspace';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../roles/index.ts';
import {
  deleteMember,
  insertMember,
  findWorkspacesOf,
  presentWorkspace,
} from './workspace-store.ts';

interface Membership {
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
}

function readMembership(workspace: string, user: string, fail: Fail<'NOT_FOUND'>): Membership {
  const workspaceId = parseWorkspaceId(workspace);
  const userId = parseUserId(user);
  return workspaceId && userId ? { workspaceId, userId } : fail('NOT_FOUND');
}

type RefuseMembership = Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>;

export async function join(
  tenant: TenantData,
  caller: Caller,
  workspace: string,
  user: string,
  fail: RefuseMembership,
): Promise<MemberRecord> {
  const membership = readMembership(workspace, user, fail);
  const { workspaceId, userId } = membership;
  await tenant.transaction(async (tx) => {
    await requireMayActOnUser(tx, caller, userId, fail);
    if (!(await admit(tx, caller, membership))) fail('NOT_FOUND');
  });
  return { user_id: userId, workspace_id: workspaceId, tenant_id: tenant.tenantId };
}

/** Puts a user into a workspace. @returns false if there is none of this id */
export async function admit(tx: TenantTx, by: Actor, membership: Membership): Promise<boolean> {
  const outcome = await insertMember(tx, membership.workspaceId, membership.userId);
  if (outcome === 'joined') await recordMembership(tx, by, 'workspace.member_added', membership);
  return outcome !== undefined;
}

const EVERYBODY = `Every user is a member of ${DEFAULT_WORKSPACE}, so nobody can be taken out of it.`;

export async function leave(
  tenant: TenantData,
  caller: Caller,
  workspace: string,
  user: string,
  fail: Fail<
    'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED' | 'DEFAULT_WORKSPACE_PROTECTED'
  >,
): Promise<UserId> {
  const membership = readMembership(workspace, user, fail);
  const { workspaceId, userId } = membership;
  await tenant.transaction(async (tx) => {
    await requireMayActOnUser(tx, caller, userId, fail);
    if (workspaceId === DEFAULT_WORKSPACE) {
      fail('DEFAULT_WORKSPACE_PROTECTED', { detail: EVERYBODY });
    }
    if (!(await deleteMember(tx, workspaceId, userId))) fail('NOT_FOUND');
    await recordMembership(tx, caller, 'workspace.member_removed', membership);
  });
  return userId;
}

function recordMembership(
  tx: TenantTx,
  by: Actor,
  type: 'workspace.member_added' | 'workspace.member_removed',
  { workspaceId, userId }: Membership,
): Promise<void> {
  return record(tx, by, {
    action: type,
    target: { kind: 'user', id: userId },
    details: { workspace_id: workspaceId },
    events: [{ type, data: { user_id: userId, workspace_id: workspaceId } }],
  });
}

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
