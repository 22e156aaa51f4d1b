import { setTimeout as wait } from 'node:timers/promises';
import type { Definition, KeyRef } from './definition.ts';
import type { JobVerdict } from './jobs.ts';
import type { Surroundings } from './leases.ts';
import type { Poller } from './poller.ts';
import { Worker } from './worker.ts';

/** How long jobs in progress may take at shutdown. */
const GRACE_MS = 3000;

/** Runs jobs of one kind. Every node has one; they share the work. */
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

  /** Polls for due jobs from now on, every second. */
  start(): void {
    const { name, table } = this.#definition;
    this.#stopPolling = this.#poller.register({ name, table, look: () => this.#look() });
  }

  /** This key has due jobs. */
  wake(key: KeyRef<Key>): void {
    this.#worker.wake([key]);
  }

  /** Jobs that were just queued, and are leased to this node. */
  take(jobs: readonly Job[]): void {
    this.#worker.take(jobs);
  }

  /** Polls once. Resolves when all jobs that this node claimed are done. */
  async runDue(): Promise<void> {
    await this.#look();
    await this.#worker.settle();
  }

  /** Claims nothing more, and resolves when no job is in progress; after a grace period they are left to other nodes. */
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
