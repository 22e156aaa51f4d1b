import type { AddressInfo } from 'node:net';
import { fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { FastifyInstance } from 'fastify';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { OWASP, type PasswordCost, type PasswordHasher } from './platform/crypto/password.ts';
import type { Database } from './platform/db/database.ts';
import { openDatabase } from './platform/db/probe.ts';
import { listen, requireListenable } from './platform/http/listen.ts';
import { createServer } from './platform/http/server.ts';
import { UntrustedProxies } from './platform/http/peer.ts';
import { openLog, type Log } from './platform/log.ts';
import { startTelemetry, type Telemetry } from './platform/telemetry/telemetry.ts';
import type { SystemActor } from './tenancy/caller.ts';
import type { Core, Module, Use } from './tenancy/module.ts';
import { journalModule } from './modules/events/journal/module.ts';
import type { Notes, Sealing } from './modules/events/journal/index.ts';
import type { Messages } from './modules/events/messages/index.ts';
import { messagesModule } from './modules/events/messages/module.ts';
import type { DeliveryQueue } from './modules/events/webhooks/index.ts';
import { webhooksModule } from './modules/events/webhooks/module.ts';
import { logoutModule } from './modules/oauth/logout/module.ts';
import type { LogoutQueue } from './modules/oauth/logout/index.ts';
import type { SignalQueue } from './modules/oauth/signals/index.ts';
import { signalsModule } from './modules/oauth/signals/module.ts';
import {
  type FirstStart,
  FirstStartService,
  requireSamePlace,
} from './modules/operations/installation/index.ts';
import { Drain, Housekeeping } from './modules/operations/nodes/index.ts';
import { type NewTenant, writeTenant } from './modules/operations/tenants/index.ts';
import { signingKeysModule } from './modules/tokens/signing-keys/module.ts';
import { statusListsModule } from './modules/tokens/status-lists/module.ts';
import type { FirstLoginLink } from './modules/pages/links/index.ts';
import { linksModule } from './modules/pages/links/module.ts';
import { assemble, type Assembly } from './assemble.ts';
import { bindRoutes } from './bind-routes.ts';
import { layFoundation, type Outside, prepareDatabase } from './foundation.ts';
import * as MODULES from './modules.ts';

/** A running service. */
export interface RunningKeywright {
  /** The address that the service listens on. */
  readonly url: string;
  /** Public address. */
  readonly baseUrl: string;
  /** What to print for the first administrator; undefined after the first sign-in. */
  readonly firstStart: FirstStart | undefined;
  /** The single-use login link for the administrator of a first start. */
  readonly firstLogin: FirstLoginLink;
  readonly engine: Database['engine'];
  /** Port of /metrics; undefined if there is none. */
  readonly metricsPort: number | undefined;
  /** Creates a tenant, for the command line. */
  readonly createTenant: (actorName: string, tenant: NewTenant) => Promise<TenantId>;
  readonly passwords: PasswordHasher;
  readonly housekeeping: Housekeeping;
  readonly deliveries: DeliveryQueue;
  readonly logouts: LogoutQueue;
  readonly signals: SignalQueue;
  readonly messages: Messages;
  readonly sealing: Sealing;
  readonly notes: Notes;
  /** Number of open revocation streams. */
  readonly openStreams: () => number;
  /** Drains and stops. @param notice whether to give load balancers time to notice; default false */
  close(notice?: boolean): Promise<void>;
}

interface StartOptions {
  readonly config: Config;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly outside?: Outside;
  /** An open database, closed with the service; by default the one in the settings is opened. */
  readonly database?: Database;
  /** Whether this process runs periodic maintenance; default true. One process per machine should; several can. */
  readonly hasChores?: boolean;
  /** Modules in addition to the listed ones; default none. */
  readonly modules?: readonly Module[];
  /** The cost of new password hashes; default OWASP's. Only tests lower it: no setting does. */
  readonly passwordCost?: PasswordCost;
}

/** Opens and migrates the database, and serves requests. The only place that wires the modules together. */
export async function startKeywright({
  config,
  clock: suppliedClock,
  log = openLog(config.logLevel),
  outside = {},
  database: opened,
  hasChores = true,
  modules = [],
  passwordCost = OWASP,
}: StartOptions): Promise<RunningKeywright> {
  const telemetry = await startTelemetry(config.metricsPort, process.env);
  const database = telemetry.watchDatabase(opened ?? (await openDatabase(config, log)));
  const clock = suppliedClock ?? database.clock;
  try {
    const options = { config, clock, log, outside, hasChores, modules, passwordCost };
    return await serve(options, database, telemetry);
  } catch (error) {
    await Promise.all([database.close(), telemetry.stop()]);
    throw error;
  }
}

async function serve(
  options: Required<Omit<StartOptions, 'database'>>,
  database: Database,
  telemetry: Telemetry,
): Promise<RunningKeywright> {
  const { config, clock, log, outside, hasChores, modules, passwordCost } = options;
  const untrustedProxies = new UntrustedProxies(log, clock);
  const { baseUrl, docsUrl, bind } = publicUrls(config);
  const server = createServer({ log, ...config, docsUrl, untrustedProxies });
  telemetry.watchRequests(server);
  const drain = new Drain(server, log);
  const state = { drain, untrustedProxies };
  const keys = () => use(signingKeysModule).keys;
  const parts = { config, database, clock, log, telemetry, outside, passwordCost };
  const core = await layFoundation({ ...parts, baseUrl, docsUrl, state, keys });
  const assembly = assemble([...Object.values(MODULES), ...modules], core);
  const { use, instances } = assembly;
  // Runs both at the same time: while one waits for the database, the other uses the processor.
  const [started] = await Promise.all([
    prepare(database, core, assembly),
    bindRoutes(server, core, assembly),
  ]);
  const { address, port } = await openPort(server, config);
  bind(port);
  const metricsPort = await telemetry.listen(config.host);
  const housekeeping = await startWork({ database, hasChores }, core, assembly);
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    baseUrl: baseUrl(),
    firstStart: started,
    firstLogin: use(linksModule).firstLogin,
    engine: database.engine,
    metricsPort,
    createTenant: (name, tenant) => createTenant(core, { kind: 'system', name }, tenant),
    passwords: core.passwords,
    housekeeping,
    ...offersOf(use),
    openStreams: () => use(statusListsModule).streams.open,
    close: async (notice = false) => {
      await drain.run(notice, () => runAll(instances.map((instance) => instance.drain)));
      await runAll([() => housekeeping.stop(), ...instances.map((instance) => instance.stop)]);
      keys().close();
      await core.changes.stop();
      await core.egress.close();
      await Promise.all([database.close(), telemetry.stop()]);
    },
  };
}

/** The public URLs. With port 0 they are known once the socket is bound, before the first request. */
function publicUrls({ baseUrl, docsUrl, port }: Config) {
  const urlsAt = (anyPort: number) => {
    const base = baseUrl ?? `http://localhost:${anyPort}`;
    // ASCII, as an error_uri must be (RFC 6749 §5.2).
    return { base, docs: docsUrl ?? new URL(`${base}/docs`).href };
  };
  let urls = urlsAt(port);
  return {
    baseUrl: () => urls.base,
    docsUrl: () => urls.docs,
    bind: (boundPort: number) => {
      urls = urlsAt(boundPort);
    },
  };
}

/** @returns the result of a first start */
async function prepare(
  database: Database,
  core: Core,
  { instances }: Assembly,
): Promise<FirstStart | undefined> {
  const { config } = core;
  await prepareDatabase(database, core);
  const isEmbedded = database.engine === 'embedded';
  // Checks the port in advance: a first start that failed afterward would have generated a secret that is never
  // shown.
  const { system, masterKeys, passwords, clock } = core;
  const firstStart = new FirstStartService(system, masterKeys, passwords, clock);
  const started = await firstStart.start(config.admin, isEmbedded, () =>
    requireListenable(config.host, config.port),
  );
  // An embedded database is a folder: a copy is identical to the original.
  if (!isEmbedded) await requireSamePlace(core.system, core.log);
  for (const instance of instances) await instance.prepare?.();
  return started;
}

function offersOf(use: Use) {
  return {
    deliveries: use(webhooksModule).queue,
    logouts: use(logoutModule).queue,
    signals: use(signalsModule).queue,
    messages: use(messagesModule),
    ...use(journalModule),
  };
}

/**
 * Length of the accept queue. When a node stops, all followers of its revocations reconnect to another node within
 * half a second; with the usual 511 the kernel would drop the rest, and they would retry after one to three seconds.
 */
const BACKLOG = 4096;

async function openPort(server: FastifyInstance, config: Config): Promise<AddressInfo> {
  await listen(config, (at) => server.listen({ ...at, backlog: BACKLOG }));
  return server.server.address() as AddressInfo;
}

/** Starts background work. */
async function startWork(
  { database, hasChores }: { readonly database: Database; readonly hasChores: boolean },
  core: Core,
  { instances }: Assembly,
): Promise<Housekeeping> {
  const resumes = instances.flatMap((instance) => instance.resume ?? []);
  const sweeps = instances.flatMap((instance) => instance.sweeps ?? []);
  const housekeeping = new Housekeeping(core, { resumes, sweeps });
  housekeeping.start(hasChores);
  for (const instance of instances) await instance.start?.();
  // Each process has its own connections.
  database.startProbe?.();
  if (!hasChores) return housekeeping;
  for (const instance of instances) instance.startChores?.();
  const onFailed = (error: unknown) => core.log.warn({ err: error }, 'no statistics were updated');
  database.startMaintenance?.(onFailed);
  return housekeeping;
}

async function runAll(all: readonly ((() => Promise<void>) | undefined)[]): Promise<void> {
  await Promise.all(all.map((action) => Promise.resolve(action?.())));
}

function createTenant(
  { system, masterKeys, clock }: Core,
  by: SystemActor,
  tenant: NewTenant,
): Promise<TenantId> {
  return system.run(by, `create tenant ${tenant.slug ?? tenant.name}`, async (tx) => {
    const { id } = await writeTenant(tx, by, masterKeys, tenant, clock.now(), fail);
    return id;
  });
}
