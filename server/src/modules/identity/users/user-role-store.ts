import type { Acr } from '@keywright/contract/authentication';
import type { UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import { scopesAndRole } from '../../../../sql/identity/kw_scopes_and_role.ts';
import { lacksOwnFactor as lacks } from '../../../../sql/tokens/kw_lacks_own_factor.ts';
import { deleteFrom, from, type TenantTx, type TenantData } from '../../../tenancy/gate.ts';

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
  return from(tx, 'user_roles as held')
    .innerJoin('roles', (join) =>
      join.onRef('roles.tenant_id', '=', 'held.tenant_id').onRef('roles.name', '=', 'held.role'),
    )
    .select(['roles.name', 'roles.scopes'])
    .where('held.user_id', '=', userId);
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
): Promise<{ readonly held: readonly string[]; readonly required: readonly string[] | null }> {
  const [row] = await tenant.call(scopesAndRole, { user: userId ?? null, role });
  return row ?? { held: [], required: null };
}

/** Whether a login that only a provider's claim makes two factors lacks the user's own factor. */
export async function findLackOfOwnFactor(
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
