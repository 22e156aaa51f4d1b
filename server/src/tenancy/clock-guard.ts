import type { SharedClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** A larger difference means that a clock is wrong, not that the network is slow. */
const MOST_DIFFERENCE_MS = 60_000;

/** The clocks of this machine and the database differ; the message has the difference and the fix. */
class ClockWrong extends Error {
  constructor(aheadMs: number) {
    super(describeDifference(aheadMs));
    this.name = 'ClockWrong';
  }
}

/**
 * Compares the clock of this machine with the database's. The service uses the database's clock, so a wrong machine
 * clock does not damage shared data. But the database's clock can also be the wrong one: until they agree, a node
 * deletes no expired rows and runs no jobs.
 */
export class ClockGuard {
  readonly #clock: SharedClock;
  readonly #log: Log;
  #wasRight = true;

  constructor(clock: SharedClock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Whether the clocks agree. Logs once each time this changes. */
  isRight(): boolean {
    const { aheadMs } = this.#clock;
    const isRight = Math.abs(aheadMs) <= MOST_DIFFERENCE_MS;
    if (isRight !== this.#wasRight) {
      this.#wasRight = isRight;
      const fields = { aheadSeconds: Math.round(aheadMs / 1000) };
      if (isRight)
        this.#log.info(fields, 'the clocks of this machine and the database agree again');
      else this.#log.error(fields, describeDifference(aheadMs));
    }
    return isRight;
  }

  /** @throws ClockWrong */
  requireRight(): void {
    const { aheadMs } = this.#clock;
    if (Math.abs(aheadMs) > MOST_DIFFERENCE_MS) throw new ClockWrong(aheadMs);
  }
}

function describeDifference(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return (
    `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. ` +
    'Synchronize both machines by NTP.'
  );
}
