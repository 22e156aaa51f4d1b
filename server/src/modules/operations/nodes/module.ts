import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { getInstallation } from '@keywright/contract/routes/installation';
import { VERSION } from '../../../platform/version.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { createPresence } from './presence.ts';
import { presentInstallation } from './present.ts';
import { measureQueues } from './queues-store.ts';
import { findDatabaseState, listNodes } from './store.ts';

export const nodesModule = defineModule('nodes', ({ system, clock, config, log, masterKeys }) => {
  const presence = createPresence(
    system,
    () => ({
      id: randomUUID(),
      host: hostname(),
      version: VERSION,
      processes: config.workers,
      started_at: clock.now(),
      master_key_ids: masterKeys.ids,
    }),
    log,
    config.databaseUrl === undefined,
  );
  return {
    routes(router) {
      router.add(getInstallation, ({ caller }) =>
        system.run(caller, 'read the state of the installation', async (tx) =>
          presentInstallation({
            isEmbedded: config.databaseUrl === undefined,
            now: tx.now,
            nodes: await listNodes(tx),
            database: await findDatabaseState(tx),
            queues: await measureQueues(tx),
          }),
        ),
      );
    },
    sweeps: [expiring('nodes', 'expires_at')],
    resume: () => presence.renew(),
    startChores: () => presence.start(),
    stop: () => presence.stop(),
  };
});
