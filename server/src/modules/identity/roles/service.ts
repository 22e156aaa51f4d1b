import type { UserId } from '@keywright/contract/ids';
import type { Fail } from '@keywright/contract/errors';
import { missingScopes } from '@keywright/contract/scopes';
import { type Caller, isInTheNameOf, isOneself } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { SYSTEM_ADMIN } from './builtin.ts';
import { type Holdings, lackedOf, type Role, type ScopeChange, scopeChange } from './rules.ts';
import {
  findAgentScopes,
  findRolesNamed,
  findUsableRolesOf,
  lockHoldersOf,
  lockRoles,
  lockUser,
  othersHold,
} from './store.ts';

const DEACTIVATED = 'Your user is no longer active, so you hold no scopes.';

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
    return user.isActive ? undefined : fail('SCOPE_NOT_HELD', { detail: DEACTIVATED });
  }
  await requireAsMuch(tx, caller, user.roles, 'This user holds', fail);
  // Whoever can log in as a user keeps what that user holds after the delegation has ended.
  if (isCredential) requireOwn(caller, user.roles, fail);
}

/**
 * Lets the caller act on those who have these roles, which are all that they have.
 * @param whose how a refusal begins
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
  return fail('ROLE_UNKNOWN', {
    detail: `This tenant has no role named ${unknown.join(', ')}. GET /roles lists its roles.`,
  });
}

/**
 * Lets the caller give these roles, none of which is deleted before the commit.
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

/** What a delegate has is lent: it gives none of it to anybody. */
export function requireOwn(
  caller: Caller,
  roles: readonly Pick<Role, 'scopes'>[],
  fail: Fail<'SCOPE_NOT_HELD'>,
): void {
  const lent = new Set(roles.flatMap((role) => role.scopes));
  if (caller.kind !== 'delegate' || lent.size === 0) return;
  const detail = `With a delegation you cannot pass on: ${[...lent].join(', ')}.`;
  fail('SCOPE_NOT_HELD', { detail });
}

/** By the credential, and by what its subject has now: who lost a role must not give it back to themselves. */
async function findLacked(tx: TenantTx, caller: Caller, roles: readonly Role[]): Promise<string[]> {
  const lacked = lackedOf(caller, roles);
  return lacked.length > 0 ? lacked : lackedOf(await findHoldings(tx, caller), roles);
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
  // A impersonating administrator is no user here; what they may do goes with their session.
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
