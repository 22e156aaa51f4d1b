import type { Log } from '../../platform/log.ts';
import { pauseAfterPoll } from './rules.ts';
import type { PendingTable } from './pending-store.ts';

const EVERY_MS = 1000;
/** Maximum random delay of the first poll, so that nodes that start together poll at different moments. */
const MOST_DELAY_MS = 500;

/** A kind of pending work, stored in a table. */
interface Kind {
  /** Name in the logs. */
  readonly name: string;
  readonly table: PendingTable;
  /** Runs what is due. Called about once a second while work is pending, and not again before it has finished. */
  readonly look: () => Promise<unknown>;
}

/** Stops polling. Resolves when polls in progress have finished. */
type Stop = () => Promise<void>;

/**
 * Finds pending work in the database: retries, and work that other nodes left behind. It runs one statement a second
 * for all kinds of work, because polling is all that an idle node does.
 */
export class Poller {
  readonly #findPending: () => Promise<readonly PendingTable[]>;
  /** Whether this node is allowed to run jobs. */
  readonly mayWork: () => boolean;
  readonly #log: Log;
  readonly #registered = new Set<Registration>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #isFailing = false;

  /** @param findPending returns the tables that contain pending work */
  constructor(
    findPending: () => Promise<readonly PendingTable[]>,
    log: Log,
    mayWork: () => boolean = () => true,
  ) {
    this.mayWork = mayWork;
    this.#findPending = findPending;
    this.#log = log;
  }

  /** Starts polling for this kind of work. */
  register(kind: Kind): Stop {
    const registration = new Registration(kind, this.#log);
    this.#registered.add(registration);
    if (this.#registered.size === 1) this.#schedule(Math.random() * MOST_DELAY_MS);
    return async () => {
      this.#registered.delete(registration);
      if (this.#registered.size === 0) clearTimeout(this.#timer);
      await this.#polling;
      await registration.stop();
    };
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll().finally(() => {
        if (this.#registered.size > 0) this.#schedule(EVERY_MS);
      });
    }, ms).unref();
  }

  async #poll(): Promise<void> {
    if (!this.mayWork()) return;
    try {
      const pending = new Set(await this.#findPending());
      this.#isFailing = false;
      for (const registration of this.#registered)
        if (pending.has(registration.table)) registration.look();
    } catch (error) {
      // Logged only once, because the database can be unavailable for a long time.
      if (!this.#isFailing) this.#log.warn({ err: error }, 'the poll for pending work failed');
      this.#isFailing = true;
    }
  }
}

/** A registered kind of work, and the state of its polling. */
class Registration {
  readonly table: PendingTable;
  readonly #kind: Kind;
  readonly #log: Log;
  #inFlight: Promise<void> | undefined;
  #notBeforeMs = 0;
  #isStopped = false;
  #isFailing = false;

  constructor(kind: Kind, log: Log) {
    this.table = kind.table;
    this.#kind = kind;
    this.#log = log;
  }

  look(): void {
    const startedMs = performance.now();
    if (this.#isStopped || this.#inFlight || startedMs < this.#notBeforeMs) return;
    this.#inFlight = this.#run().finally(() => {
      this.#inFlight = undefined;
      const endedMs = performance.now();
      this.#notBeforeMs = endedMs + pauseAfterPoll(endedMs - startedMs);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#inFlight;
  }

  async #run(): Promise<void> {
    const { name, look } = this.#kind;
    try {
      await look();
      this.#isFailing = false;
    } catch (error) {
      const fields = { err: error, queue: name };
      if (!this.#isFailing && !this.#isStopped)
        this.#log.warn(fields, 'a poll for due work failed');
      this.#isFailing = true;
    }
  }
}
