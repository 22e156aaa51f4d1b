import type { UserId } from '@keywright/contract/ids';
import type { Caller } from '../../tenancy/caller.ts';
import type { TenantTx } from '../../tenancy/gate.ts';
import { holdsAll, type Role } from './rules.ts';
import { findRolesOf, lockRoles, lockUserRoles } from './store.ts';

/** Whether the caller may change, end or delete what is a user's. */
export async function mayActOnUser(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
): Promise<'allowed' | 'outranked' | 'unknown'> {
  const roles = await lockUserRoles(tx, userId);
  if (!roles) return 'unknown';
  const isAllowed = userId === caller.userId || (await stillHoldsAll(tx, caller, roles));
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

/** By the token, and by what its user has now: who lost a role must not give it back to themselves. */
async function stillHoldsAll(
  tx: TenantTx,
  caller: Caller,
  roles: readonly Role[],
): Promise<boolean> {
  if (!holdsAll(caller, roles)) return false;
  // A visiting administrator is no user here; what they may do goes with their session.
  if (caller.isVisiting) return true;
  const present = await findRolesOf(tx, caller.userId);
  return holdsAll(
    { roles: present.map((role) => role.name), scopes: present.flatMap((role) => role.scopes) },
    roles,
  );
}
