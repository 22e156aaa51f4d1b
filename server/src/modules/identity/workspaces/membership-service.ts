import type { Fail } from '@keywright/contract/errors';
import {
  DEFAULT_WORKSPACE,
  parseUserId,
  parseWorkspaceId,
  type UserId,
  type WorkspaceId,
} from '@keywright/contract/ids';
import type { MemberRecord, WorkspaceRecord } from '@keywright/contract/records/workspace';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../roles/index.ts';
import {
  countMembers,
  deleteMember,
  findMembers,
  findWorkspace,
  findWorkspacesOf,
  insertMember,
  presentWorkspace,
} from './workspace-store.ts';

interface Membership {
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
}

const IN_DEFAULT = `Every user is a member of ${DEFAULT_WORKSPACE}, so nobody can be taken out of it.`;

type ChangeError = 'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED';

/** Members of workspaces. Every user is a member of the default workspace. */
export class MembershipService {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async listMembers(
    tenant: Tenant,
    id: string,
    query: PageQuery,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ) {
    const page = readPage([tenant.id, 'members', id], query, 'user_id', fail);
    const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
    const [rows, total] = await this.#gate.into(tenant.id).transaction(async (tx) => {
      if (!(await findWorkspace(tx, workspaceId))) fail('NOT_FOUND');
      const members = await countMembers(tx, workspaceId);
      return [await findMembers(tx, workspaceId, page), members] as const;
    });
    return listed(
      page,
      rows,
      total,
      (row) => row.id,
      ({ id: userId, ...row }): MemberRecord => ({ ...row, user_id: userId }),
    );
  }

  async add(
    tenant: Tenant,
    caller: Caller,
    workspace: string,
    user: string,
    fail: Fail<ChangeError>,
  ): Promise<MemberRecord> {
    const membership = readMembership(workspace, user, fail);
    const { workspaceId, userId } = membership;
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail);
      if (!(await addMember(tx, caller, membership))) fail('NOT_FOUND');
    });
    return { user_id: userId, workspace_id: workspaceId, tenant_id: tenant.id };
  }

  async remove(
    tenant: Tenant,
    caller: Caller,
    workspace: string,
    user: string,
    fail: Fail<ChangeError | 'DEFAULT_WORKSPACE_PROTECTED'>,
  ): Promise<UserId> {
    const membership = readMembership(workspace, user, fail);
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, membership.userId, fail);
      await removeMember(tx, caller, membership, fail);
    });
    return membership.userId;
  }

  /** The workspaces of the caller. */
  async listOwn(tenant: Tenant, { subject }: UserCaller): Promise<WorkspaceRecord[]> {
    const rows = await this.#gate
      .into(tenant.id)
      .transaction((tx) => findWorkspacesOf(tx, subject));
    return rows.map((row) => presentWorkspace(row));
  }

  /** Removes the caller from a workspace. */
  async leave(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'NOT_FOUND' | 'DEFAULT_WORKSPACE_PROTECTED'>,
  ): Promise<WorkspaceId> {
    const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
    await this.#gate
      .into(tenant.id)
      .transaction((tx) => removeMember(tx, caller, { workspaceId, userId: caller.subject }, fail));
    return workspaceId;
  }
}

function readMembership(workspace: string, user: string, fail: Fail<'NOT_FOUND'>): Membership {
  const workspaceId = parseWorkspaceId(workspace);
  const userId = parseUserId(user);
  return workspaceId && userId ? { workspaceId, userId } : fail('NOT_FOUND');
}

/** Adds a locked user to a workspace. @returns false if the workspace is unknown */
export async function addMember(tx: TenantTx, by: Actor, membership: Membership): Promise<boolean> {
  const outcome = await insertMember(tx, membership.workspaceId, membership.userId);
  if (outcome === 'joined') await recordMembership(tx, by, 'workspace.member_added', membership);
  return outcome !== undefined;
}

async function removeMember(
  tx: TenantTx,
  by: Actor,
  membership: Membership,
  fail: Fail<'NOT_FOUND' | 'DEFAULT_WORKSPACE_PROTECTED'>,
): Promise<void> {
  const { workspaceId, userId } = membership;
  if (workspaceId === DEFAULT_WORKSPACE)
    fail('DEFAULT_WORKSPACE_PROTECTED', { detail: IN_DEFAULT });
  if (!(await deleteMember(tx, workspaceId, userId))) fail('NOT_FOUND');
  await recordMembership(tx, by, 'workspace.member_removed', membership);
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
