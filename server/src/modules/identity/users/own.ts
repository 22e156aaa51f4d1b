import { isFresh } from '@keywright/contract/assurance';
import { lockActiveUser } from './auth-version-store.ts';
import type { Fail } from '@keywright/contract/errors';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

/**
 * Locks the caller, whose ways in are about to change. NIST SP 800-63B-4 §4.1.2.1: if they have a second factor, they
 * logged in with it.
 * @param maxAge how long ago, in seconds; default: any time, as where the route demands a recent login of everybody
 * @returns `users.auth_version`
 * @throws AppError TOKEN_INVALID, STEP_UP_REQUIRED
 */
export async function lockOneself(
  tx: TenantTx,
  { subject, claims }: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
  maxAge?: number,
): Promise<{ readonly auth_version: number }> {
  const user = (await lockActiveUser(tx, subject)) ?? fail('TOKEN_INVALID');
  const demand = user.has_second_factor ? { acr: 'aal2' as const, maxAge } : {};
  if (!isFresh(claims, demand, tx.now.getTime() / 1000)) {
    fail('STEP_UP_REQUIRED', { stepUp: demand });
  }
  return user;
}
