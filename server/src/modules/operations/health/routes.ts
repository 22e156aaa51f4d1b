import type { OkOf } from '@keywright/contract/route';
import { health, live } from '@keywright/contract/routes/service';
import type { Clock } from '../../../platform/clock.ts';
import { OtherStatus } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';

const RETRY_AFTER_SECONDS = 1;

/** @param databaseAnswers resolves to whether the database executes a statement in time */
export function bindServiceStateRoutes(
  router: Router,
  databaseAnswers: () => Promise<boolean>,
  isDraining: () => boolean,
  clock: Clock,
): void {
  router.add(health, async () => {
    const isThere = await databaseAnswers();
    const body: OkOf<typeof health> = {
      status: isDraining() ? 'draining' : isThere ? 'ok' : 'degraded',
      database: isThere ? 'ok' : 'unavailable',
      // The caches are in this process, so they work if it responds.
      cache: 'ok',
      timestamp: clock.now().toISOString(),
    };
    return isThere && !isDraining() ? body : new OtherStatus(503, body, RETRY_AFTER_SECONDS);
  });

  router.add(live, () => ({ status: 'ok' as const }));
}
