import { availableParallelism } from 'node:os';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { type PasswordCost, PasswordHasher } from './platform/crypto/password.ts';
import type { Database } from './platform/db/database.ts';
import { migrate } from './platform/db/migrate.ts';
import { isInstalled } from './platform/db/probe.ts';
import type { EgressOptions } from './platform/egress/egress.ts';
import { EgressWhenUsed } from './platform/egress/lazy.ts';
import type { UntrustedProxies } from './platform/http/peer.ts';
import { type Log, standardOutput } from './platform/log.ts';
import { readOrCreateMasterKey } from './platform/master-key-file.ts';
import type { Telemetry } from './platform/telemetry/telemetry.ts';
import { ActivityCounts } from './tenancy/activity.ts';
import { AfterCommit } from './tenancy/after-commit.ts';
import type { AuditKeys } from './tenancy/audit-keys.ts';
import { ClockGuard } from './tenancy/clock-guard.ts';
import { checkIsolation, requireUsableLoginRole } from './tenancy/login-role.ts';
import { watchChanges } from './tenancy/changes.ts';
import { DataKeys, MasterKeys } from './tenancy/data-keys.ts';
import { findPendingWork } from './tenancy/jobs/pending-store.ts';
import { Poller } from './tenancy/jobs/poller.ts';
import { sendsMailForAll } from './platform/development.ts';
import { TenantDirectory } from './tenancy/directory.ts';
import { Gate, SystemData } from './tenancy/gate.ts';
import type { Core } from './tenancy/module.ts';
import { Readiness } from './tenancy/readiness.ts';
import { describeSystemWork } from './modules/events/journal/index.ts';
import type { KeyRing } from './modules/tokens/signing-keys/index.ts';

/** Returns the keys in the environment, or the one stored with an embedded database, which is created with it. */
async function findMasterKeys(
  { masterKeys, dataDir }: Config,
  database: Database,
  log: Log,
): Promise<readonly Buffer[]> {
  if (masterKeys.length > 0) return masterKeys;
  return [readOrCreateMasterKey(dataDir, await isInstalled(database), log)];
}

/** Replaces the system's settings for outgoing calls. */
export type Outside = Pick<EgressOptions, 'ca' | 'dnsServers'>;

/** The parts that the core is built from. */
interface Ground {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly outside: Outside;
  readonly passwordCost: PasswordCost;
  readonly baseUrl: () => string;
  readonly docsUrl: () => string;
  /** Of the process. */
  readonly state: {
    readonly drain: { readonly isDraining: boolean };
    readonly untrustedProxies: UntrustedProxies;
  };
  /** Returns the key ring of a module that is created after the core. */
  readonly keys: () => KeyRing;
}

/** Creates the dependencies of all modules. They must not be used before `prepareDatabase`. */
export async function layFoundation(ground: Ground): Promise<Core> {
  const { config, database, clock, log, telemetry, baseUrl, docsUrl, keys } = ground;
  const masterKeys = new MasterKeys(await findMasterKeys(config, database, log));
  const afterCommit = new AfterCommit(log);
  const changes = await watchChanges(database);
  afterCommit.forgetWith(changes.forget);
  const auditKeys = auditKeysOf(keys);
  const system = new SystemData(database, log, describeSystemWork, auditKeys, clock, afterCommit);
  const gate = new Gate(database, clock, afterCommit, auditKeys);
  // All processes of the machine together run as many concurrent hashes as there are cores.
  const workers = Math.ceil(availableParallelism() / config.workers);
  const passwords = new PasswordHasher(workers, ground.passwordCost);
  gaugeLoad(telemetry, passwords, database);
  const clockGuard = new ClockGuard(database.clock, log);
  return {
    config,
    clock,
    log,
    metrics: telemetry.metrics,
    activity: new ActivityCounts(clock),
    gate,
    system,
    afterCommit,
    poller: new Poller(
      () => findPendingWork(database),
      log,
      () => clockGuard.isRight(),
    ),
    clockGuard,
    changes,
    directory: new TenantDirectory(
      database,
      changes,
      baseUrl,
      (...loaded) => keys().learn(...loaded),
      sendsMailForAll(config),
    ),
    masterKeys,
    dataKeys: new DataKeys(gate, masterKeys),
    signer: (tenantId) => keys().signer(tenantId),
    passwords,
    egress: new EgressWhenUsed({ ...ground.outside, allow: config.egressAllow }),
    baseUrl,
    docsUrl,
    watch: (...args) => database.watch(...args),
    readiness: new Readiness(database, log),
    isDraining: () => ground.state.drain.isDraining,
    isBehindUntrustedProxy: () => ground.state.untrustedProxies.isInternalInUse,
  };
}

/** Checks the role, migrates the database, and checks that tenants are isolated in it. */
export async function prepareDatabase(database: Database, core: Core): Promise<void> {
  core.clockGuard.requireRight();
  await requireUsableLoginRole(database);
  const { isAhead } = await migrate(database, { onBlocked: (message) => core.log.warn(message) });
  if (isAhead) {
    core.log.info('the schema is from a newer version that is compatible with this one');
  }
  await checkIsolation(core.gate, core.system);
}

/** Returns the audit keys, which are loaded with the signing keys. */
function auditKeysOf(keys: () => KeyRing): AuditKeys {
  return {
    cached: (tenantId) => keys().auditKeys.cached(tenantId),
    find: (tenantId) => keys().auditKeys.find(tenantId),
    open: (tenantId, wrapped) => keys().auditKeys.open(tenantId, wrapped),
  };
}

function gaugeLoad({ metrics }: Telemetry, passwords: PasswordHasher, database: Database): void {
  metrics.gauge(
    'keywright_password_hashes',
    'Password hashes that are running and waiting.',
    () => passwords.load,
    'state',
  );
  metrics.gauge(
    'keywright_database_connections',
    'Connections of the pool by state.',
    () => database.connections(),
    'state',
  );
  metrics.gauge(
    'keywright_log_lines_lost',
    'Log lines dropped since the start, because standard output could not accept them.',
    () => standardOutput().lost,
  );
  metrics.gauge(
    'keywright_clock_ahead_seconds',
    "How far the clock of this machine is ahead of the database's.",
    () => database.clock.aheadMs / 1000,
    undefined,
    'max',
  );
}
