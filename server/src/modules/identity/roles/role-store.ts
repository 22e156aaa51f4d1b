import { type AgentId, DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { scopesAndRole } from '../../../../sql/identity/kw_scopes_and_role.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { EVERYTHING, SYSTEM_ADMIN, type Role } from './role-rules.ts';

export function findRolesNamed(tx: TenantTx, names: readonly string[]): Promise<Role[]> {
  return rolesNamed(tx, names).execute();
}

/** The roles of these names that exist, none of which is deleted before the commit. */
export function lockRoles(tx: TenantTx, names: readonly string[]): Promise<Role[]> {
  return rolesNamed(tx, names).forKeyShare().execute();
}

function rolesNamed(tx: TenantTx, names: readonly string[]) {
  return tx.db
    .selectFrom('roles')
    .select(['name', 'scopes'])
    .where('tenant_id', '=', tx.tenantId)
    .where('name', 'in', names.length > 0 ? names : ['']);
}

/** The roles that a user has, or would get by an open invitation. */
export async function findHeldRoles({ db, tenantId, now }: TenantTx): Promise<Role[]> {
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

/** @param userId undefined: nobody, without scopes */
export async function findScopesAndRole(
  tenant: TenantData,
  userId: UserId | undefined,
  role: string,
): Promise<{ readonly held: readonly string[]; readonly required: readonly string[] | null }> {
  const [row] = await tenant.call(scopesAndRole, { user: (userId ?? '') as UserId, role });
  return row ?? { held: [], required: null };
}

interface LockedUser {
  readonly isActive: boolean;
  readonly roles: readonly Role[];
}

/** The roles of a user, who is locked, so that decisions based on them hold until the commit. */
export async function lockUser(tx: TenantTx, userId: UserId): Promise<LockedUser | undefined> {
  const user = await tx.db
    .selectFrom('users')
    .select('is_active')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return user && { isActive: user.is_active, roles: await findRolesOf(tx, userId) };
}

export async function userExists(tx: TenantTx, userId: UserId): Promise<boolean> {
  const user = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return user !== undefined;
}

/** The roles that a user has now. */
function findRolesOf(tx: TenantTx, userId: UserId): Promise<Role[]> {
  return rolesOf(tx, userId).execute();
}

function rolesOf(tx: TenantTx, userId: UserId) {
  return tx.db
    .selectFrom('user_roles as held')
    .innerJoin('roles', (join) =>
      join.onRef('roles.tenant_id', '=', 'held.tenant_id').onRef('roles.name', '=', 'held.role'),
    )
    .select(['roles.name', 'roles.scopes'])
    .where('held.tenant_id', '=', tx.tenantId)
    .where('held.user_id', '=', userId);
}

/**
 * Whether a role of a user carries a scope.
 * @param user `locked`: until the commit, none of their roles changes either. Built-in ones never do.
 */
export async function holdsScopes(tx: TenantTx, userId: UserId, user?: 'locked'): Promise<boolean> {
  if (user === 'locked') {
    await rolesOf(tx, userId).where('roles.is_builtin', '=', false).forShare('roles').execute();
  }
  const roles = await findRolesOf(tx, userId);
  return roles.some(({ scopes }) => scopes.length > 0);
}

/** Whether one of these roles carries a scope. */
export async function carryScopes(tx: TenantTx, names: readonly string[]): Promise<boolean> {
  const roles = await findRolesNamed(tx, names);
  return roles.some(({ scopes }) => scopes.length > 0);
}

/** The same; none if the user is inactive. */
export async function findUsableRolesOf(tx: TenantTx, userId: UserId): Promise<Role[]> {
  const user = await tx.db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return user ? findRolesOf(tx, userId) : [];
}

/** Serializes transactions that may remove an administrator, until the commit. */
export async function serializeRemovals(tx: TenantTx, role: string): Promise<void> {
  await tx.db
    .selectFrom('roles')
    .select('name')
    .where('tenant_id', '=', tx.tenantId)
    .where('name', '=', role)
    // Weaker than FOR UPDATE, so that assignments of the role need not wait.
    .forNoKeyUpdate()
    .execute();
}

/** Whether an active user other than this one is an administrator: see `makeAdministrator`. */
export async function hasAdministrator(tx: TenantTx, except: UserId | undefined): Promise<boolean> {
  const administrates =
    tx.tenantId === DEFAULT_TENANT
      ? sql<boolean>`roles.name = ${SYSTEM_ADMIN}`
      : sql<boolean>`roles.scopes @> ARRAY[${EVERYTHING}]::text[]`;
  const found = await tx.db
    .selectFrom('roles')
    .innerJoin('user_roles as held', (join) =>
      join.onRef('held.tenant_id', '=', 'roles.tenant_id').onRef('held.role', '=', 'roles.name'),
    )
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'held.tenant_id').onRef('users.id', '=', 'held.user_id'),
    )
    .select('users.id')
    .where('roles.tenant_id', '=', tx.tenantId)
    .where(administrates)
    .where('users.is_active', '=', true)
    .$if(except !== undefined, (query) => query.where('users.id', '!=', except ?? null))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The scopes that an agent has now. */
export async function findAgentScopes(tx: TenantTx, agentId: AgentId): Promise<string[]> {
  const agent = await tx.db
    .selectFrom('agents')
    .select('scopes')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', agentId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return agent?.scopes ?? [];
}

/** The scopes that a user lends to an agent now. */
export async function findDelegatedScopes(
  tx: TenantTx,
  userId: UserId,
  agentId: AgentId,
): Promise<string[]> {
  const delegation = await tx.db
    .selectFrom('delegations')
    .select('scopes')
    .where('tenant_id', '=', tx.tenantId)
    .where('user_id', '=', userId)
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return delegation?.scopes ?? [];
}

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
