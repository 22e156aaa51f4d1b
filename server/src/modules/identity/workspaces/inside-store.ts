import type { UserId, WorkspaceId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Role } from '../roles/index.ts';

/** The people in a workspace: its members, and users with live sessions in it. */
function peopleInside({ tenantId, now }: TenantTx, id: WorkspaceId) {
  return sql`
    SELECT m.user_id FROM workspace_members m WHERE m.tenant_id = ${tenantId} AND m.workspace_id = ${id}
    UNION
    SELECT s.user_id FROM sessions s
     WHERE s.tenant_id = ${tenantId} AND s.workspace_id = ${id} AND s.is_active AND s.expires_at > ${now}`;
}

export async function isInside(tx: TenantTx, id: WorkspaceId, userId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM (${peopleInside(tx, id)}) AS inside WHERE user_id = ${userId}`.execute(tx.db);
  return rows.length > 0;
}

/** Every role of one of them, except this user. */
export async function findRolesInside(
  tx: TenantTx,
  id: WorkspaceId,
  except: UserId | undefined,
): Promise<Role[]> {
  const { rows } = await sql<Role>`
    SELECT r.name, r.scopes FROM roles r
     WHERE r.tenant_id = ${tx.tenantId} AND r.name IN (
       SELECT held.role FROM user_roles held JOIN (${peopleInside(tx, id)}) AS inside USING (user_id)
        WHERE held.tenant_id = ${tx.tenantId} AND held.user_id IS DISTINCT FROM ${except ?? null})`.execute(
    tx.db,
  );
  return rows;
}

/** Every scope of one of its agents, active or not. */
export async function findScopesOfAgentsInside(tx: TenantTx, id: WorkspaceId): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('agents')
    .select(sql<string>`unnest(scopes)`.as('scope'))
    .distinct()
    .where('tenant_id', '=', tx.tenantId)
    .where('workspace_id', '=', id)
    .execute();
  return rows.map(({ scope }) => scope);
}
