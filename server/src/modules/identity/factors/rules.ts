import type { FactorId, TenantId } from '@keywright/contract/ids';

/** Of one user, including those that are not confirmed. */
export const MAX_FACTORS = 20;
/** Wrong codes in a row that suspend a factor (NIST SP 800-63B-4 §3.2.2). */
export const MAX_FAILURES = 100;
/** Codes of one method that a user may try. */
export const GUESS_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;
const UNCONFIRMED_MS = 60 * 60 * 1000;

/** When an authenticator that was added now is deleted unless it is confirmed. */
export function confirmBefore(now: Date): Date {
  return new Date(now.getTime() + UNCONFIRMED_MS);
}

/** The place that the secret of an authenticator is sealed for. */
export function totpPlace(tenantId: TenantId, id: FactorId): string {
  return `user_factors/${tenantId}/${id}/totp_secret`;
}

interface Confirmable {
  readonly confirmed_at: Date | null;
}

/** Until then, a factor counts for nothing. */
export function isConfirmed({ confirmed_at: at }: Confirmable): boolean {
  return at !== null;
}

/** Whether logins need it. */
export function isAuthenticator(factor: Confirmable & { readonly type: string }): boolean {
  return factor.type === 'totp' && isConfirmed(factor);
}

export function isRecoveryCodes({ type }: { readonly type: string }): boolean {
  return type === 'recovery_codes';
}
