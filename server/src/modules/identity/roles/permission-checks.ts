import { namesAddress } from '@keywright/contract/addresses';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import {
  isCommonPermission,
  isPermission,
  missingScopes,
  LOGINS,
} from '@keywright/contract/scopes';
import {
  requireAdministrator,
  requireFresh,
  requireScopes,
} from '../../../tenancy/authorization.ts';
import {
  type Caller,
  hasLentPermissions,
  isInTheNameOf,
  isOneself,
} from '../../../tenancy/caller.ts';
import type { TenantTx, TenantData } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findRequiredFor } from '../../oauth/resources/index.ts';
import {
  administratorRole,
  type Holdings,
  lackedOf,
  makeAdministrator,
  type Role,
  type ScopeChange,
  scopeChange,
} from './role-rules.ts';
import {
  findAgentScopes,
  findRolesNamed,
  findUsableRolesOf,
  hasAdministrator,
  lockRoles,
  lockUser,
  serializeRemovals,
  findHeldRoles,
  findScopesAndRole,
} from './role-store.ts';

const DEACTIVATED = 'Your user is no longer active, so you hold no scopes.';

/**
 * Checks that the caller may change, end or delete what belongs to a user, who is locked until the commit. Every rule
 * about oneself rests on this one: what users may not do to themselves, nobody may do on their behalf.
 * @param isCredential whether the caller will be able to log in as this user
 * @throws AppError NOT_FOUND, PRINCIPAL_PROTECTED, SCOPE_NOT_HELD
 */
export async function requireMayActOnUser(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
  fail: Fail<'NOT_FOUND' | 'PRINCIPAL_PROTECTED' | 'SCOPE_NOT_HELD'>,
  isCredential = false,
): Promise<void> {
  if (isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
  const user = (await lockUser(tx, userId)) ?? fail('NOT_FOUND');
  if (isOneself(caller, userId)) {
    // A caller who was disabled meanwhile must not reactivate themselves.
    return user.isActive ? undefined : fail('SCOPE_NOT_HELD', { detail: DEACTIVATED });
  }
  await requireAsMuch(tx, caller, user.roles, 'This user holds', fail);
  // Whoever can log in as a user keeps that user's permissions after the delegation has ended.
  if (isCredential) requireOwn(caller, user.roles, fail);
}

/**
 * Checks that the caller may act on holders of these roles.
 * @param whose begins the message
 * @throws AppError SCOPE_NOT_HELD
 */
export async function requireAsMuch(
  tx: TenantTx,
  caller: Caller,
  roles: readonly Role[],
  whose: string,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const lacked = await findLacked(tx, caller, roles);
  if (lacked.length === 0) return;
  fail('SCOPE_NOT_HELD', { detail: `${whose} what you do not: ${lacked.join(', ')}.` });
}

/** Whether this user is an active administrator of the tenant. */
export async function isAdministrator(tx: TenantTx, userId: UserId): Promise<boolean> {
  return makeAdministrator(tx.tenantId, await findUsableRolesOf(tx, userId));
}

/**
 * Checks that the tenant still has an active administrator after the change that this transaction has made. Call it
 * last: its lock serializes such changes, so that two administrators cannot remove each other, and a lock that every
 * transaction takes last cannot deadlock. System administrators acting inside a tenant can appoint another one there.
 * @param removed begins the message, such as `role:owner`
 * @param except a user who is about to be removed
 * @throws AppError LAST_ADMINISTRATOR
 */
export async function requireAdministratorLeft(
  tx: TenantTx,
  caller: Caller,
  removed: string,
  fail: Fail<'LAST_ADMINISTRATOR'>,
  except?: UserId,
): Promise<void> {
  if (caller.kind === 'impersonator' && tx.tenantId !== DEFAULT_TENANT) return;
  const role = administratorRole(tx.tenantId);
  await serializeRemovals(tx, role);
  if (await hasAdministrator(tx, except)) return;
  const detail = `Without ${removed}, this tenant has no active administrator. Give another active user the role ${role} first.`;
  fail('LAST_ADMINISTRATOR', { detail });
}

/** Keeps these roles from being deleted before the commit. @returns whether all of them exist */
export async function holdRoles(tx: TenantTx, names: readonly string[]): Promise<boolean> {
  return (await lockRoles(tx, names)).length === new Set(names).size;
}

/** Names the unknown ones of these roles. */
export async function refuseUnknownRoles(
  tx: TenantTx,
  names: readonly string[],
  fail: Fail<'ROLE_UNKNOWN'>,
): Promise<never> {
  const known = (await lockRoles(tx, names)).map((role) => role.name);
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  return fail('ROLE_UNKNOWN', {
    detail: `This tenant has no role named ${unknown.join(', ')}. GET /roles lists its roles.`,
  });
}

/**
 * Checks that the caller may assign these roles, none of which is deleted before the commit.
 * @throws AppError ROLE_UNKNOWN, SCOPE_NOT_HELD
 */
export async function requireMayGrant(
  tx: TenantTx,
  caller: Caller,
  names: readonly string[],
  fail: Fail<'ROLE_UNKNOWN' | 'SCOPE_NOT_HELD'>,
): Promise<void> {
  const roles = await lockRoles(tx, names);
  if (roles.length < new Set(names).size) await refuseUnknownRoles(tx, names, fail);
  requireOwn(caller, roles, fail);
  const lacked = await findLacked(tx, caller, roles);
  if (lacked.length === 0) return;
  const given = names.length === 1 ? 'This role gives' : 'These roles give';
  const detail = `${given} what you do not hold (${names.join(', ')}): ${lacked.join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** Permissions that are lent cannot be passed on. */
export function requireOwn(
  caller: Caller,
  roles: readonly Pick<Role, 'scopes'>[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): void {
  const lent = new Set(roles.flatMap((role) => role.scopes));
  if (!hasLentPermissions(caller) || lent.size === 0) return;
  const detail = `In the name of a user you cannot pass on: ${[...lent].join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** By the credential, and by the current permissions of its subject: nobody may reassign a role that they lost. */
async function findLacked(tx: TenantTx, caller: Caller, roles: readonly Role[]): Promise<string[]> {
  const lacked = lackedOf(caller, roles);
  return lacked.length > 0 ? lacked : lackedOf(await findHoldings(tx, caller), roles);
}

/**
 * The permissions that the caller lacks to grant these scopes: by the credential, or by the current permissions of its
 * subject. Users hold no names of resources; to grant one to an agent, a user needs what every resource requires for it.
 */
export async function scopesNotHeld(
  tx: TenantTx,
  caller: Caller,
  scopes: readonly string[],
): Promise<string[]> {
  const names = scopes.filter((scope) => !isCommonPermission(scope));
  const needed = [...scopes.filter(isPermission), ...(await findRequiredFor(tx, names))];
  const missing = [
    ...missingScopes(caller.scopes, needed),
    ...missingScopes((await findHoldings(tx, caller)).scopes, needed),
  ];
  return [...new Set(missing)];
}

/**
 * Rejects scopes that the caller lacks, by the credential or by the current permissions of its subject: a lost scope must
 * not be kept in a role, an agent or a client.
 */
export async function requireHeld(
  tx: TenantTx,
  caller: Caller,
  scopes: readonly string[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const missing = await scopesNotHeld(tx, caller, scopes);
  if (missing.length > 0)
    fail('SCOPE_NOT_HELD', { detail: `You do not hold: ${missing.join(', ')}.` });
}

/** The roles that a user gains and loses, and the scopes by which their permissions change. */
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

/** The current permissions of the caller's subject. */
export async function findHoldings(tx: TenantTx, caller: Caller): Promise<Holdings> {
  // An impersonator is not a user of the tenant; their permissions depend on their session.
  if (caller.kind === 'impersonator') return caller;
  if (caller.kind === 'agent') {
    return { roles: [], scopes: await findAgentScopes(tx, caller.subject) };
  }
  const present = await findUsableRolesOf(tx, caller.subject);
  return {
    roles: present.map((role) => role.name),
    scopes: present.flatMap((role) => role.scopes),
  };
}

/**
 * Checks that the caller holds as much as every user of the tenant, active or not, and everyone who is invited: who
 * decides how users log in could become any of them.
 * @throws AppError SCOPE_NOT_HELD
 */
export async function requireAsMuchAsAnyone(
  tx: TenantTx,
  caller: Caller,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  const whose = 'This concerns the logins of all users, some of whom hold';
  await requireAsMuch(tx, caller, await findHeldRoles(tx), whose, fail);
}

/**
 * All conditions of `write:logins`, for a request that needs it because of what it contains or concerns.
 * @throws AppError ADMINISTRATOR_REQUIRED, SCOPE_REQUIRED, STEP_UP_REQUIRED, SCOPE_NOT_HELD
 */
export async function requireMayChangeLogins(
  tx: TenantTx,
  tenant: Tenant,
  caller: Caller,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  requireAdministrator(caller);
  requireScopes(caller, [LOGINS]);
  requireFresh(tenant, caller, tx.now);
  await requireAsMuchAsAnyone(tx, caller, fail);
}

/** For a text that users will see: one that names an address leads them there. */
export async function requireForText(
  tx: TenantTx,
  tenant: Tenant,
  caller: Caller,
  text: string,
  fail: Fail<'SCOPE_NOT_HELD'>,
): Promise<void> {
  if (namesAddress(text)) await requireMayChangeLogins(tx, tenant, caller, fail);
  else requireScopes(caller, ['write:tenant']);
}

/**
 * Whether a tenant requires a second factor of a user. Only a tenant with `require_mfa_role` costs a statement.
 * @param userId undefined: of a new user, who has no scopes
 * @param gains the roles that the login assigns
 */
export async function requiresSecondFactor(
  tenant: TenantData,
  { require_mfa: ofAll, require_mfa_role: role }: TenantConfig,
  userId: UserId | undefined,
  gains: readonly string[] = [],
): Promise<boolean> {
  if (ofAll || role === null) return ofAll;
  const { held, required } = await findScopesAndRole(tenant, userId, role);
  if (required === null) return true;
  const gained =
    gains.length > 0 ? await tenant.transaction((tx) => findRolesNamed(tx, gains)) : [];
  const scopes = [...held, ...gained.flatMap((one) => one.scopes)];
  return missingScopes(scopes, required).length === 0;
}

/** @returns whether the role exists; it is not deleted before the commit */
export async function lockRole(tx: TenantTx, name: string): Promise<boolean> {
  return (await lockRoles(tx, [name])).length > 0;
}
