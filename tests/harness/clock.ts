import type { Clock } from '@keywright/server/platform/clock';

/** A clock that only tests advance. */
export interface FakeClock extends Clock {
  advance(seconds: number): void;
}

export function fakeClock(start = new Date()): FakeClock {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    advance(seconds) {
      at += seconds * 1000;
    },
  };
}
