import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Condition, Definition, KeyRef, Release, JobClaim } from './definition.ts';
import type { JobVerdict } from './jobs.ts';
import { KeyQueues } from './key-queues.ts';
import { Leases, type Surroundings } from './leases.ts';
import type { Poller } from './poller.ts';

/** A job that takes longer than this counts as slow. */
const SLOW_MS = 1000;
/** How long jobs in progress can continue at shutdown. */
const GRACE_MS = 3000;

/** A job that this node queued, and the time of queuing on the process's monotonic clock. */
interface Fresh<Job> {
  readonly job: Job;
  readonly queuedMs: number;
}

/**
 * Runs jobs of one kind, either claimed from the database or as they are created, and stores their results. Every node
 * has such a queue, and the nodes share the work.
 */
export class JobQueue<Job, Key extends string = string, Verdict = JobVerdict> {
  readonly #definition: Definition<Job, Verdict, Key>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #poller: Poller;
  readonly #queues: KeyQueues<Fresh<Job>, Key>;
  readonly #leases: Leases<Job, Verdict>;
  readonly #inFlight = new Set<Promise<void>>();
  #claiming: Promise<void> | undefined;
  #stopPolling: (() => Promise<void>) | undefined;
  #isStopped = false;

  constructor(
    definition: Definition<Job, Verdict, Key>,
    around: Surroundings & { readonly poller: Poller },
  ) {
    this.#definition = definition;
    this.#clock = around.clock;
    this.#log = around.log;
    this.#poller = around.poller;
    this.#queues = new KeyQueues(definition.room);
    this.#leases = new Leases(definition, around);
  }

  /** Starts polling for due jobs, every second. */
  start(): void {
    const { name, table } = this.#definition;
    this.#stopPolling = this.#poller.register({ name, table, look: () => this.#look() });
  }

  /** Claims due jobs of this key. */
  wake(key: KeyRef<Key>): void {
    this.#queues.add(key);
    this.#next();
  }

  /** Runs jobs that were just queued and are leased to this node. Jobs that it cannot run now wait in the database. */
  take(jobs: readonly Job[]): void {
    const queuedMs = performance.now();
    const mayWork = this.#poller.mayWork();
    for (const job of jobs) {
      const hasRoom = mayWork && this.#queues.offer(this.#definition.keyOf(job), { job, queuedMs });
      if (!hasRoom) this.#release(job, 'waits');
    }
    this.#next();
  }

  /** Polls once. Resolves when all jobs that this node claimed are done. */
  async runDue(): Promise<void> {
    await this.#look();
    await this.#settle();
  }

  /**
   * Stops claiming jobs. Resolves when no job is in progress; after a grace period, other nodes run the remaining
   * jobs.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#leases.stop();
    await this.#stopPolling?.();
    await Promise.race([this.#settle(), wait(GRACE_MS, undefined, { ref: false })]);
    await this.#cutOff();
  }

  async #look(): Promise<void> {
    for (const key of await this.#definition.findDue()) this.#queues.add(key);
    this.#next();
  }

  /** Resolves when no job is in progress, and all results are stored. */
  async #settle(): Promise<void> {
    while (this.#claiming || this.#inFlight.size > 0 || !this.#leases.isSettled) {
      await this.#claiming;
      await Promise.all(this.#inFlight);
      // Storing results can wake further jobs.
      await this.#leases.settle();
    }
  }

  /** Abandons jobs in progress: other nodes run them again, and the results here are not stored. */
  async #cutOff(): Promise<void> {
    this.#inFlight.clear();
    for (const job of this.#leases.inFlight()) this.#release(job, 'closed');
    await this.#settle();
  }

  #release(job: Job, why: Release): void {
    this.#leases.end(job, this.#definition.release(why, this.#clock.now()));
  }

  #next(): void {
    if (this.#isStopped || !this.#poller.mayWork()) return;
    for (const { job, queuedMs } of this.#queues.takeFresh()) {
      if (this.#leases.isStillLeased(queuedMs)) this.#track(this.#do(job));
      else this.#queues.putOff(this.#definition.keyOf(job));
    }
    this.#claim();
  }

  /** Claims one round at a time. Keys that are woken meanwhile join the next round. */
  #claim(): void {
    if (this.#claiming) return;
    const round = this.#queues.next();
    if (round.length === 0) return;
    this.#claiming = this.#takeDue(round).finally(() => {
      this.#claiming = undefined;
      this.#next();
    });
  }

  async #takeDue(round: readonly JobClaim<Key>[]): Promise<void> {
    const { claim, keyOf, name } = this.#definition;
    try {
      const claimed = await claim(round, this.#clock.now());
      this.#queues.enter(round, claimed.map(keyOf));
      for (const job of claimed) {
        if (this.#isStopped) this.#release(job, 'closed');
        else this.#track(this.#do(job));
      }
    } catch (error) {
      // The jobs wait for the next poll.
      this.#queues.enter(round, []);
      const fields = { err: error, queue: name };
      if (!this.#isStopped) this.#log.warn(fields, 'jobs could not be claimed');
    }
  }

  #track(work: Promise<void>): void {
    this.#inFlight.add(work);
    void work.finally(() => {
      this.#inFlight.delete(work);
      this.#next();
    });
  }

  async #do(job: Job): Promise<void> {
    const { attempt, keyOf, release, judge, name } = this.#definition;
    const key = keyOf(job);
    const startedMs = performance.now();
    this.#leases.start(job);
    const verdict = await attempt(job).catch((error: unknown): Verdict => {
      this.#log.error({ err: error, queue: name, ...key }, 'a job could not be run');
      return release('internal', this.#clock.now());
    });
    if (!this.#leases.isInFlight(job)) return;
    this.#leases.end(job, verdict);
    const condition = judge(verdict);
    if (condition === 'released') this.#queues.putOff(key);
    else this.#queues.finish(key, slowIf(performance.now() - startedMs > SLOW_MS, condition));
  }
}

function slowIf(isSlow: boolean, condition: Condition | undefined): Condition | undefined {
  return isSlow && condition === 'well' ? 'slow' : condition;
}
