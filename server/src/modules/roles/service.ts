import type { UserId } from '@keywright/contract/ids';
import type { Caller } from '../../tenancy/caller.ts';
import type { TenantTx } from '../../tenancy/gate.ts';
import { holdsAll } from './rules.ts';
import { lockRoles, lockUserRoles } from './store.ts';

/** Whether the caller may change, end or delete what is a user's. */
export async function mayActOnUser(
  tx: TenantTx,
  caller: Caller,
  userId: UserId,
): Promise<'allowed' | 'outranked' | 'unknown'> {
  const roles = await lockUserRoles(tx, userId);
  if (!roles) return 'unknown';
  return userId === caller.userId || holdsAll(caller, roles) ? 'allowed' : 'outranked';
}

/** Whether the caller may give these roles. */
export async function mayGrantRoles(
  tx: TenantTx,
  caller: Caller,
  names: readonly string[],
): Promise<'allowed' | 'not_held' | 'unknown'> {
  const roles = await lockRoles(tx, names);
  if (roles.length < new Set(names).size) return 'unknown';
  return holdsAll(caller, roles) ? 'allowed' : 'not_held';
}
