import type { LoginFlowId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { counted, type Subject } from '../../../tenancy/counters.ts';
import type { Shown } from '../proofs/index.ts';

/** Maximum number of wrong codes in a flow. */
export const GUESSES = 5;
/** Limits the codes that are compared for a recipient, across all flows. */
export const CODE_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;

/** OWASP ASVS 5.0 §6.5.5. */
const LIFE_MS = 10 * 60 * 1000;

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS);
}

/** The period for counting the wrong codes of a tenant. */
const COUNTED_MS = 60 * 60 * 1000;
/** The number of wrong codes to expect from a few users who mistype. */
const MISTYPED = 200;
/** The share of messages whose codes users are expected to mistype. */
const MISTYPED_SHARE = 0.2;

/** Returns the earliest expiry of challenges that started within the last hour. */
export function countedFrom(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS - COUNTED_MS);
}

/** Whether there are more wrong codes than mistyping explains: then codes get longer. */
export function areGuessed({ sent, failed }: { sent: number; failed: number }): boolean {
  return failed > Math.max(MISTYPED, sent * MISTYPED_SHARE);
}

/** The counter of an identifier's codes, whether or not a user has the identifier. */
export function codeSubject(identifier: string): Subject {
  return counted('code', identifier);
}

/**
 * The challenge for a user who adds or verifies an address. A hash replaces the flow ID: the user has a session, and
 * nothing reveals in plain text what is pending. The hash differs for each version of the user, so that a code does
 * not outlive a change of the account.
 */
export function verificationOf({ userId, authVersion }: Shown, identifier: string) {
  const pending = sha256(`identifier ${userId} ${authVersion} ${identifier}`).toString('base64url');
  return { flowId: `idn_${pending}` as LoginFlowId, kind: 'verification', identifier } as const;
}

/** The purposes of codes. A code by SMS proves a different second factor than a code by email. */
export const MESSAGE_KINDS = [
  'login',
  'verification',
  'recovery',
  'second_factor_sms',
  'second_factor_email',
] as const;
export type ChallengeKind = (typeof MESSAGE_KINDS)[number];

/** Returns the kind of message for a challenge. The code is derived from it. */
export function messageKindOf(kind: ChallengeKind) {
  return isFactor(kind) ? 'second_factor' : kind;
}

/** Whether the code proves a second factor. */
export function isFactor(
  kind: ChallengeKind,
): kind is Extract<ChallengeKind, `second_factor_${string}`> {
  return kind === 'second_factor_sms' || kind === 'second_factor_email';
}
