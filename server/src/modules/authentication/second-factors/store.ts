import { useRecoveryCode } from '../../../../sql/authentication/kw_use_recovery_code.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { maxFailuresOf } from '../proofs/index.ts';
import { countersOf, type Guess, LIMITS } from './limits.ts';

/** Counts a guess at the recovery codes. If it is right, the next code replaces it. */
export async function tradeRecoveryCode(
  data: TenantData,
  guess: Guess,
  hashes: { readonly code: Buffer; readonly next: Buffer },
) {
  const { userId: user, now } = guess;
  const limits = { ...LIMITS, maxFailures: maxFailuresOf(guess.known) };
  const given = { ...limits, ...countersOf('recovery_code', guess), ...hashes, user, now };
  const [row] = await data.call(useRecoveryCode, given);
  return row;
}
