import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Core } from './module.ts';

const WRITTEN_AFTER_MS = 250;
const BATCH = 1000;

/** A use of a record in the period that starts at `at`. */
export interface Use<Id extends string, Details = void> {
  readonly tenantId: TenantId;
  readonly id: Id;
  readonly at: Date;
  readonly details: Details;
}

/** Notes that a record of a tenant was used. Never blocks, never throws. */
export type NoteUse<Id extends string, Details = void> = (
  tenantId: TenantId,
  id: Id,
  details: Details,
) => void;

interface Recorded<Id extends string, Details> {
  /** Name of the records in the log. */
  readonly what: string;
  readonly periodMs: number;
  readonly write: (uses: readonly Use<Id, Details>[]) => Promise<void>;
}

/**
 * Writes in the background when records were last used, each at most once per period. After a failure, the next
 * period tries again.
 */
export class Uses<Id extends string, Details = void> {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records: Recorded<Id, Details>;
  #period = 0;
  /** Used in this period. */
  readonly #seen = new Set<Id>();
  /** Used in this period, but not written yet. */
  #waiting: Use<Id, Details>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> = Promise.resolve();

  constructor({ clock, log }: Pick<Core, 'clock' | 'log'>, records: Recorded<Id, Details>) {
    this.#clock = clock;
    this.#log = log;
    this.#records = records;
  }

  readonly note: NoteUse<Id, Details> = (tenantId, id, details) => {
    const { periodMs } = this.#records;
    const present = Math.floor(this.#clock.now().getTime() / periodMs);
    if (present !== this.#period) {
      this.#period = present;
      this.#seen.clear();
    }
    if (this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#waiting.push({ tenantId, id, at: new Date(present * periodMs), details });
    this.#writeSoon();
  };

  /** Writes the recorded uses, and waits for writes in progress. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#inFlight = this.#inFlight.then(() => this.#writeAll());
    await this.#inFlight;
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#inFlight = this.#inFlight.then(() => this.#writeAll());
    }, WRITTEN_AFTER_MS).unref();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.slice(0, BATCH);
      this.#waiting = this.#waiting.slice(BATCH);
      try {
        await this.#records.write(some);
      } catch (error) {
        const { what } = this.#records;
        this.#log.warn({ err: error }, `the last use of some ${what} could not be written`);
      }
    }
  }
}
