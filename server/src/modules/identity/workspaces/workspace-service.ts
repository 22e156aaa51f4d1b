import type { Fail } from '@keywright/contract/errors';
import {
  DEFAULT_WORKSPACE,
  type UserId,
  type WorkspaceId,
  parseUserId,
  parseWorkspaceId,
} from '@keywright/contract/ids';
import type { MemberRecord, WorkspaceRecord } from '@keywright/contract/records/workspace';
import type { BodyOf } from '@keywright/contract/route';
import type { createWorkspace, updateWorkspace } from '@keywright/contract/routes/workspaces';
import { slugOf } from '@keywright/contract/slug';
import type { Clock } from '../../../platform/clock.ts';
import { type PageQuery, listed, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import { type Caller, type UserCaller, isInTheNameOf } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type RepeatableRequest, once } from '../../../tenancy/idempotency.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import {
  countActiveAgentsIn,
  displaceAgentsOf,
  findScopesOfAgentsIn,
} from '../../machines/agents/index.ts';
import { countLiveSessionsIn, deleteSessionsIn } from '../../tokens/sessions/index.ts';
import { requireAsMuch, requireMayActOnUser, findMissingScopes } from '../roles/index.ts';
import {
  type WorkspaceRow,
  countMembers,
  countWorkspaces,
  deleteMember,
  deleteMembers,
  deleteWorkspaceRow,
  findFirstMembers,
  findMembers,
  findRolesInside,
  findWorkspace,
  findWorkspaces,
  findWorkspacesOf,
  insertMember,
  insertWorkspace,
  isInside,
  lockWorkspace,
  updateWorkspaceRow,
} from '../users/index.ts';

const NO_SLUG =
  'is required, because none can be derived from this name: 1 to 48 lower-case letters, digits and dashes';

type ChangeError =
  | 'NOT_FOUND'
  | 'SCOPE_NOT_HELD'
  | 'PRINCIPAL_PROTECTED'
  | 'DEFAULT_WORKSPACE_PROTECTED';

/** Administration of the workspaces of a tenant. */
export class WorkspaceService {
  readonly #gate: Gate;
  readonly #clock: Clock;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
  }

  async list(
    tenant: Tenant,
    query: PageQuery & { readonly sort?: string },
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const page = readPage([tenant.id, 'workspaces'], query, query.sort ?? '-created_at', fail);
    const [rows, total] = await this.#gate
      .into(tenant.id)
      .transaction(
        async (tx) => [await findWorkspaces(tx, page), await countWorkspaces(tx)] as const,
      );
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentWorkspace);
  }

  async get(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<WorkspaceRecord> {
    const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
    const row = await this.#gate
      .into(tenant.id)
      .transaction((tx) => findWorkspace(tx, workspaceId));
    return row ? presentWorkspace(row) : fail('NOT_FOUND');
  }

  /** Creates a workspace with the requested slug, or a slug derived from its name. */
  create(
    tenant: Tenant,
    caller: Caller,
    { name, slug }: BodyOf<typeof createWorkspace>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'VALIDATION_FAILED' | 'SLUG_TAKEN'>,
  ): Promise<WorkspaceRecord> {
    return once(this.#gate.into(tenant.id), repeatable, async (tx) => {
      const id =
        parseWorkspaceId(`ws_${slug ?? slugOf(name)}`) ??
        fail('VALIDATION_FAILED', { errors: [{ path: '/slug', message: NO_SLUG }] });
      const row =
        (await insertWorkspace(tx, id, name, tx.now)) ??
        fail('SLUG_TAKEN', { detail: `A workspace ${id} already exists. Choose another slug.` });
      await record(tx, caller, {
        action: 'workspace.created',
        target: { kind: 'workspace', id },
        details: { name },
        events: [{ type: 'workspace.created', data: { workspace_id: id, name } }],
      });
      return presentWorkspace(row);
    });
  }

  async update(
    tenant: Tenant,
    caller: Caller,
    id: string,
    patch: BodyOf<typeof updateWorkspace>,
    fail: Fail<ChangeError>,
  ): Promise<WorkspaceRecord> {
    const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
    if (workspaceId === DEFAULT_WORKSPACE && patch.is_active === false) {
      fail('DEFAULT_WORKSPACE_PROTECTED');
    }
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      const before = (await lockWorkspace(tx, workspaceId)) ?? fail('NOT_FOUND');
      const change = changedFields(patch, before);
      if (isEmpty(change)) return presentWorkspace(before);
      if (change.is_active !== undefined) {
        await requireMayActOnAllInside(tx, caller, workspaceId, fail);
      }
      const row = (await updateWorkspaceRow(tx, workspaceId, change)) ?? fail('NOT_FOUND');
      const fields = Object.keys(change);
      await record(tx, caller, {
        action: 'workspace.updated',
        target: { kind: 'workspace', id: workspaceId },
        details: { fields, ...change },
        events: [{ type: 'workspace.updated', data: { workspace_id: workspaceId, fields } }],
      });
      return presentWorkspace(row);
    });
  }

  /** Deletes an unused workspace, or any workspace if forced. */
  async delete(
    tenant: Tenant,
    caller: Caller,
    id: string,
    isForced: boolean,
    fail: Fail<ChangeError | 'IN_USE'>,
  ): Promise<WorkspaceId> {
    const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
    if (workspaceId === DEFAULT_WORKSPACE) fail('DEFAULT_WORKSPACE_PROTECTED');
    const now = this.#clock.now();
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      if (!(await lockWorkspace(tx, workspaceId))) fail('NOT_FOUND');
      const members = await countMembers(tx, workspaceId);
      const sessions = await countLiveSessionsIn(tx, workspaceId, now);
      const agents = await countActiveAgentsIn(tx, workspaceId);
      if (!isForced && members + sessions + agents > 0) {
        const named = (await findFirstMembers(tx, workspaceId)).join(', ');
        const detail = `The workspace has ${many(members, 'member')}${named && ` (${named}${members > 5 ? ', …' : ''})`}, ${many(sessions, 'active session')} and ${many(agents, 'active agent')}. Send force=true to delete it anyway.`;
        fail('IN_USE', { detail });
      }
      await requireMayActOnAllInside(tx, caller, workspaceId, fail);
      await deleteAndRecord(tx, caller, workspaceId, members);
    });
    return workspaceId;
  }
}

async function deleteAndRecord(
  tx: TenantTx,
  caller: Caller,
  workspaceId: WorkspaceId,
  members: number,
): Promise<void> {
  const sessions = await deleteSessionsIn(tx, workspaceId);
  await deleteMembers(tx, workspaceId);
  const agents = await displaceAgentsOf(tx, workspaceId);
  await deleteWorkspaceRow(tx, workspaceId);
  await record(tx, caller, {
    action: 'workspace.deleted',
    target: { kind: 'workspace', id: workspaceId },
    details: { members, sessions: sessions.length, agents },
    events: [
      { type: 'workspace.deleted', data: { workspace_id: workspaceId } },
      ...sessions.map((session) => sessionRevoked(session, 'workspace_deleted')),
      ...agents.map((agentId) => {
        const fields = ['workspace_id', 'is_active'];
        return { type: 'agent.updated', data: { agent_id: agentId, fields } } as const;
      }),
    ],
  });
}

/**
 * Checks that the caller can remove or lock out all users in a locked workspace: the rule for a single membership,
 * applied to all. A delegate cannot act on the user they act for.
 * @throws AppError PRINCIPAL_PROTECTED, SCOPE_NOT_HELD
 */
async function requireMayActOnAllInside(
  tx: TenantTx,
  caller: Caller,
  id: WorkspaceId,
  fail: Fail<'PRINCIPAL_PROTECTED' | 'SCOPE_NOT_HELD'>,
): Promise<void> {
  const isInAName = isInTheNameOf(caller, caller.subject);
  if (isInAName && (await isInside(tx, id, caller.subject))) fail('PRINCIPAL_PROTECTED');
  const oneself = caller.kind === 'user' ? caller.subject : undefined;
  const roles = await findRolesInside(tx, id, oneself);
  await requireAsMuch(tx, caller, roles, 'A member of this workspace holds', fail);
  const missing = await findMissingScopes(tx, caller, await findScopesOfAgentsIn(tx, id));
  if (missing.length === 0) return;
  const detail = `Agents in this workspace hold scopes that you do not hold: ${missing.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

interface Membership {
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
}

const IN_DEFAULT = `Every user is a member of ${DEFAULT_WORKSPACE} and cannot be removed from it.`;

type MembershipError = 'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED';

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
    fail: Fail<MembershipError>,
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
    fail: Fail<MembershipError | 'DEFAULT_WORKSPACE_PROTECTED'>,
  ): Promise<UserId> {
    const membership = readMembership(workspace, user, fail);
    await this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, membership.userId, fail);
      await removeMember(tx, caller, membership, fail);
    });
    return membership.userId;
  }

  /** The workspaces of the caller. */
  async listForCaller(tenant: Tenant, { subject }: UserCaller): Promise<WorkspaceRecord[]> {
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

function presentWorkspace(row: WorkspaceRow): WorkspaceRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    name: row.name,
    slug: row.slug,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
  };
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
