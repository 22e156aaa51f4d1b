import type { Core } from '../../../tenancy/module.ts';
import type { Sweep } from '../../../tenancy/sweep-store.ts';

const EVERY_MS = 5 * 60 * 1000;

/** The modules' work that housekeeping runs. */
interface Chores {
  /** Complete work that a crash interrupted. */
  readonly resumes: readonly (() => Promise<void>)[];
  readonly sweeps: readonly Sweep[];
}

/**
 * Resumes interrupted work at startup and at intervals, and deletes expired rows at intervals. Expired rows can wait
 * for the first interval, since nothing reads them and a start has enough to do.
 */
export class Housekeeping {
  readonly #core: Pick<Core, 'system' | 'clock' | 'poller' | 'log'>;
  readonly #chores: Chores;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<unknown> = Promise.resolve();

  constructor(core: Pick<Core, 'system' | 'clock' | 'poller' | 'log'>, chores: Chores) {
    this.#core = core;
    this.#chores = chores;
  }

  get sweeps(): readonly Sweep[] {
    return this.#chores.sweeps;
  }

  /** @param isRepeated false: only resumes work, once */
  start(isRepeated = true): void {
    this.#runInBackground({ resumes: this.#chores.resumes, sweeps: [] });
    if (!isRepeated) return;
    this.#timer = setInterval(() => this.#runInBackground(this.#chores), EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Works until nothing is left to do.
   * @returns the number of deleted rows
   * @throws AggregateError after trying everything, if anything failed
   */
  sweep(): Promise<number> {
    return this.#run(this.#chores);
  }

  /** Resolves when no work is in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#timer);
    await this.#inFlight;
  }

  #runInBackground(chores: Chores): void {
    this.#inFlight = this.#run(chores).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) {
        this.#core.log.error({ err: error }, 'housekeeping failed');
      }
    });
  }

  async #run({ resumes, sweeps }: Chores): Promise<number> {
    let deleted = 0;
    const errors: unknown[] = [];
    const deleteRows = async (sweep: Sweep) => void (deleted += await this.#deleteExpired(sweep));
    const work = [...resumes, ...sweeps.map((sweep) => () => deleteRows(sweep))];
    // A failure does not stop the other tasks.
    for (const task of work) await task().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, 'Some housekeeping failed.');
    return deleted;
  }

  async #deleteExpired({ table, deleteBatch }: Sweep): Promise<number> {
    const { system, clock, poller } = this.#core;
    let deleted = 0;
    while (!this.#stopping.signal.aborted && poller.mayWork()) {
      const work = `delete rows of ${table} that are over`;
      const count = await system.maintain(work, (tx) => deleteBatch(tx, clock.now()));
      if (count === 0) break;
      deleted += count;
    }
    return deleted;
  }
}
