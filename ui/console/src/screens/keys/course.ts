import type { SigningKey } from '@keywright/sdk';

interface Course {
  readonly algorithm: SigningKey['algorithm'];
  /** In the order in which they sign. */
  readonly keys: readonly SigningKey[];
}

export function byAlgorithm(keys: readonly SigningKey[]): readonly Course[] {
  const names = [...new Set(keys.map(({ algorithm }) => algorithm))];
  return names.map((algorithm) => ({
    algorithm,
    keys: keys
      .filter((key) => key.algorithm === algorithm)
      .toSorted((one, other) => Date.parse(one.signs_from) - Date.parse(other.signs_from)),
  }));
}

/** Whether a token that it signed may still be valid: one that signs later has none yet, and those of a retired one are rejected. */
export function hasTokens({ state, tokens_until: until }: SigningKey, now: number): boolean {
  if (state === 'next' || state === 'retired') return false;
  return until === null || Date.parse(until) > now;
}
