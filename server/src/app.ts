import { startTelemetry, type Telemetry } from './platform/telemetry/telemetry.ts';
import type { AddressInfo } from 'node:net';
import { fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { FastifyInstance } from 'fastify';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { type PasswordHasher } from './platform/crypto/password.ts';
import type { Database } from './platform/db/database.ts';
import { requireListenable } from './platform/http/listen.ts';
import { createServer } from './platform/http/server.ts';
import { createLog, type Log } from './platform/log.ts';
import { createTenantDirectory } from './tenancy/directory.ts';
import type { SystemActor } from './tenancy/caller.ts';
import { type FirstStart, firstStart } from './modules/operations/first-start/index.ts';
import { confirmOlderEntries, type Notes, type Sealing } from './modules/events/journal/index.ts';
import { type Housekeeping, startHousekeeping } from './modules/operations/housekeeping/index.ts';
import { createDrain, type Drain } from './modules/operations/health/index.ts';
import { createStatusLists, type StatusLists } from './modules/tokens/status-lists/index.ts';
import { type NewTenant, writeTenant } from './modules/operations/tenants/index.ts';
import { type Dispatcher, startDispatcher } from './modules/events/webhooks/index.ts';
import { bindRoutes } from './bind-routes.ts';
import { type Foundation, layFoundation, openDatabase, type Outside } from './foundation.ts';

/** A service that listens. */
export interface RunningKeywright {
  /** The address that it listens on. */
  readonly url: string;
  /** The address that it tells others. */
  readonly baseUrl: string;
  /** What the first start made; nothing at any later start. */
  readonly firstStart: FirstStart | undefined;
  readonly engine: Database['engine'];
  /** Where /metrics is; undefined: nowhere. */
  readonly metricsPort: number | undefined;
  /** Creates a tenant, as the command line does. */
  readonly createTenant: (actorName: string, tenant: NewTenant) => Promise<TenantId>;
  readonly passwords: PasswordHasher;
  readonly housekeeping: Housekeeping;
  readonly deliveries: Dispatcher;
  readonly sealing: Sealing;
  readonly notes: Notes;
  /** How many streams of revocations are open. */
  readonly openStreams: () => number;
  /** Drains and stops. @param notice whether load balancers are given time to learn of it; default false. */
  close(notice?: boolean): Promise<void>;
}

interface StartOptions {
  readonly config: Config;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly outside?: Outside;
  /**
   * Whether this process does what one of those on a machine should do: sweep now and then, and seal. Any number
   * may; default true.
   */
  readonly hasChores?: boolean;
}

/** Opens the database, brings it up to date, and serves. The only place that wires the parts together. */
export async function startKeywright({
  config,
  clock = systemClock,
  log = createLog(config.logLevel),
  outside = {},
  hasChores = true,
}: StartOptions): Promise<RunningKeywright> {
  const telemetry = await startTelemetry(config.metricsPort, process.env);
  const database = telemetry.watchDatabase(await openDatabase(config, log));
  try {
    return await serve({ config, clock, log, outside, hasChores }, database, telemetry);
  } catch (error) {
    await Promise.all([database.close(), telemetry.stop()]);
    throw error;
  }
}

async function serve(
  { config, clock, log, outside, hasChores }: Required<StartOptions>,
  database: Database,
  telemetry: Telemetry,
): Promise<RunningKeywright> {
  // Before anything is made: the first start draws a secret, which a start that fails would show to nobody.
  await requireListenable(config.host, config.port);
  const foundation = await layFoundation(config, database, clock, log, telemetry, outside);
  const mayDraw = database.engine === 'embedded' && !config.production;
  const started = await firstStart(foundation, config.admin, mayDraw);
  await confirmOlderEntries(foundation.system, log);
  const server = createServer({ log, ...config });
  telemetry.watchRequests(server);
  const drain = createDrain(server, log);
  // With port 0 the address is known once the socket is bound, which is before the first request.
  const origin = { baseUrl: config.baseUrl ?? `http://localhost:${config.port}` };
  const status = bind(server, foundation, drain, config, () => origin.baseUrl);
  await server.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  const { address, port } = server.server.address() as AddressInfo;
  origin.baseUrl = config.baseUrl ?? `http://localhost:${port}`;
  const metricsPort = await telemetry.listen(config.host);
  const housekeeping = startHousekeeping(foundation, log, hasChores);
  const stopStatus = await status.start(database);
  const { metrics } = telemetry;
  const deliveries = startDispatcher({ ...foundation, metrics });
  if (hasChores) foundation.sealing.start();
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    baseUrl: origin.baseUrl,
    firstStart: started,
    engine: database.engine,
    metricsPort,
    createTenant: (name, tenant) => createTenant(foundation, { kind: 'system', name }, tenant),
    passwords: foundation.passwords,
    housekeeping,
    deliveries,
    sealing: foundation.sealing,
    notes: foundation.notes,
    openStreams: () => status.openStreams,
    close: async (notice = false) => {
      await drain.run(notice, () => status.endStreams());
      await stopWork(foundation, [housekeeping, deliveries, { stop: stopStatus }]);
      await foundation.changes.stop();
      await foundation.egress.close();
      await Promise.all([database.close(), telemetry.stop()]);
    },
  };
}

/**
 * Connections that wait to be accepted. When a node goes, everybody who followed its revocations comes to another one
 * within half a second; of more than the usual 511 the kernel drops the rest, who come again a second later or three.
 */
const BACKLOG = 4096;

/** Binds every route. @returns what tells of revocations, which is to be started yet */
function bind(
  server: FastifyInstance,
  foundation: Foundation,
  drain: Drain,
  { statusStreams: limits }: Config,
  baseUrl: () => string,
): StatusLists {
  const { database, changes, keys, telemetry } = foundation;
  const directory = createTenantDirectory(database, changes, baseUrl, keys.learn);
  const { metrics } = telemetry;
  const status = createStatusLists({ ...foundation, directory, metrics, limits });
  bindRoutes(server, foundation, { drain, directory, status, baseUrl });
  return status;
}

function createTenant(
  { system, masterKeys, clock }: Foundation,
  by: SystemActor,
  tenant: NewTenant,
): Promise<TenantId> {
  return system.run(by, `create tenant ${tenant.slug ?? tenant.name}`, async (tx) => {
    const { id } = await writeTenant(tx, by, masterKeys, tenant, clock.now(), fail);
    return id;
  });
}

/** Lets what is under way beside the requests come to its end. */
async function stopWork(
  { deletion, keyUses, notes, sealing }: Foundation,
  others: readonly { stop(): Promise<void> }[],
): Promise<void> {
  const all = [...others, deletion, keyUses, notes, sealing];
  await Promise.all(all.map((one) => one.stop()));
}
