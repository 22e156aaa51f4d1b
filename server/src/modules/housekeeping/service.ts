import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SystemData } from '../../tenancy/system.ts';
import { deleteExpired } from './store.ts';

const EVERY_MS = 5 * 60 * 1000;

/** Deletes what is over: counted attempts, idempotency keys, long-ended sessions. */
export interface Housekeeping {
  /** Works until nothing is left. @returns how many rows went. */
  sweep(): Promise<number>;
  stop(): void;
}

export function startHousekeeping(system: SystemData, clock: Clock, log: Log): Housekeeping {
  async function sweep(): Promise<number> {
    let gone = 0;
    for (;;) {
      const some = await system.run('housekeeping', 'delete what is over', (tx) =>
        deleteExpired(tx, clock.now()),
      );
      if (some === 0) return gone;
      gone += some;
    }
  }
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log.error({ err: error }, 'housekeeping failed'));
  }, EVERY_MS);
  timer.unref();
  return { sweep, stop: () => clearInterval(timer) };
}
