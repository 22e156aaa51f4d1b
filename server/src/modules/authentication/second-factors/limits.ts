import type { FactorId, TenantId, UserId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';

/** Wrong codes in a row that suspend a factor (NIST SP 800-63B-4 §3.2.2). */
export const MAX_FAILURES = 100;
/** Codes of one method that a user may try. */
export const GUESS_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;
/** Codes that may be tried in one flow. */
const CHALLENGE_LIMIT = 5;

type CountedMethod = 'totp' | 'recovery_code';

/** What guesses of a method at the factors of a user are counted by. */
export function guessSubject(method: CountedMethod, userId: UserId): Buffer {
  return sha256(`${method} ${userId}`);
}

/** The counters of one guess. */
export function countersOf(method: CountedMethod, userId: UserId, challengeId: string, now: Date) {
  return {
    user: userId,
    subject: guessSubject(method, userId),
    limit: GUESS_LIMITS.login_attempts_limit,
    windowSeconds: GUESS_LIMITS.login_attempts_window,
    challenge: sha256(`challenge ${challengeId}`),
    challengeLimit: CHALLENGE_LIMIT,
    maxFailures: MAX_FAILURES,
    now,
  };
}

/** The place that the secret of an authenticator is sealed for. */
export function totpPlace(tenantId: TenantId, id: FactorId): string {
  return `user_factors/${tenantId}/${id}/totp_secret`;
}
