import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { OkOf } from '@keywright/contract/route';
import { getInstallation } from '@keywright/contract/routes/installation';
import { migrationNames } from '../../../platform/db/schema-files.ts';
import { VERSION } from '../../../platform/version.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { bindHealthRoutes } from './health.ts';
import { measureQueues, findDatabaseState, listNodes, type QueueState } from './node-store.ts';
import { Presence } from './presence.ts';

export const nodesModule = defineModule('nodes', (core) => {
  const { system, clock, config, log, masterKeys } = core;
  const isEmbedded = config.databaseUrl === undefined;
  const describeNode = () => ({
    id: randomUUID(),
    host: hostname(),
    version: VERSION,
    processes: config.workers,
    started_at: clock.now(),
    master_key_ids: masterKeys.ids,
  });
  const presence = new Presence(system, log, describeNode, isEmbedded);
  return {
    routes(router) {
      bindHealthRoutes(router, core);
      router.add(getInstallation, ({ caller }) =>
        system.run(caller, 'read the state of the installation', async (tx) =>
          presentInstallation({
            isEmbedded,
            now: tx.now,
            nodes: await listNodes(tx),
            database: await findDatabaseState(tx),
            queues: await measureQueues(tx),
          }),
        ),
      );
    },
    sweeps: [
      expiring('nodes', 'expires_at'),
      // Responses that the router stores for retries.
      expiring('idempotency_keys', 'created_at', DAY_SECONDS),
    ],
    resume: () => presence.renew(),
    startChores: () => presence.start(),
    stop: () => presence.stop(),
  };
});

type Found<Read extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>;

interface State {
  readonly isEmbedded: boolean;
  readonly now: Date;
  readonly nodes: Found<typeof listNodes>;
  readonly database: Found<typeof findDatabaseState>;
  readonly queues: Found<typeof measureQueues>;
}

function presentInstallation(state: State): OkOf<typeof getInstallation> {
  const { version, migrations } = state.database;
  const known = new Set(migrationNames());
  return {
    version: VERSION,
    nodes: state.nodes.map((node) => ({
      node_id: node.id,
      host: node.host,
      version: node.version,
      processes: node.processes,
      started_at: node.started_at.toISOString(),
      seen_at: node.seen_at.toISOString(),
    })),
    database: { engine: state.isEmbedded ? 'embedded' : 'postgresql', version },
    schema: {
      migrations: migrations.length,
      latest: migrations.at(-1) ?? '',
      is_ahead: migrations.some((name) => !known.has(name)),
    },
    queues: state.queues.map((queue) => ({
      name: queue.name,
      waiting: queue.waiting,
      late_since: lateSince(queue, state.now),
    })),
  };
}

function lateSince({ due_at: dueAt }: QueueState, now: Date): string | null {
  return dueAt !== null && dueAt <= now ? dueAt.toISOString() : null;
}
