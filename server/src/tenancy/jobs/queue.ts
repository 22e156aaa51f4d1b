import { setTimeout as wait } from 'node:timers/promises';
import type { Definition, KeyRef } from './definition.ts';
import type { Surroundings } from './leases.ts';
import { Worker } from './worker.ts';

/** How often it is looked for what is due: what has failed before, and what another node left behind. */
const LOOK_EVERY_MS = 1000;
/** A look that takes long, among many keys, is made less often: it takes a twentieth of the time at most. */
const LOOK_SHARE = 1 / 20;
/** How long jobs that are under way may take when the service stops. */
const GRACE_MS = 3000;

/** Does jobs of one kind. Every node has one; they share the work. */
export interface JobQueue<Job, Key extends string = string> {
  /** Looks for what is due from now on, each second. */
  readonly start: () => void;
  /** Something is due for this key. */
  readonly wake: (key: KeyRef<Key>) => void;
  /** These were queued just now, and are held for this node. */
  readonly take: (jobs: readonly Job[]) => void;
  /** Looks for what is due and does it. Resolves when all that this node took is done. */
  readonly runDue: () => Promise<void>;
  /** Takes nothing more, and resolves when nothing is under way: what is, after a while, is left to other nodes. */
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
  let isBlind = false;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      await look();
      isBlind = false;
    } catch (error) {
      const fields = { err: error, queue: name };
      // Once: the database may be away for long.
      if (!isBlind && !signal.aborted) log.warn(fields, 'the look for due jobs failed');
      isBlind = true;
    }
    const pauseMs = Math.max(LOOK_EVERY_MS, (performance.now() - began) / LOOK_SHARE);
    await wait(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}
