import { DEFAULT_WORKSPACE, type UserId, type WorkspaceId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type Page, countUpToLimit, pageOf } from '../../../platform/db/page.ts';
import { type TenantTx, deleteFrom, from, update } from '../../../tenancy/gate.ts';
import type { Role } from './role-store.ts';

function workspaces(tx: TenantTx) {
  return from(tx, 'workspaces');
}

export function findWorkspace(tx: TenantTx, id: WorkspaceId) {
  return workspaces(tx).selectAll().where('id', '=', id).executeTakeFirst();
}

export type WorkspaceRow = NonNullable<Awaited<ReturnType<typeof findWorkspace>>>;

/** Locks the workspace until the commit. */
export function lockWorkspace(tx: TenantTx, id: WorkspaceId): Promise<WorkspaceRow | undefined> {
  return workspaces(tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The existing workspaces with these IDs, which cannot be deleted before the commit. */
export async function lockWorkspaces(
  tx: TenantTx,
  ids: readonly WorkspaceId[],
): Promise<WorkspaceId[]> {
  if (ids.length === 0) return [];
  const rows = await workspaces(tx)
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return rows.map((row) => row.id);
}

/** A page, plus one more row if there are further rows. */
export function findWorkspaces(tx: TenantTx, page: Page): Promise<WorkspaceRow[]> {
  return pageOf(workspaces(tx).selectAll(), page).execute();
}

export function countWorkspaces(tx: TenantTx): Promise<number> {
  return countUpToLimit(tx, workspaces(tx).select('id'));
}

/** @returns undefined if the slug is taken */
export function insertWorkspace(tx: TenantTx, id: WorkspaceId, name: string, now: Date) {
  return tx.db
    .insertInto('workspaces')
    .values({ tenant_id: tx.tenantId, id, name, slug: id.slice('ws_'.length), created_at: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function updateWorkspaceRow(
  tx: TenantTx,
  id: WorkspaceId,
  values: { readonly name?: string; readonly is_active?: boolean },
) {
  return update(tx, 'workspaces')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** The members of the default workspace: every user of the tenant. */
function allUsers(tx: TenantTx) {
  return from(tx, 'users');
}

export async function countMembers(tx: TenantTx, id: WorkspaceId): Promise<number> {
  if (id === DEFAULT_WORKSPACE) return countUpToLimit(tx, allUsers(tx).select('id'));
  const { n } = await from(tx, 'workspace_members')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('workspace_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** The first five members. */
export async function findFirstMembers(tx: TenantTx, id: WorkspaceId): Promise<string[]> {
  const rows = await from(tx, 'workspace_members')
    .select('user_id')
    .where('workspace_id', '=', id)
    .orderBy('user_id')
    .limit(5)
    .execute();
  return rows.map((row) => row.user_id);
}

const BY_ID = { by: sql.ref('id'), id: sql.ref('id') };

/** Members in the order of their IDs. */
export async function findMembers(tx: TenantTx, id: WorkspaceId, page: Page) {
  if (id === DEFAULT_WORKSPACE) {
    const rows = await pageOf(allUsers(tx).select('id'), page, BY_ID).execute();
    return rows.map((row) => ({ id: row.id, workspace_id: id, tenant_id: tx.tenantId }));
  }
  let query = from(tx, 'workspace_members')
    .select(['user_id as id', 'workspace_id', 'tenant_id'])
    .where('workspace_id', '=', id);
  if (page.after) query = query.where(sql<boolean>`user_id > ${page.after.id}`);
  return query
    .orderBy('user_id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

/**
 * Adds the workspace as the last one of the user. The caller has locked the user, so that concurrent additions are
 * serialized.
 * @returns undefined if the workspace is unknown
 */
export async function insertMember(
  tx: TenantTx,
  id: WorkspaceId,
  userId: UserId,
): Promise<'joined' | 'is_member' | undefined> {
  const { rows } = await sql<{ found: boolean; joined: boolean }>`
    WITH place AS (
      SELECT w.id FROM workspaces w WHERE w.tenant_id = ${tx.tenantId} AND w.id = ${id} FOR KEY SHARE
    ), joined AS (
      INSERT INTO workspace_members (tenant_id, workspace_id, user_id, position)
      SELECT ${tx.tenantId}, place.id, ${userId},
             (SELECT coalesce(max(m.position) + 1, 0) FROM workspace_members m
               WHERE m.tenant_id = ${tx.tenantId} AND m.user_id = ${userId})
        FROM place
      ON CONFLICT DO NOTHING RETURNING user_id
    )
    SELECT EXISTS (SELECT FROM place) AS found, EXISTS (SELECT FROM joined) AS joined`.execute(
    tx.db,
  );
  if (!rows[0]?.found) return undefined;
  return rows[0].joined ? 'joined' : 'is_member';
}

export async function deleteMember(
  tx: TenantTx,
  id: WorkspaceId,
  userId: UserId,
): Promise<boolean> {
  const { numDeletedRows } = await deleteFrom(tx, 'workspace_members')
    .where('workspace_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The default workspace, followed by those that the user was added to, in order. */
export async function findWorkspacesOf(tx: TenantTx, userId: UserId): Promise<WorkspaceRow[]> {
  const { rows } = await sql<WorkspaceRow>`
    SELECT w.* FROM workspaces w
      LEFT JOIN workspace_members m
        ON m.tenant_id = w.tenant_id AND m.workspace_id = w.id AND m.user_id = ${userId}
     WHERE w.tenant_id = ${tx.tenantId} AND (m.user_id IS NOT NULL OR w.id = ${DEFAULT_WORKSPACE})
     ORDER BY w.id <> ${DEFAULT_WORKSPACE}, m.position`.execute(tx.db);
  return rows;
}

/** Puts a locked user in exactly these workspaces. The first is the default for their logins. */
export async function replaceWorkspaces(
  tx: TenantTx,
  userId: UserId,
  ids: readonly WorkspaceId[],
): Promise<void> {
  await deleteFrom(tx, 'workspace_members').where('user_id', '=', userId).execute();
  if (ids.length === 0) return;
  await tx.db
    .insertInto('workspace_members')
    .values(
      ids.map((id, position) => ({
        tenant_id: tx.tenantId,
        workspace_id: id,
        user_id: userId,
        position,
      })),
    )
    .execute();
}

/** The users in a workspace: its members, and users with live sessions in it. */
function usersInside({ tenantId, now }: TenantTx, id: WorkspaceId) {
  return sql`
    SELECT m.user_id FROM workspace_members m WHERE m.tenant_id = ${tenantId} AND m.workspace_id = ${id}
    UNION
    SELECT s.user_id FROM sessions s
     WHERE s.tenant_id = ${tenantId} AND s.workspace_id = ${id} AND s.is_active AND s.expires_at > ${now}`;
}

export async function isInside(tx: TenantTx, id: WorkspaceId, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM (${usersInside(tx, id)}) AS inside WHERE user_id = ${userId}`.execute(tx.db);
  return rows.length > 0;
}

/** All roles of the users in a workspace, except those of one user. */
export async function findRolesInside(
  tx: TenantTx,
  id: WorkspaceId,
  except: UserId | undefined,
): Promise<Role[]> {
  const { rows } = await sql<Role>`
    SELECT r.name, r.scopes FROM roles r
     WHERE r.tenant_id = ${tx.tenantId} AND r.name IN (
       SELECT assigned.role FROM user_roles assigned JOIN (${usersInside(tx, id)}) AS inside USING (user_id)
        WHERE assigned.tenant_id = ${tx.tenantId} AND assigned.user_id IS DISTINCT FROM ${except ?? null})`.execute(
    tx.db,
  );
  return rows;
}

/** Deletes all memberships of a workspace. */
export async function deleteMembers(tx: TenantTx, id: WorkspaceId): Promise<void> {
  await deleteFrom(tx, 'workspace_members').where('workspace_id', '=', id).execute();
}

export async function deleteWorkspaceRow(tx: TenantTx, id: WorkspaceId): Promise<void> {
  await deleteFrom(tx, 'workspaces').where('id', '=', id).execute();
}
