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
