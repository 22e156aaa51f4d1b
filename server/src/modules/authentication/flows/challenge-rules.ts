import type { LoginFlowId } from '@keywright/contract/ids';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { counted, type Subject } from '../../../tenancy/counters.ts';
import type { Shown } from '../proofs/index.ts';

/** Wrong codes of one flow. */
export const GUESSES = 5;
/** Codes that are compared for one recipient, over all flows. */
export const CODE_LIMITS = { login_attempts_limit: 20, login_attempts_window: 3600 } as const;

/** OWASP ASVS 5.0 §6.5.5. */
const LIFE_MS = 10 * 60 * 1000;

export function expiryOf(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS);
}

/** In which wrong codes are counted by tenant. */
const COUNTED_MS = 60 * 60 * 1000;
/** Wrong codes of few users who mistype. */
const MISTYPED = 200;
/** Of the messages that were sent. */
const MISTYPED_SHARE = 0.2;

/** Challenges that expire later than this began within the last hour. */
export function countedFrom(now: Date): Date {
  return new Date(now.getTime() + LIFE_MS - COUNTED_MS);
}

/** Whether there are more wrong codes than users mistype: then codes get longer. */
export function areGuessed({ sent, failed }: { sent: number; failed: number }): boolean {
  return failed > Math.max(MISTYPED, sent * MISTYPED_SHARE);
}

/** Codes are counted by identifier, known or not. */
export function codeSubject(identifier: string): Subject {
  return counted('code', identifier);
}

/**
 * The challenge of a user who adds or verifies an address. A hash stands in place of a flow: whoever asks has a session,
 * and nothing says in plain text what is pending. Each version of the user has another one, so that a code does not
 * outlive a change of the account.
 */
export function verificationOf({ userId, authVersion }: Shown, identifier: string) {
  const pending = sha256(`identifier ${userId} ${authVersion} ${identifier}`).toString('base64url');
  return { flowId: `idn_${pending}` as LoginFlowId, kind: 'verification', identifier } as const;
}

/** What the code of a message is for. That of a second factor proves another factor by SMS than by mail. */
export const MESSAGE_KINDS = [
  'login',
  'verification',
  'recovery',
  'second_factor_sms',
  'second_factor_email',
] as const;
export type ChallengeKind = (typeof MESSAGE_KINDS)[number];

/** The message of a challenge, which its code is derived for as well. */
export function messageKindOf(kind: ChallengeKind) {
  return isFactor(kind) ? 'second_factor' : kind;
}

/** Whether its code is a second factor. */
export function isFactor(
  kind: ChallengeKind,
): kind is Extract<ChallengeKind, `second_factor_${string}`> {
  return kind === 'second_factor_sms' || kind === 'second_factor_email';
}
