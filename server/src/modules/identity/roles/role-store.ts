import { type AgentId, DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { deleteFrom, from, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { Role } from '../users/index.ts';
import { EVERYTHING, SYSTEM_ADMIN } from './role-rules.ts';

/** All roles of the tenant, by name. */
export function findAllRoles(tx: TenantTx) {
  return from(tx, 'roles').selectAll().orderBy('name').execute();
}

export type RoleRow = Awaited<ReturnType<typeof findAllRoles>>[number];

export function findRole(tx: TenantTx, name: string) {
  return from(tx, 'roles').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Whether the setting `require_mfa_role` names this role. */
export async function requiresFactorFor(tx: TenantTx, name: string): Promise<boolean> {
  const row = await from(tx, 'tenants')
    .select(sql<string | null>`config ->> 'require_mfa_role'`.as('role'))
    .executeTakeFirst();
  return row?.role === name;
}

/** Locks the role until the commit. */
export function lockRole(tx: TenantTx, name: string) {
  return from(tx, 'roles').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();
}

/** @returns undefined if a role with this name exists */
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
  return update(tx, 'roles')
    .set({
      ...(description === undefined ? {} : { description }),
      ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    })
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst();
}

/** The number of users who have the role, and the first few of them, for an error message. */
export async function countHolders(
  tx: TenantTx,
  name: string,
): Promise<{ count: number; some: string[] }> {
  const { rows } = await sql<{ count: number; some: string[] }>`
    SELECT count(*)::integer AS count, coalesce((array_agg(user_id ORDER BY user_id))[1:5], '{}') AS some
      FROM user_roles WHERE tenant_id = ${tx.tenantId} AND role = ${name}`.execute(tx.db);
  return rows[0] ?? { count: 0, some: [] };
}

/** A user who lost a role, with the scopes of their other roles. */
export interface FormerHolder {
  readonly user_id: UserId;
  readonly scopes: string[];
}

export async function unassignRole(tx: TenantTx, name: string): Promise<FormerHolder[]> {
  const { rows } = await sql<FormerHolder>`
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
  await deleteFrom(tx, 'roles').where('name', '=', name).execute();
}

/** The roles that a user has, or would receive by an open invitation. */
export async function findGrantableRoles({ db, tenantId, now }: TenantTx): Promise<Role[]> {
  const { rows } = await sql<Role>`
    SELECT r.name, r.scopes
      FROM roles r
     WHERE r.tenant_id = ${tenantId}
       AND (EXISTS (SELECT FROM user_roles u WHERE u.tenant_id = ${tenantId} AND u.role = r.name)
            OR EXISTS (SELECT FROM invitations i
                        WHERE i.tenant_id = ${tenantId} AND r.name = ANY (i.roles) AND i.expires_at > ${now}
                          AND i.accepted_at IS NULL AND i.revoked_at IS NULL))`.execute(db);
  return rows;
}

/** Serializes transactions that might remove an administrator, until the commit. */
export async function serializeRemovals(tx: TenantTx, role: string): Promise<void> {
  await from(tx, 'roles')
    .select('name')
    .where('name', '=', role)
    // Weaker than FOR UPDATE, so that assignments of the role do not wait.
    .forNoKeyUpdate()
    .execute();
}

/** Whether an active user other than `except` is an administrator (see `makeAdministrator`). */
export async function hasAdministrator(tx: TenantTx, except: UserId | undefined): Promise<boolean> {
  const administrates =
    tx.tenantId === DEFAULT_TENANT
      ? sql<boolean>`roles.name = ${SYSTEM_ADMIN}`
      : sql<boolean>`roles.scopes @> ARRAY[${EVERYTHING}]::text[]`;
  const found = await from(tx, 'roles')
    .innerJoin('user_roles as held', (join) =>
      join.onRef('held.tenant_id', '=', 'roles.tenant_id').onRef('held.role', '=', 'roles.name'),
    )
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'held.tenant_id').onRef('users.id', '=', 'held.user_id'),
    )
    .select('users.id')
    .where(administrates)
    .where('users.is_active', '=', true)
    .$if(except !== undefined, (query) => query.where('users.id', '!=', except ?? null))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The scopes that an agent has now. */
export async function findAgentScopes(tx: TenantTx, agentId: AgentId): Promise<string[]> {
  const agent = await from(tx, 'agents')
    .select('scopes')
    .where('id', '=', agentId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return agent?.scopes ?? [];
}

/** The scopes that a user currently delegates to an agent. */
export async function findDelegatedScopes(
  tx: TenantTx,
  userId: UserId,
  agentId: AgentId,
): Promise<string[]> {
  const delegation = await from(tx, 'delegations')
    .select('scopes')
    .where('user_id', '=', userId)
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return delegation?.scopes ?? [];
}
