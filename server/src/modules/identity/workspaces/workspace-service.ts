import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_WORKSPACE, parseWorkspaceId, type WorkspaceId } from '@keywright/contract/ids';
import type { MemberRecord, WorkspaceRecord } from '@keywright/contract/records/workspace';
import { slugOf } from '@keywright/contract/slug';
import { listed, type PageQuery, readPage } from '../../../platform/db/page.ts';
import { changedFields, isEmpty } from '../../../platform/patch.ts';
import { type Caller, isInTheNameOf } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record, sessionRevoked } from '../../events/journal/index.ts';
import { requireAsMuch, scopesNotHeld } from '../roles/index.ts';
import {
  presentWorkspace,
  countAgents,
  countMembers,
  countSessions,
  countWorkspaces,
  deleteWorkspaceRow,
  findMembers,
  findWorkspace,
  findWorkspaces,
  insertWorkspace,
  lockWorkspace,
  someMembers,
  updateWorkspaceRow,
  findRolesInside,
  findScopesOfAgentsInside,
  isInside,
} from './workspace-store.ts';

export async function listWorkspacesPage(
  tenant: TenantData,
  query: PageQuery & { readonly sort?: string },
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const page = readPage([tenant.tenantId, 'workspaces'], query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findWorkspaces(tx, page), await countWorkspaces(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentWorkspace);
}

export async function getWorkspaceById(
  tenant: TenantData,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<WorkspaceRecord> {
  const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findWorkspace(tx, workspaceId));
  return row ? presentWorkspace(row) : fail('NOT_FOUND');
}

/** Creates a workspace with the given slug, or one derived from its name. */
export async function writeWorkspace(
  tx: TenantTx,
  caller: Caller,
  { name, slug }: { readonly name: string; readonly slug?: string },
  now: Date,
  fail: Fail<'VALIDATION_FAILED' | 'SLUG_TAKEN'>,
): Promise<WorkspaceRecord> {
  const message =
    'is required: none can be made from this name. 1 to 48 lower-case letters, digits and dashes';
  const id =
    parseWorkspaceId(`ws_${slug ?? slugOf(name)}`) ??
    fail('VALIDATION_FAILED', { errors: [{ path: '/slug', message }] });
  const row =
    (await insertWorkspace(tx, id, name, now)) ??
    fail('SLUG_TAKEN', { detail: `A workspace ${id} already exists. Choose another slug.` });
  await record(tx, caller, {
    action: 'workspace.created',
    target: { kind: 'workspace', id },
    details: { name },
    events: [{ type: 'workspace.created', data: { workspace_id: id, name } }],
  });
  return presentWorkspace(row);
}

export async function changeWorkspace(
  tenant: TenantData,
  caller: Caller,
  id: string,
  patch: { readonly name?: string; readonly is_active?: boolean },
  fail: Fail<
    'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED' | 'DEFAULT_WORKSPACE_PROTECTED'
  >,
): Promise<WorkspaceRecord> {
  const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
  if (workspaceId === DEFAULT_WORKSPACE && patch.is_active === false) {
    fail('DEFAULT_WORKSPACE_PROTECTED');
  }
  return tenant.transaction(async (tx) => {
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

/** Deletes a workspace that is not in use, or any if forced. */
export async function removeWorkspace(
  tenant: TenantData,
  caller: Caller,
  id: string,
  isForced: boolean,
  now: Date,
  fail: Fail<
    | 'NOT_FOUND'
    | 'IN_USE'
    | 'SCOPE_NOT_HELD'
    | 'PRINCIPAL_PROTECTED'
    | 'DEFAULT_WORKSPACE_PROTECTED'
  >,
): Promise<WorkspaceId> {
  const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
  if (workspaceId === DEFAULT_WORKSPACE) fail('DEFAULT_WORKSPACE_PROTECTED');
  await tenant.transaction(async (tx) => {
    if (!(await lockWorkspace(tx, workspaceId))) fail('NOT_FOUND');
    const members = await countMembers(tx, workspaceId);
    const sessions = await countSessions(tx, workspaceId, now);
    const agents = await countAgents(tx, workspaceId);
    if (!isForced && members + sessions + agents > 0) {
      const named = (await someMembers(tx, workspaceId)).join(', ');
      const detail = `The workspace has ${members} members${named && ` (${named}${members > 5 ? ', …' : ''})`}, ${sessions} living sessions and ${agents} active agents. Send force=true to delete it nevertheless.`;
      fail('IN_USE', { detail });
    }
    await requireMayActOnAllInside(tx, caller, workspaceId, fail);
    const { sessions: ended, agents: displaced } = await deleteWorkspaceRow(tx, workspaceId);
    await record(tx, caller, {
      action: 'workspace.deleted',
      target: { kind: 'workspace', id: workspaceId },
      details: { members, sessions: ended.length, agents: displaced },
      events: [
        { type: 'workspace.deleted', data: { workspace_id: workspaceId } },
        ...ended.map((session) => sessionRevoked(session, 'workspace_deleted')),
        ...displaced.map((agentId) => {
          const fields = ['workspace_id', 'is_active'];
          return { type: 'agent.updated', data: { agent_id: agentId, fields } } as const;
        }),
      ],
    });
  });
  return workspaceId;
}

export async function listMembersPage(
  tenant: TenantData,
  id: string,
  query: PageQuery,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
) {
  const page = readPage([tenant.tenantId, 'members', id], query, 'user_id', fail);
  const workspaceId = parseWorkspaceId(id) ?? fail('NOT_FOUND');
  const [rows, total] = await tenant.transaction(async (tx) => {
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

/**
 * Checks that the caller may remove or lock out everybody in a workspace, who are locked: the rule for one membership,
 * applied to all. A delegate may not act on the user they act for.
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
  await requireAsMuch(tx, caller, roles, 'Somebody in this workspace holds', fail);
  const missing = await scopesNotHeld(tx, caller, await findScopesOfAgentsInside(tx, id));
  if (missing.length === 0) return;
  const detail = `Agents in this workspace hold what you do not: ${missing.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}
