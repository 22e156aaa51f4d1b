import { setTimeout as wait } from 'node:timers/promises';
import type { Definition, KeyRef } from './definition.ts';
import type { Surroundings } from './leases.ts';
import { pauseAfterPoll } from './rules.ts';
import { Worker } from './worker.ts';

/** How long jobs in progress may take at shutdown. */
const GRACE_MS = 3000;
/** At startup each queue polls at a moment of its own, or each would open a connection to the database. */
const MOST_DELAY_MS = 500;

/** Runs jobs of one kind. Every node has one; they share the work. */
export interface JobQueue<Job, Key extends string = string> {
  /** Starts polling for due jobs, every second. */
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
  around: Surroundings,
): JobQueue<Job, Key> {
  const worker = new Worker(definition, around);
  const stopping = new AbortController();
  const look = async () => worker.wake(await definition.findDue());
  let looking: Promise<void> | undefined;
  return {
    start() {
      looking = keepLooking(look, definition.name, around, stopping.signal);
    },
    wake: (key) => worker.wake([key]),
    take: (jobs) => worker.take(jobs),
    async runDue() {
      await look();
      await worker.settle();
    },
    async stop() {
      stopping.abort();
      worker.stop();
      await looking;
      await Promise.race([worker.settle(), wait(GRACE_MS, undefined, { ref: false })]);
      await worker.cutOff();
    },
  };
}

async function keepLooking(
  look: () => Promise<void>,
  name: string,
  { log }: Surroundings,
  signal: AbortSignal,
): Promise<void> {
  const pause = (ms: number) => wait(ms, undefined, { ref: false, signal }).catch(() => undefined);
  let isBlind = false;
  await pause(Math.random() * MOST_DELAY_MS);
  while (!signal.aborted) {
    const began = performance.now();
    try {
      await look();
      isBlind = false;
    } catch (error) {
      const fields = { err: error, queue: name };
      // Logged once: the database may be unavailable for long.
      if (!isBlind && !signal.aborted) log.warn(fields, 'the poll for due jobs failed');
      isBlind = true;
    }
    await pause(pauseAfterPoll(performance.now() - began));
  }
}
