import type { UserId } from '@keywright/contract/ids';
import type { Fail } from '@keywright/contract/errors';
import { missingScopes } from '@keywright/contract/scopes';
import { type Caller, isInTheNameOf, isOneself } from '../../tenancy/caller.ts';
import type { TenantTx } from '../../tenancy/gate.ts';
import { SYSTEM_ADMIN } from './builtin.ts';
import { type Holdings, holdsAll, type Role, type ScopeChange, scopeChange } from './rules.ts';
import {
  findAgentScopes,
  findRolesNamed,
  findUsableRolesOf,
  lockHoldersOf,
  lockRoles,
  lockUser,
  othersHold,
} from './store.ts';

/**
 * Lets the caller change, end or delete what belongs to a user, who is locked until the commit. Every rule that says
 * "not oneself" rests on this one: what nobody may do to themselves is not done by somebody in their name either.
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
    // Who was disabled while they asked must not make themselves active again.
    return user.isActive ? undefined : fail('SCOPE_NOT_HELD');
  }
  if (!(await stillHoldsAll(tx, caller, user.roles))) fail('SCOPE_NOT_HELD');
  // Whoever can log in as a user keeps what that user holds after the delegation has ended.
  if (isCredential && !mayPassOn(caller, user.roles)) fail('SCOPE_NOT_HELD');
}

/**
 * Whether nobody active would be left who administers the system, without this user. The answer holds until
 * the commit: two who remove each other do so one after the other. The caller has locked the user.
 */
export async function isLastSystemAdministrator(tx: TenantTx, userId: UserId): Promise<boolean> {
  const roles = await findUsableRolesOf(tx, userId);
  if (roles.every((role) => role.name !== SYSTEM_ADMIN)) return false;
  await lockHoldersOf(tx, SYSTEM_ADMIN);
  return !(await othersHold(tx, SYSTEM_ADMIN, userId));
}

/** Keeps these roles from being deleted before the commit. @returns whether all of them are there */
export async function holdRoles(tx: TenantTx, names: readonly string[]): Promise<boolean> {
  return (await lockRoles(tx, names)).length === new Set(names).size;
}

/** Says which of these roles there are not. */
export async function refuseUnknownRoles(
  tx: TenantTx,
  names: readonly string[],
  fail: Fail<'ROLE_UNKNOWN'>,
): Promise<never> {
  const known = (await lockRoles(tx, names)).map((role) => role.name);
  const unknown = [...new Set(names)].filter((name) => !known.includes(name));
  return fail('ROLE_UNKNOWN', { detail: `This tenant has no role ${unknown.join(', ')}.` });
}

/** Whether the caller may give these roles. */
export async function mayGrantRoles(
  tx: TenantTx,
  caller: Caller,
  names: readonly string[],
): Promise<'allowed' | 'not_held' | 'unknown'> {
  const roles = await lockRoles(tx, names);
  if (roles.length < new Set(names).size) return 'unknown';
  const isHeld = mayPassOn(caller, roles) && (await stillHoldsAll(tx, caller, roles));
  return isHeld ? 'allowed' : 'not_held';
}

/** What a delegate has is lent: it gives none of it to anybody. */
export function mayPassOn(caller: Caller, roles: readonly Pick<Role, 'scopes'>[]): boolean {
  return caller.kind !== 'delegate' || roles.every((role) => role.scopes.length === 0);
}

/** By the credential, and by what its subject has now: who lost a role must not give it back to themselves. */
async function stillHoldsAll(
  tx: TenantTx,
  caller: Caller,
  roles: readonly Role[],
): Promise<boolean> {
  return holdsAll(caller, roles) && holdsAll(await findHoldings(tx, caller), roles);
}

/** Those among the scopes that the caller can't give: by the credential, or by what its subject has now. */
export async function scopesNotHeld(
  tx: TenantTx,
  caller: Caller,
  scopes: readonly string[],
): Promise<string[]> {
  const missing = [
    ...missingScopes(caller.scopes, scopes),
    ...missingScopes((await findHoldings(tx, caller)).scopes, scopes),
  ];
  return [...new Set(missing)];
}

/** Which roles somebody gains and loses, and what they may do by it that they could not before. */
export interface RoleChange extends ScopeChange {
  readonly roles_gained: string[];
  readonly roles_lost: string[];
}

/** What it means that somebody had the one roles and has the others now. */
export async function roleChange(
  tx: TenantTx,
  before: readonly string[],
  after: readonly string[],
): Promise<RoleChange> {
  const roles = await findRolesNamed(tx, [...new Set([...before, ...after])]);
  const scopesOf = (names: readonly string[]) =>
    roles.flatMap((role) => (names.includes(role.name) ? role.scopes : []));
  return {
    roles_gained: [...new Set(after)].filter((name) => !before.includes(name)),
    roles_lost: [...new Set(before)].filter((name) => !after.includes(name)),
    ...scopeChange(scopesOf(before), scopesOf(after)),
  };
}

/** What the caller's subject holds at this moment. */
async function findHoldings(tx: TenantTx, caller: Caller): Promise<Holdings> {
  // A visiting administrator is no user here; what they may do goes with their session.
  if (caller.kind === 'visitor') return caller;
  if (caller.kind === 'agent') {
    return { roles: [], scopes: await findAgentScopes(tx, caller.subject) };
  }
  const present = await findUsableRolesOf(tx, caller.subject);
  return {
    roles: present.map((role) => role.name),
    scopes: present.flatMap((role) => role.scopes),
  };
}
