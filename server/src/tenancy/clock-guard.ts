import type { SharedClock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** A larger difference means that a clock is wrong, not that the network is slow. */
const MOST_DIFFERENCE_MS = 60_000;

/** The clock of this machine and that of the database differ; the message says by how much, and what to do. */
class ClockWrong extends Error {
  constructor(aheadMs: number) {
    super(describeDifference(aheadMs));
    this.name = 'ClockWrong';
  }
}

/**
 * Compares the clock of this machine with that of the database. The service uses the database's, so a wrong one does not
 * harm what nodes share. But one of the two is wrong, and so is what is stored under it if it is the database's: until
 * they agree, a node neither deletes expired rows nor delivers.
 */
export class ClockGuard {
  readonly #clock: SharedClock;
  readonly #log: Log;
  #wasRight = true;

  constructor(clock: SharedClock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Logs once when it changes. */
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
