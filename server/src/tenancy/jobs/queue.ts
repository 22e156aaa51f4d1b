import { setTimeout as wait } from 'node:timers/promises';
import type { Definition, KeyRef } from './definition.ts';
import type { Surroundings } from './leases.ts';
import type { Poller } from './poller.ts';
import { Worker } from './worker.ts';

/** How long jobs in progress may take at shutdown. */
const GRACE_MS = 3000;

/** Runs jobs of one kind. Every node has one; they share the work. */
export interface JobQueue<Job, Key extends string = string> {
  /** Polls for due jobs from now on, every second. */
  readonly start: () => void;
  /** This key has due jobs. */
  readonly wake: (key: KeyRef<Key>) => void;
  /** Jobs that were just queued, and are leased to this node. */
  readonly take: (jobs: readonly Job[]) => void;
  /** Polls once. Resolves when all jobs that this node claimed are done. */
  readonly runDue: () => Promise<void>;
  /**
   * Claims nothing more, and resolves when no job is in progress; after a grace period they are left to other nodes.
   */
  readonly stop: () => Promise<void>;
}

export function createJobQueue<Job, Verdict, Key extends string>(
  definition: Definition<Job, Verdict, Key>,
  around: Surroundings & { readonly poller: Poller },
): JobQueue<Job, Key> {
  const worker = new Worker(definition, around);
  const { name, table } = definition;
  const look = async () => worker.wake(await definition.findDue());
  let stopPolling: (() => Promise<void>) | undefined;
  return {
    start() {
      stopPolling = around.poller.register({ name, table, look });
    },
    wake: (key) => worker.wake([key]),
    take: (jobs) => worker.take(jobs),
    async runDue() {
      await look();
      await worker.settle();
    },
    async stop() {
      worker.stop();
      await stopPolling?.();
      await Promise.race([worker.settle(), wait(GRACE_MS, undefined, { ref: false })]);
      await worker.cutOff();
    },
  };
}
