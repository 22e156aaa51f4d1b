/** The source of time of the service, which tests can set. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** The time of the database, which all its nodes share. */
export interface SharedClock extends Clock {
  /** How far this machine's clock is ahead of the database's, in milliseconds; negative if it is behind. */
  readonly aheadMs: number;
  /** Measures the difference now. */
  measure(): Promise<void>;
}

/** The clock of an embedded database, which is this machine's clock. */
export const machineClock: SharedClock = {
  now: () => new Date(),
  aheadMs: 0,
  measure: async () => undefined,
};

const MEASURE_EVERY_MS = 1000;

/**
 * The clock of a database server, estimated from its answers. Between answers it follows the process's monotonic clock,
 * which does not change when the machine's clock is set.
 */
export class DatabaseClock implements SharedClock {
  readonly #readTime: () => Promise<number>;
  /**
   * The offset from `performance.now()`, in milliseconds. Until the first answer, it is the offset of the machine's
   * clock.
   */
  #base = Date.now() - performance.now();

  #timer: NodeJS.Timeout | undefined;

  /** @param readTime reads the database's time, in milliseconds since the epoch */
  constructor(readTime: () => Promise<number>) {
    this.#readTime = readTime;
  }

  now(): Date {
    return new Date(this.#base + performance.now());
  }

  get aheadMs(): number {
    return Date.now() - this.#base - performance.now();
  }

  async measure(): Promise<void> {
    const sentAt = performance.now();
    const time = await this.#readTime();
    this.learn(time, sentAt);
  }

  /** Measures every second, for databases without heartbeats. The connection reports failures. */
  startMeasuring(): void {
    this.#timer ??= setInterval(() => void this.measure().catch(() => undefined), MEASURE_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Adjusts the estimate: the database read its clock between `sentAt` and now. An estimate within that interval does
   * not change, since it may come from a faster answer.
   * @param time of the database, in milliseconds since the epoch
   * @param sentAt by `performance.now()`
   */
  learn(time: number, sentAt: number): void {
    this.#base = Math.min(Math.max(this.#base, time - performance.now()), time - sentAt);
  }
}

/** Seconds since the epoch, rounded down (RFC 7519 NumericDate). */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
