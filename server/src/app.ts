import type { AddressInfo } from 'node:net';
import { fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { FastifyInstance } from 'fastify';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { createPasswordHasher, type PasswordHasher } from './platform/crypto/password.ts';
import type { Database } from './platform/db/database.ts';
import { migrate } from './platform/db/migrate.ts';
import { databaseAnswers, requireReachable } from './platform/db/probe.ts';
import { requireListenable } from './platform/http/listen.ts';
import { createServer } from './platform/http/server.ts';
import { createLog, type Log } from './platform/log.ts';
import { readOrCreateMasterKey } from './platform/master-key-file.ts';
import { VERSION } from './platform/version.ts';
import { checkCanary } from './tenancy/canary.ts';
import { type Changes, watchChanges } from './tenancy/changes.ts';
import {
  createDataKeys,
  createMasterKeys,
  type DataKeys,
  type MasterKeys,
} from './tenancy/data-keys.ts';
import { createTenantDirectory } from './tenancy/directory.ts';
import { createGate, type Gate } from './tenancy/gate.ts';
import { createRouter } from './tenancy/router.ts';
import { createSystemData, type SystemData } from './tenancy/system.ts';
import {
  bindAuthenticationRoutes,
  createAuthenticate,
  createVerifyCredential,
} from './modules/authentication/index.ts';
import { type FirstStart, firstStart } from './modules/first-start/index.ts';
import { type Housekeeping, startHousekeeping } from './modules/housekeeping/index.ts';
import { createReadRepeatable } from './modules/idempotency/index.ts';
import { bindLoginRoutes, createLogIn } from './modules/login/index.ts';
import { bindReferenceRoutes } from './modules/reference/index.ts';
import { bindSessionRoutes, createOpenSession, createRefresh } from './modules/sessions/index.ts';
import { bindServiceStateRoutes, createDrain, type Drain } from './modules/service-state/index.ts';
import {
  bindKeySetRoutes,
  bindSigningKeyRoutes,
  createKeyRing,
} from './modules/signing-keys/index.ts';
import { createIsAlive } from './modules/grants/index.ts';
import { bindRoleRoutes } from './modules/roles/index.ts';
import { bindSystemAccessRoutes } from './modules/system-access/index.ts';
import {
  bindTenantRoutes,
  createTenantDeletion,
  type NewTenant,
  type TenantDeletion,
  writeTenant,
} from './modules/tenants/index.ts';
import { createAccessTokens } from './modules/tokens/index.ts';
import { bindUserRoutes } from './modules/users/index.ts';
import { bindWorkspaceRoutes } from './modules/workspaces/index.ts';

/** A service that listens. */
export interface RunningKeywright {
  /** The address that it listens on. */
  readonly url: string;
  /** The address that it tells others. */
  readonly baseUrl: string;
  /** What the first start made; nothing at any later start. */
  readonly firstStart: FirstStart | undefined;
  readonly engine: Database['engine'];
  /** Creates a tenant, as the command line does. */
  readonly createTenant: (actor: string, tenant: NewTenant) => Promise<TenantId>;
  readonly passwords: PasswordHasher;
  readonly housekeeping: Housekeeping;
  /** Drains and stops. @param notice whether load balancers are given time to learn of it; default false. */
  close(notice?: boolean): Promise<void>;
}

interface StartOptions {
  readonly config: Config;
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Opens the database, brings it up to date, and serves. The only place that wires the parts together. */
export async function startKeywright({
  config,
  clock = systemClock,
  log = createLog(config.logLevel),
}: StartOptions): Promise<RunningKeywright> {
  const database = await openDatabase(config, log);
  try {
    return await serve(config, database, clock, log);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Only the engine that is used is loaded: the other one costs memory and time. */
async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const { openEmbedded } = await import('./platform/db/embedded.ts');
    return openEmbedded(config.dataDir);
  }
  const { openPostgres } = await import('./platform/db/postgres.ts');
  return requireReachable(
    openPostgres(config.databaseUrl, (error) =>
      log.warn({ err: error }, 'a database connection broke'),
    ),
  );
}

/** What everything else stands on, ready and checked. */
interface Foundation {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly gate: Gate;
  readonly system: SystemData;
  readonly changes: Changes;
  readonly masterKeys: MasterKeys;
  readonly dataKeys: DataKeys;
  readonly deletion: TenantDeletion;
  readonly passwords: PasswordHasher;
}

async function layFoundation(
  config: Config,
  database: Database,
  clock: Clock,
  log: Log,
): Promise<Foundation> {
  await migrate(database);
  const masterKeys = createMasterKeys(
    config.masterKeys.length > 0 ? config.masterKeys : [readOrCreateMasterKey(config.dataDir, log)],
  );
  const system = createSystemData(database, log);
  const gate = createGate(database);
  await checkCanary(gate, system);
  return {
    database,
    clock,
    log,
    gate,
    system,
    changes: await watchChanges(database),
    masterKeys,
    dataKeys: createDataKeys(gate, masterKeys),
    deletion: createTenantDeletion(system, clock, log),
    passwords: createPasswordHasher(),
  };
}

function bindRoutes(
  server: FastifyInstance,
  foundation: Foundation,
  drain: Drain,
  baseUrl: () => string,
): void {
  const { database, clock, gate, system, changes, dataKeys, passwords } = foundation;
  const directory = createTenantDirectory(database, changes, baseUrl);
  const keys = createKeyRing(gate, dataKeys, changes, clock);
  const verify = createVerifyCredential(
    createAccessTokens(keys),
    createIsAlive(gate, clock),
    clock,
  );
  const router = createRouter(server, directory, createAuthenticate(verify));
  const openSession = createOpenSession(gate, keys, clock);
  const readRepeatable = createReadRepeatable(dataKeys);
  bindLoginRoutes(router, createLogIn({ gate, passwords, openSession, clock }));
  bindSessionRoutes(router, gate, clock, createRefresh(gate, keys, clock));
  bindAuthenticationRoutes(router, verify);
  bindUserRoutes(router, gate, system, passwords, readRepeatable, clock);
  bindWorkspaceRoutes(router, gate, readRepeatable, clock);
  bindRoleRoutes(router, gate, readRepeatable, clock);
  bindSigningKeyRoutes(router, gate, dataKeys, clock);
  bindTenantRoutes(router, { ...foundation, readRepeatable, baseUrl });
  bindSystemAccessRoutes(router, { system, directory, keys, clock });
  bindKeySetRoutes(router, keys, directory);
  bindServiceStateRoutes(router, () => databaseAnswers(database), drain, clock);
  bindReferenceRoutes(router, server, VERSION);
}

async function serve(
  config: Config,
  database: Database,
  clock: Clock,
  log: Log,
): Promise<RunningKeywright> {
  // Before anything is made: the first start draws a secret, which a start that fails would show to nobody.
  await requireListenable(config.host, config.port);
  const foundation = await layFoundation(config, database, clock, log);
  const mayDraw = database.engine === 'embedded' && !config.production;
  const started = await firstStart(foundation, config.admin, mayDraw);
  const server = createServer(log, config.trustedProxies);
  const drain = createDrain(server, log);
  // With port 0 the address is known once the socket is bound, which is before the first request.
  const origin = { baseUrl: config.baseUrl ?? `http://localhost:${config.port}` };
  bindRoutes(server, foundation, drain, () => origin.baseUrl);
  await server.listen({ host: config.host, port: config.port });
  const { address, port } = server.server.address() as AddressInfo;
  origin.baseUrl = config.baseUrl ?? `http://localhost:${port}`;
  const housekeeping = startHousekeeping(foundation, log);
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    baseUrl: origin.baseUrl,
    firstStart: started,
    engine: database.engine,
    createTenant: (actor, tenant) =>
      foundation.system.run(actor, `create tenant ${tenant.slug ?? tenant.name}`, (tx) =>
        writeTenant(tx, foundation.masterKeys, tenant, clock.now(), fail),
      ),
    passwords: foundation.passwords,
    housekeeping,
    close: async (notice = false) => {
      await drain.run(notice);
      await Promise.all([housekeeping.stop(), foundation.deletion.stop()]);
      await foundation.changes.stop();
      await database.close();
    },
  };
}
