import type { SigningKey } from '@keywright/sdk';

interface Course {
  readonly algorithm: SigningKey['algorithm'];
  /** In signing order. */
  readonly keys: readonly SigningKey[];
}

export function byAlgorithm(keys: readonly SigningKey[]): readonly Course[] {
  const names = [...new Set(keys.map(({ algorithm }) => algorithm))];
  return names.map((algorithm) => ({
    algorithm,
    keys: keys
      .filter((key) => key.algorithm === algorithm)
      .toSorted((key, other) => Date.parse(key.signs_from) - Date.parse(other.signs_from)),
  }));
}

/**
 * Whether a token that the key signed can still be valid. A key that signs later has no tokens yet, and the tokens of
 * a retired key are rejected.
 */
export function hasTokens({ state, tokens_until: until }: SigningKey, now: number): boolean {
  if (state === 'next' || state === 'retired') return false;
  return until === null || Date.parse(until) > now;
}
