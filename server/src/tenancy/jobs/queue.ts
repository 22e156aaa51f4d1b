import { setTimeout as wait } from 'node:timers/promises';
import type { Definition, KeyRef } from './definition.ts';
import type { JobVerdict } from './jobs.ts';
import type { Surroundings } from './leases.ts';
import type { Poller } from './poller.ts';
import { Worker } from './worker.ts';

/** How long jobs in progress can continue at shutdown. */
const GRACE_MS = 3000;

/** Runs jobs of one kind. Every node has such a queue, and the nodes share the work. */
export class JobQueue<Job, Key extends string = string, Verdict = JobVerdict> {
  readonly #definition: Definition<Job, Verdict, Key>;
  readonly #poller: Poller;
  readonly #worker: Worker<Job, Verdict, Key>;
  #stopPolling: (() => Promise<void>) | undefined;

  constructor(
    definition: Definition<Job, Verdict, Key>,
    around: Surroundings & { readonly poller: Poller },
  ) {
    this.#definition = definition;
    this.#poller = around.poller;
    this.#worker = new Worker(definition, around);
  }

  /** Starts polling for due jobs, every second. */
  start(): void {
    const { name, table } = this.#definition;
    this.#stopPolling = this.#poller.register({ name, table, look: () => this.#look() });
  }

  /** Wakes the worker for a key with due jobs. */
  wake(key: KeyRef<Key>): void {
    this.#worker.wake([key]);
  }

  /** Runs jobs that were just queued and are leased to this node. */
  take(jobs: readonly Job[]): void {
    this.#worker.take(jobs);
  }

  /** Polls once. Resolves when all jobs that this node claimed are done. */
  async runDue(): Promise<void> {
    await this.#look();
    await this.#worker.settle();
  }

  /**
   * Stops claiming jobs. Resolves when no job is in progress; after a grace period, other nodes run the remaining
   * jobs.
   */
  async stop(): Promise<void> {
    this.#worker.stop();
    await this.#stopPolling?.();
    await Promise.race([this.#worker.settle(), wait(GRACE_MS, undefined, { ref: false })]);
    await this.#worker.cutOff();
  }

  async #look(): Promise<void> {
    this.#worker.wake(await this.#definition.findDue());
  }
}
