import type { UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import { type Caller, isOneself } from '../../tenancy/caller.ts';
import type { TenantTx } from '../../tenancy/gate.ts';
import { type Holdings, holdsAll, type Role } from './rules.ts';
import { findAgentScopes, findRolesOf, lockRoles, lockUserRoles } from './store.ts';

/** Whether the caller may change, end or delete what is a user's. */
export async function mayActOnUser(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
): Promise<'allowed' | 'outranked' | 'unknown'> {
  const roles = await lockUserRoles(tx, userId);
  if (!roles) return 'unknown';
  const isAllowed = isOneself(caller, userId) || (await stillHoldsAll(tx, caller, roles));
  return isAllowed ? 'allowed' : 'outranked';
}

/** Keeps these roles from being deleted before the commit. @returns whether all of them are there */
export async function holdRoles(tx: TenantTx, names: readonly string[]): Promise<boolean> {
  return (await lockRoles(tx, names)).length === new Set(names).size;
}

/** Whether the caller may give these roles. */
export async function mayGrantRoles(
  tx: TenantTx,
  caller: Caller,
  names: readonly string[],
): Promise<'allowed' | 'not_held' | 'unknown'> {
  const roles = await lockRoles(tx, names);
  if (roles.length < new Set(names).size) return 'unknown';
  return (await stillHoldsAll(tx, caller, roles)) ? 'allowed' : 'not_held';
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

/** What the caller's subject holds at this moment. */
async function findHoldings(tx: TenantTx, caller: Caller): Promise<Holdings> {
  // A visiting administrator is no user here; what they may do goes with their session.
  if (caller.kind === 'visitor') return caller;
  if (caller.kind === 'agent') {
    return { roles: [], scopes: await findAgentScopes(tx, caller.subject) };
  }
  const present = await findRolesOf(tx, caller.subject);
  return {
    roles: present.map((role) => role.name),
    scopes: present.flatMap((role) => role.scopes),
  };
}
