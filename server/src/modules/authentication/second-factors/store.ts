import type { FactorId, UserId } from '@keywright/contract/ids';
import { guessTotp } from '../../../../sql/authentication/kw_guess_totp.ts';
import { useRecoveryCode } from '../../../../sql/authentication/kw_use_recovery_code.ts';
import { useTotp } from '../../../../sql/authentication/kw_use_totp.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { countersOf } from './limits.ts';

/** Whose guess it is, and in which flow. */
export interface Guess {
  readonly userId: UserId;
  readonly challengeId: string;
  readonly now: Date;
}

/** Counts a guess. @returns the authenticators that it may be a code of */
export function takeTotpGuess(data: TenantData, { userId, challengeId, now }: Guess) {
  return data.call(guessTotp, countersOf('totp', userId, challengeId, now));
}

/** @returns `users.auth_version`; undefined if a code of this time step was used before */
export async function acceptTotp(
  data: TenantData,
  { userId, now }: Guess,
  factor: FactorId,
  step: number,
): Promise<number | undefined> {
  const [row] = await data.call(useTotp, { user: userId, factor, step, now });
  return row?.answer ?? undefined;
}

/** Counts a guess at the recovery codes. If it is right, the next one takes the place of the code. */
export async function tradeRecoveryCode(
  data: TenantData,
  { userId, challengeId, now }: Guess,
  hashes: { readonly code: Buffer; readonly next: Buffer },
) {
  const counters = countersOf('recovery_code', userId, challengeId, now);
  const [row] = await data.call(useRecoveryCode, { ...counters, ...hashes });
  return row;
}
