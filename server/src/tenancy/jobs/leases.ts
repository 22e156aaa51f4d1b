import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Definition, Ended } from './definition.ts';

/** A lease is renewed each time a third of its duration has passed. */
const RENEWALS_IN_A_LEASE = 3;
/** How long a finished job waits to be stored together with others, and the maximum number in a batch. */
const GATHER_MS = 100;
const MOST_AT_ONCE = 200;

export interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
}

/** The parts of a job definition that leases need. */
type LeasedJobs<Job, Verdict> = Pick<
  Definition<Job, Verdict>,
  'name' | 'leaseSeconds' | 'renew' | 'finish'
>;

/** Renews the leases of jobs in progress, and stores their results in batches. */
export class Leases<Job, Verdict> {
  readonly #definition: LeasedJobs<Job, Verdict>;
  readonly #around: Surroundings;
  readonly #renewEveryMs: number;
  /** Jobs in progress, each with the time of its last renewal on the process's monotonic clock. */
  readonly #inFlight = new Map<Job, number>();
  readonly #writing = new Set<Promise<void>>();
  #ended: Ended<Job, Verdict>[] = [];
  #flushing: NodeJS.Timeout | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(definition: LeasedJobs<Job, Verdict>, around: Surroundings) {
    this.#definition = definition;
    this.#around = around;
    this.#renewEveryMs = (definition.leaseSeconds * 1000) / RENEWALS_IN_A_LEASE;
  }

  /** Whether the lease of a job that this node queued at that time still lasts long enough to start the job. */
  isStillLeased(queuedMs: number): boolean {
    return performance.now() - queuedMs < this.#renewEveryMs;
  }

  start(job: Job): void {
    this.#inFlight.set(job, performance.now());
    this.#renewing ??= setTimeout(() => this.#renew(), this.#renewEveryMs).unref();
  }

  isInFlight(job: Job): boolean {
    return this.#inFlight.has(job);
  }

  inFlight(): Job[] {
    return [...this.#inFlight.keys()];
  }

  end(job: Job, verdict: Verdict): void {
    this.#inFlight.delete(job);
    this.#ended.push({ job, verdict });
    if (this.#ended.length >= MOST_AT_ONCE) this.#flush();
    else this.#flushing ??= setTimeout(() => this.#flush(), GATHER_MS).unref();
  }

  get isSettled(): boolean {
    return this.#ended.length + this.#writing.size === 0;
  }

  /** Resolves when all results are stored. */
  async settle(): Promise<void> {
    this.#flush();
    await Promise.all(this.#writing);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#renewing);
  }

  #flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    const ended = this.#ended;
    if (ended.length === 0) return;
    this.#ended = [];
    const writing = this.#write(ended).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** If this fails, the lease expires and the jobs are run again. */
  async #write(ended: readonly Ended<Job, Verdict>[]): Promise<void> {
    try {
      await this.#definition.finish(ended);
    } catch (error) {
      this.#warn(error, 'the results of jobs were not stored');
    }
  }

  /** Repeats while jobs are in progress. */
  #renew(): void {
    const now = performance.now();
    const long = this.#inFlight
      .entries()
      .filter(([, renewedMs]) => now - renewedMs >= this.#renewEveryMs / 2);
    const jobs = [...long].map(([job]) => job);
    for (const job of jobs) this.#inFlight.set(job, now);
    const { leaseSeconds, renew } = this.#definition;
    const until = new Date(this.#around.clock.now().getTime() + leaseSeconds * 1000);
    const renewal = jobs.length > 0 ? renew(jobs, until) : undefined;
    renewal?.catch((error: unknown) => this.#warn(error, 'the leases of jobs were not renewed'));
    const isOver = this.#inFlight.size === 0 || this.#isStopped;
    this.#renewing = isOver
      ? undefined
      : setTimeout(() => this.#renew(), this.#renewEveryMs).unref();
  }

  #warn(error: unknown, message: string): void {
    const { name } = this.#definition;
    if (!this.#isStopped) this.#around.log.warn({ err: error, queue: name }, message);
  }
}
