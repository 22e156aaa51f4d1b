import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Poller } from '../../../tenancy/jobs/poller.ts';
import type { Sweep } from '../../../tenancy/sweep-store.ts';
import type { SystemData } from '../../../tenancy/system.ts';

const EVERY_MS = 5 * 60 * 1000;

/** Deletes expired rows, and resumes interrupted work. */
export interface Housekeeping {
  readonly sweeps: readonly Sweep[];
  /** Works until nothing is left. @returns the number of deleted rows. @throws after trying everything, if anything failed */
  sweep(): Promise<number>;
  /** Resolves when no work is in progress. */
  readonly stop: () => Promise<void>;
}

interface Dependencies {
  readonly system: SystemData;
  readonly clock: Clock;
  readonly poller: Pick<Poller, 'mayWork'>;
}

/** What modules have registered. */
interface Registered {
  readonly resumes: readonly (() => Promise<void>)[];
  readonly sweeps: readonly Sweep[];
}

/**
 * Completes at startup what a crash interrupted, and does all its work at intervals. Expired rows can wait for the first
 * of these: nothing reads them, and a start has enough to do.
 * @param isRepeated false: only at startup
 */
export function startHousekeeping(
  { log, ...others }: Dependencies & { readonly log: Log },
  registered: Registered,
  isRepeated = true,
): Housekeeping {
  const stopping = new AbortController();
  const clear = (wanted: Registered) => clearAway(others, wanted, stopping.signal);
  const sweep = () => clear(registered);
  let inFlight: Promise<unknown> = Promise.resolve();
  const clearInBackground = (wanted: Registered) => {
    inFlight = clear(wanted).catch((error: unknown) => {
      if (!stopping.signal.aborted) log.error({ err: error }, 'housekeeping failed');
    });
  };
  clearInBackground({ resumes: registered.resumes, sweeps: [] });
  const timer = isRepeated ? setInterval(clearInBackground, EVERY_MS, registered) : undefined;
  timer?.unref();
  return {
    sweeps: registered.sweeps,
    sweep,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await inFlight;
    },
  };
}

async function clearAway(
  { system, clock, poller }: Dependencies,
  { resumes, sweeps }: Registered,
  signal: AbortSignal,
): Promise<number> {
  let gone = 0;

  async function deleteAll({ table, deleteSome }: Sweep): Promise<void> {
    while (!signal.aborted && poller.mayWork()) {
      const work = `delete rows of ${table} that are over`;
      const some = await system.maintain(work, (tx) => deleteSome(tx, clock.now()));
      if (some === 0) return;
      gone += some;
    }
  }

  const errors: unknown[] = [];
  const work = [...resumes, ...sweeps.map((one) => () => deleteAll(one))];
  // A failure does not stop the others.
  for (const task of work) await task().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be cleared away.');
  return gone;
}
