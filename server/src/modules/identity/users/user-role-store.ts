import type { UserId, WorkspaceId } from '@keywright/contract/ids';
import type { TenantTx } from '../../../tenancy/gate.ts';

/**
 * Gives a user exactly these roles. Unchanged rows are not touched, so that this cannot deadlock with the deletion of a
 * role.
 */
export async function replaceRoles(
  tx: TenantTx,
  userId: UserId,
  roles: readonly string[],
): Promise<void> {
  await tx.db
    .deleteFrom('user_roles')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .$if(roles.length > 0, (query) => query.where('role', 'not in', roles))
    .execute();
  if (roles.length === 0) return;
  await tx.db
    .insertInto('user_roles')
    .values(roles.map((role) => ({ tenant_id: tx.tenantId, user_id: userId, role })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function findRoleNames(tx: TenantTx, userId: UserId): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('user_roles')
    .select('role')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.role);
}

/** Number of these workspaces that exist; none of them is deleted before the commit. */
export async function lockWorkspaces(tx: TenantTx, ids: readonly WorkspaceId[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await tx.db
    .selectFrom('workspaces')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', 'in', ids)
    .forKeyShare()
    .execute();
  return rows.length;
}

/** Puts a user into exactly these workspaces; the first is the default of their logins. */
export async function replaceWorkspaces(
  tx: TenantTx,
  userId: UserId,
  ids: readonly WorkspaceId[],
): Promise<void> {
  await tx.db
    .deleteFrom('workspace_members')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .execute();
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
