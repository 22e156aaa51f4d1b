import type { UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import type { TenantTx } from '../../../tenancy/gate.ts';

/** Every role of the tenant, by name. */
export function listAllRoles(tx: TenantTx) {
  return tx.db
    .selectFrom('roles')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .orderBy('name')
    .execute();
}

export type RoleRow = Awaited<ReturnType<typeof listAllRoles>>[number];

export function findRole(tx: TenantTx, name: string) {
  return tx.db
    .selectFrom('roles')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Whether the tenant requires a second factor of those who hold the scopes of this role. */
export async function isDemandedRole(tx: TenantTx, name: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('tenants')
    .select(sql<string | null>`config ->> 'require_mfa_role'`.as('role'))
    .where('tenant_id', '=', tx.tenantId)
    .executeTakeFirst();
  return row?.role === name;
}

/** Locks the role until the commit. */
export function lockRole(tx: TenantTx, name: string) {
  return tx.db
    .selectFrom('roles')
    .selectAll()
    .where('tenant_id', '=', tx.tenantId)
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
}

/** @returns undefined if there is a role of this name */
export function insertRole(
  tx: TenantTx,
  role: { readonly name: string; readonly description: string; readonly scopes: readonly string[] },
  now: Date,
) {
  return tx.db
    .insertInto('roles')
    .values({
      tenant_id: tx.tenantId,
      name: role.name,
      description: role.description,
      scopes: [...role.scopes],
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function updateRoleRow(
  tx: TenantTx,
  name: string,
  { description, scopes }: { readonly description?: string; readonly scopes?: readonly string[] },
) {
  return tx.db
    .updateTable('roles')
    .set({
      ...(description === undefined ? {} : { description }),
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    })
    .where('tenant_id', '=', tx.tenantId)
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst();
}

/** Number of users who have the role, and the first ones, to name them. */
export async function holdersOf(
  tx: TenantTx,
  name: string,
): Promise<{ count: number; some: string[] }> {
  const { rows } = await sql<{ count: number; some: string[] }>`
    SELECT count(*)::integer AS count, coalesce((array_agg(user_id ORDER BY user_id))[1:5], '{}') AS some
      FROM user_roles WHERE tenant_id = ${tx.tenantId} AND role = ${name}`.execute(tx.db);
  return rows[0] ?? { count: 0, some: [] };
}

/** A user who lost a role, and the scopes of their other roles. */
export interface Holder {
  readonly user_id: UserId;
  readonly scopes: string[];
}

export async function takeRoleAway(tx: TenantTx, name: string): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    WITH taken AS (
      DELETE FROM user_roles WHERE tenant_id = ${tx.tenantId} AND role = ${name} RETURNING user_id
    )
    SELECT taken.user_id, ARRAY(
             SELECT DISTINCT scope
               FROM user_roles u
               JOIN roles r ON r.tenant_id = u.tenant_id AND r.name = u.role
               CROSS JOIN unnest(r.scopes) AS scope
              WHERE u.tenant_id = ${tx.tenantId} AND u.user_id = taken.user_id AND u.role <> ${name}
           ) AS scopes
      FROM taken`.execute(tx.db);
  return rows;
}

export async function deleteRoleRow(tx: TenantTx, name: string): Promise<void> {
  await tx.db
    .deleteFrom('roles')
    .where('tenant_id', '=', tx.tenantId)
    .where('name', '=', name)
    .execute();
}
