import { createCache } from '../../../platform/cache/cache.ts';

const REFUSALS_IN_A_ROW = 5;
const PAUSE_MS = 5 * 60_000;
const MOST_KEYS = 10_000;

interface State {
  readonly refusals: number;
  readonly pausedUntil: number;
}

/** Pauses servers that refuse the login or TLS: more attempts would lock the account there. */
export interface Breaker {
  readonly isPaused: (key: string, now: Date) => boolean;
  readonly succeeded: (key: string) => void;
  /** @returns whether it is failing from now on, and was not before */
  readonly refused: (key: string, now: Date) => boolean;
}

export function createBreaker(): Breaker {
  const states = createCache<string, State>(MOST_KEYS);
  return {
    isPaused: (key, now) => (states.get(key)?.pausedUntil ?? 0) > now.getTime(),
    succeeded: (key) => states.delete(key),
    refused(key, now) {
      const refusals = (states.get(key)?.refusals ?? 0) + 1;
      const pausedUntil = refusals >= REFUSALS_IN_A_ROW ? now.getTime() + PAUSE_MS : 0;
      states.set(key, { refusals, pausedUntil });
      return refusals === REFUSALS_IN_A_ROW;
    },
  };
}
