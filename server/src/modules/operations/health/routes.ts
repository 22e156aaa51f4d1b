import type { OkOf } from '@keywright/contract/route';
import { health, live } from '@keywright/contract/routes/service';
import type { Clock } from '../../../platform/clock.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Drain } from './drain.ts';

/** @param databaseAnswers resolves to whether the database took a statement, soon */
export function bindServiceStateRoutes(
  router: Router,
  databaseAnswers: () => Promise<boolean>,
  drain: Drain,
  clock: Clock,
): void {
  router.add(health, async (_call, _fail, reply): Promise<OkOf<typeof health>> => {
    const isThere = await databaseAnswers();
    if (!isThere || drain.isDraining) reply.code(503).header('retry-after', '1');
    return {
      status: drain.isDraining ? 'draining' : isThere ? 'ok' : 'degraded',
      database: isThere ? 'ok' : 'unavailable',
      // The caches live in the process: where it answers, they do.
      cache: 'ok',
      timestamp: clock.now().toISOString(),
    };
  });

  router.add(live, () => ({ status: 'ok' as const }));
}
