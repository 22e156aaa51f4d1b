import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { counted, type Subject } from '../../../tenancy/counters.ts';
import { MAX_FAILURES } from '../proofs/index.ts';

/** Codes of one method that a user may try. */
export const GUESS_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;
/** Codes that may be tried in one flow. */
const CHALLENGE_LIMIT = 5;

type CountedMethod = 'totp' | 'recovery_code';

/**
 * What guesses of a method at the factors of a user are counted by. Those on devices that the user has logged in from are
 * counted separately: whoever knows only the password cannot use them up.
 */
export function guessSubject(method: CountedMethod, userId: UserId, isKnown = false): Subject {
  return counted(method === 'totp' ? 'totp' : 'recovery code', userId, isKnown ? 'known' : '');
}

/** The limits of guesses. */
export const LIMITS = {
  limit: GUESS_LIMITS.login_attempts_limit,
  windowSeconds: GUESS_LIMITS.login_attempts_window,
  challengeLimit: CHALLENGE_LIMIT,
} as const;

/** Wrong codes in a row that suspend a factor. Those of strangers leave as many again to the devices of its user. */
export function maxFailuresOf({ isKnown }: Pick<Guess, 'isKnown'>): number {
  return isKnown ? 2 * MAX_FAILURES : MAX_FAILURES;
}

/** Whether the last of these wrong codes in a row has suspended a factor. */
export function hasSuspended(failures: number): boolean {
  return failures > 0 && failures % MAX_FAILURES === 0;
}

/** Whose guess it is, and in which flow. */
export interface Guess {
  readonly tenantId: TenantId;
  readonly userId: UserId;
  readonly challengeId: string;
  /** On a device that the user has logged in from. */
  readonly isKnown: boolean;
  readonly now: Date;
}

/** What one guess is counted by. */
export function countersOf(method: CountedMethod, { userId, challengeId, isKnown }: Guess) {
  return {
    subject: guessSubject(method, userId, isKnown),
    challenge: counted('challenge', challengeId),
  };
}

/** The place that the secret of an authenticator is sealed for. */
export function totpPlace(tenantId: TenantId, id: FactorId): string {
  return `user_factors/${tenantId}/${id}/totp_secret`;
}
