import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { OkOf } from '@keywright/contract/route';
import { getInstallation } from '@keywright/contract/routes/installation';
import { health, live } from '@keywright/contract/routes/service';
import { migrationNames } from '../../../platform/db/schema-files.ts';
import { isDevelopment } from '../../../platform/development.ts';
import { OtherStatus } from '../../../platform/http/replies.ts';
import { VERSION } from '../../../platform/version.ts';
import { type Core, defineModule } from '../../../tenancy/module.ts';
import type { Problem } from '../../../tenancy/readiness.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { type QueueState, findDatabaseState, listNodes, measureQueues } from './node-store.ts';
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

type Found<Read extends (...args: never[]) => Promise<unknown>> = Awaited<ReturnType<Read>>;

interface State {
  readonly isEmbedded: boolean;
  readonly now: Date;
  readonly nodes: Found<typeof listNodes>;
  readonly database: Found<typeof findDatabaseState>;
  readonly queues: Found<typeof measureQueues>;
}

function presentInstallation(state: State): OkOf<typeof getInstallation> {
  const { version, migrations } = state.database;
  const shipped = new Set(migrationNames());
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
      is_ahead: migrations.some((name) => !shipped.has(name)),
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

const RETRY_AFTER_SECONDS = 1;

/** Public, so it omits the address of the proxy, which is in the log. */
const UNTRUSTED_PROXY: Problem = {
  code: 'untrusted_proxy',
  detail:
    'Requests come through an internal proxy that is not trusted, so all its clients share one IP address and its limits. ' +
    'Add the IP address of the proxy, which is in the log, to KEYWRIGHT_TRUSTED_PROXIES.',
};

const CLOCK: Problem = {
  code: 'clock',
  detail:
    'The clocks of this machine and the database differ by more than a minute. Synchronize both by NTP.',
};

function bindHealthRoutes(router: Router, core: Core): void {
  const { changes, config, readiness, isDraining, isBehindUntrustedProxy, clock, clockGuard } =
    core;
  // In development, a proxy has only one client.
  const isProduction = !isDevelopment(config);
  router.add(health, async () => {
    const { isUsable, problem } = await readiness.check();
    const isExposed = isProduction && isBehindUntrustedProxy();
    const isOnTime = clockGuard.isRight();
    const problems = [
      ...(problem ? [problem] : []),
      ...(isOnTime ? [] : [CLOCK]),
      ...(isExposed ? [UNTRUSTED_PROXY] : []),
    ];
    const body: OkOf<typeof health> = {
      status: isDraining() ? 'draining' : problems.length === 0 ? 'ok' : 'degraded',
      database: isUsable ? 'ok' : 'unavailable',
      cache: changes.areAnnounced() ? 'ok' : 'degraded',
      timestamp: clock.now().toISOString(),
      ...(problems.length > 0 && { problems }),
    };
    // At 503, load balancers stop sending requests. The other problems affect every node, so they do not cause a 503.
    return isUsable && isOnTime && !isDraining()
      ? body
      : new OtherStatus(503, body, RETRY_AFTER_SECONDS);
  });

  router.add(live, () => ({ status: 'ok' as const }));
}
