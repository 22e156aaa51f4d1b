/** Of one user, including those that are not confirmed. */
export const MAX_FACTORS = 20;
const UNCONFIRMED_MS = 60 * 60 * 1000;

/** When an authenticator that was added now is deleted unless it is confirmed. */
export function confirmBefore(now: Date): Date {
  return new Date(now.getTime() + UNCONFIRMED_MS);
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
  return !isRecoveryCodes(factor) && isConfirmed(factor);
}

export function isRecoveryCodes({ type }: { readonly type: string }): boolean {
  return type === 'recovery_codes';
}
