import type { SigningKey } from '@keywright/sdk';

/** A key, and when its successor started to sign. */
export interface CourseKey {
  readonly key: SigningKey;
  /** Undefined for a key that signs, or that will. */
  readonly signedUntil: string | undefined;
}

/** Returns the keys of an algorithm. The one that signs last is first. */
export function courseOf(
  algorithm: SigningKey['algorithm'],
  keys: readonly SigningKey[],
): readonly CourseKey[] {
  const sorted = keys
    .filter((key) => key.algorithm === algorithm)
    .toSorted((key, other) => Date.parse(other.signs_from) - Date.parse(key.signs_from));
  return sorted.map((key, place) => {
    const isPast = key.state === 'previous' || key.state === 'retired';
    return { key, signedUntil: isPast ? sorted[place - 1]?.signs_from : undefined };
  });
}

/**
 * Whether a token that the key signed can still be valid. A key that signs later has no tokens yet, and the tokens of
 * a retired key are rejected.
 */
export function hasTokens({ state, tokens_until: until }: SigningKey, now: number): boolean {
  if (state === 'next' || state === 'retired') return false;
  return until === null || Date.parse(until) > now;
}
