import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { counted, type Subject } from '../../../tenancy/counters.ts';

/** Codes of one method that can be tried for a user. */
export const GUESS_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;
/** Codes that can be tried in one flow. */
const CHALLENGE_LIMIT = 5;

type CountedMethod = 'totp' | 'recovery_code';

/**
 * What guesses at a user's factors are counted by. Guesses on each known device are counted separately, so that someone who
 * knows the password, or has stolen one of the devices, cannot use up those of the others.
 */
export function guessSubject(method: CountedMethod, userId: UserId, known = ''): Subject {
  return counted(method === 'totp' ? 'totp' : 'recovery code', userId, known);
}

/** The limits of guesses. */
export const LIMITS = {
  limit: GUESS_LIMITS.login_attempts_limit,
  windowSeconds: GUESS_LIMITS.login_attempts_window,
  challengeLimit: CHALLENGE_LIMIT,
} as const;

/** Whose factors are guessed at, and in which flow. */
export interface Guess {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  /** The ID of the known device that it is made on. Undefined: on another device. */
  readonly known: string | undefined;
  readonly now: Date;
}

/** What one guess is counted by. */
export function countersOf(method: CountedMethod, { userId, challengeId, known }: Guess) {
  return {
    subject: guessSubject(method, userId, known),
    challenge: counted('challenge', challengeId),
  };
}

/** The associated data with which the secret of an authenticator is sealed. */
export function totpPlace(tenantId: TenantId, id: FactorId): string {
  return `user_factors/${tenantId}/${id}/totp_secret`;
}
