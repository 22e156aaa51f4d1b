import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { collect } from './collect.ts';
import { createMakeExport } from './making.ts';
import { createExportQueue } from './queue.ts';
import { bindOwnDataRoutes } from './routes.ts';

export const ownDataModule = defineModule('own-data', (core) => {
  // Bound before the service listens, and so before the queue starts.
  let performAs: Router['performAs'] | undefined;
  const queue = createExportQueue(
    core,
    createMakeExport({
      ...core,
      collect: (tenant, job) => {
        if (!performAs) throw new Error('Exports are made once routes are bound.');
        return collect(performAs, core.clock, tenant, job);
      },
    }),
  );
  return {
    sweeps: [expiring('account_exports', 'expires_at')],
    routes(router) {
      performAs = router.performAs;
      bindOwnDataRoutes(router, core);
    },
    start: queue.start,
    stop: queue.stop,
  };
});
