import type { Acr } from '@keywright/contract/authentication';
import type { UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import { sql } from 'kysely';
import { scopesAndRole } from '../../../../sql/identity/kw_scopes_and_role.ts';
import { lacksEnrolledFactor as lacks } from '../../../../sql/tokens/kw_lacks_enrolled_factor.ts';
import { type TenantData, type TenantTx, deleteFrom, from, update } from '../../../tenancy/gate.ts';

export interface Role {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** The existing roles with these names. */
export function findRolesNamed(tx: TenantTx, names: readonly string[]): Promise<Role[]> {
  return rolesNamed(tx, names).execute();
}

/** The existing roles with these names, which cannot be deleted before the commit. */
export function lockRoles(tx: TenantTx, names: readonly string[]): Promise<Role[]> {
  return rolesNamed(tx, names).forKeyShare().execute();
}

function rolesNamed(tx: TenantTx, names: readonly string[]) {
  return from(tx, 'roles')
    .select(['name', 'scopes'])
    .where('name', 'in', names.length > 0 ? names : ['']);
}

/** The roles of a user, whether active or not. */
export function findRolesOf(tx: TenantTx, userId: UserId): Promise<Role[]> {
  return rolesOf(tx, userId).execute();
}

function rolesOf(tx: TenantTx, userId: UserId) {
  return from(tx, 'user_roles as assigned')
    .innerJoin('roles', (join) =>
      join
        .onRef('roles.tenant_id', '=', 'assigned.tenant_id')
        .onRef('roles.name', '=', 'assigned.role'),
    )
    .select(['roles.name', 'roles.scopes'])
    .where('assigned.user_id', '=', userId);
}

/** The roles of a user; none if the user is inactive. */
export async function findUsableRolesOf(tx: TenantTx, userId: UserId): Promise<Role[]> {
  const user = await from(tx, 'users')
    .select('id')
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return user ? findRolesOf(tx, userId) : [];
}

/** Locks the roles of a locked user, so that their scopes do not change before the commit. Built-in roles never change. */
export async function lockRolesOf(tx: TenantTx, userId: UserId): Promise<void> {
  await rolesOf(tx, userId).where('roles.is_builtin', '=', false).forShare('roles').execute();
}

/**
 * Whether a role of a user has a scope.
 * @param user `locked` also prevents changes to their roles until the commit
 */
export async function holdsScopes(tx: TenantTx, userId: UserId, user?: 'locked'): Promise<boolean> {
  if (user === 'locked') await lockRolesOf(tx, userId);
  return haveScopes(await findRolesOf(tx, userId));
}

/** Whether one of the roles with these names has a scope. */
export async function carryScopes(tx: TenantTx, names: readonly string[]): Promise<boolean> {
  return haveScopes(await findRolesNamed(tx, names));
}

function haveScopes(roles: readonly Role[]): boolean {
  return roles.some(({ scopes }) => scopes.length > 0);
}

export async function findRoleNames(tx: TenantTx, userId: UserId): Promise<string[]> {
  const rows = await from(tx, 'user_roles').select('role').where('user_id', '=', userId).execute();
  return rows.map((row) => row.role);
}

/**
 * Assigns a user exactly these roles. Unchanged rows are not touched, so that this cannot deadlock with the deletion of
 * a role.
 */
export async function replaceRoles(
  tx: TenantTx,
  userId: UserId,
  roles: readonly string[],
): Promise<void> {
  await deleteFrom(tx, 'user_roles')
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

export interface ScopeChange {
  readonly scopes_added: string[];
  readonly scopes_removed: string[];
}

/** The scopes that a change adds and removes. `*:*` covers all other scopes. */
export function scopeChange(before: readonly string[], after: readonly string[]): ScopeChange {
  return {
    scopes_added: [...new Set(missingScopes(before, after))],
    scopes_removed: [...new Set(missingScopes(after, before))],
  };
}

/** The roles that a user gains and loses, and the resulting change of scopes. */
export interface RoleChange extends ScopeChange {
  readonly roles_added: string[];
  readonly roles_removed: string[];
}

/** The effect of a change from one set of roles to another. */
export async function roleChange(
  tx: TenantTx,
  before: readonly string[],
  after: readonly string[],
): Promise<RoleChange> {
  const roles = await findRolesNamed(tx, [...new Set([...before, ...after])]);
  const scopesOf = (names: readonly string[]) =>
    roles.flatMap((role) => (names.includes(role.name) ? role.scopes : []));
  return {
    roles_added: [...new Set(after)].filter((name) => !before.includes(name)),
    roles_removed: [...new Set(before)].filter((name) => !after.includes(name)),
    ...scopeChange(scopesOf(before), scopesOf(after)),
  };
}

/** The scopes of a user, and those of a role. @param userId undefined for a new user, who has no scopes */
export async function findScopesAndRole(
  tenant: TenantData,
  userId: UserId | undefined,
  role: string,
): Promise<{ readonly granted: readonly string[]; readonly required: readonly string[] | null }> {
  const [row] = await tenant.call(scopesAndRole, { user: userId ?? null, role });
  return row ?? { granted: [], required: null };
}

/** Whether a login that only a provider's claim makes two factors lacks the user's own factor. */
export async function isEnrolledFactorMissing(
  data: TenantData,
  {
    user_id: user,
    acr,
    amr,
  }: { readonly user_id: UserId; readonly acr: Acr; readonly amr: readonly string[] },
): Promise<boolean> {
  const [row] = await data.call(lacks, { user, acr, amr: [...amr] });
  return row?.answer === true;
}

/** All roles of the tenant, by name. */
export function findAllRoles(tx: TenantTx) {
  return from(tx, 'roles').selectAll().orderBy('name').execute();
}

export type RoleRow = Awaited<ReturnType<typeof findAllRoles>>[number];

export function findRole(tx: TenantTx, name: string) {
  return from(tx, 'roles').selectAll().where('name', '=', name).executeTakeFirst();
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

/** Serializes transactions that might remove an administrator, until the commit. */
export async function serializeRemovals(tx: TenantTx, role: string): Promise<void> {
  await from(tx, 'roles')
    .select('name')
    .where('name', '=', role)
    // Weaker than FOR UPDATE, so that assignments of the role do not wait.
    .forNoKeyUpdate()
    .execute();
}
