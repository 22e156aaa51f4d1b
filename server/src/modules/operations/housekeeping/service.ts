import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { TenantDeletion } from '../tenants/index.ts';
import { deleteExpired } from './store.ts';

const EVERY_MS = 5 * 60 * 1000;

/** Deletes what is over: counted attempts, idempotency keys, sessions and delegations long over, spent assertions, deleted tenants. */
export interface Housekeeping {
  /** Works until nothing is left. @returns how many rows went. */
  sweep(): Promise<number>;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
}

interface Parts {
  readonly system: SystemData;
  readonly deletion: TenantDeletion;
  readonly clock: Clock;
}

/**
 * Sweeps once at the start, where a crash may have left something half done, and now and then.
 * @param isRepeated false: at the start only
 */
export function startHousekeeping(
  { system, deletion, clock }: Parts,
  log: Log,
  isRepeated = true,
): Housekeeping {
  async function sweep(): Promise<number> {
    await deletion.resume();
    let gone = 0;
    for (;;) {
      const some = await system.maintain('delete what is over', (tx) =>
        deleteExpired(tx, clock.now()),
      );
      if (some === 0) return gone;
      gone += some;
    }
  }

  let underWay: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const sweepInBackground = () => {
    underWay = sweep().catch((error: unknown) => {
      if (!isStopped) log.error({ err: error }, 'housekeeping failed');
    });
  };
  sweepInBackground();
  const timer = isRepeated ? setInterval(sweepInBackground, EVERY_MS) : undefined;
  timer?.unref();
  return {
    sweep,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await underWay;
    },
  };
}
