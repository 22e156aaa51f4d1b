import { isFresh } from '@keywright/contract/assurance';
import type { Fail } from '@keywright/contract/errors';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { lockActiveUser } from './store.ts';

/**
 * Locks the caller, whose ways in are about to change. NIST SP 800-63B-4 §4.1.2.1: if they have a second factor, they
 * logged in with it.
 * @throws AppError TOKEN_INVALID, STEP_UP_REQUIRED
 */
export async function lockOneself(
  tx: TenantTx,
  { subject, claims }: UserCaller,
  fail: Fail<'TOKEN_INVALID' | 'STEP_UP_REQUIRED'>,
): Promise<void> {
  const user = (await lockActiveUser(tx, subject)) ?? fail('TOKEN_INVALID');
  const demand = { acr: user.has_second_factor ? 'aal2' : 'aal1' } as const;
  if (!isFresh(claims, demand, tx.now.getTime() / 1000)) {
    fail('STEP_UP_REQUIRED', { stepUp: demand });
  }
}
