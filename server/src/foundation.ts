import { availableParallelism } from 'node:os';
import type { Telemetry } from './platform/telemetry/telemetry.ts';
import { type Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { createPasswordHasher, type PasswordHasher } from './platform/crypto/password.ts';
import type { Database } from './platform/db/database.ts';
import type { Egress, EgressOptions } from './platform/egress/egress.ts';
import { createLazyEgress } from './platform/egress/lazy.ts';
import { migrate } from './platform/db/migrate.ts';
import { isInstalled, requireReachable } from './platform/db/probe.ts';
import { type Log } from './platform/log.ts';
import { readOrCreateMasterKey } from './platform/master-key-file.ts';
import { AfterCommit } from './tenancy/after-commit.ts';
import { checkCanary } from './tenancy/canary.ts';
import { type Changes, watchChanges } from './tenancy/changes.ts';
import {
  createDataKeys,
  createMasterKeys,
  type DataKeys,
  type MasterKeys,
} from './tenancy/data-keys.ts';
import { createGate, type Gate } from './tenancy/gate.ts';
import { requireSafeLoginRole } from './tenancy/login-role.ts';
import { createSystemData, type SystemData } from './tenancy/system.ts';
import { createKeyUses, type KeyUses } from './modules/machines/api-keys/index.ts';
import {
  createNotes,
  createSealing,
  moveRestoredEvents,
  type Notes,
  describeSystemWork,
  type Sealing,
} from './modules/events/journal/index.ts';
import { createKeyRing, type KeyRing } from './modules/tokens/signing-keys/index.ts';
import { createTenantDeletion, type TenantDeletion } from './modules/operations/tenants/index.ts';

/** Only the engine that is used is loaded: the other one costs memory and time. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const { openEmbedded } = await import('./platform/db/embedded.ts');
    return openEmbedded(config.dataDir, (message) => log.warn(message));
  }
  const { openPostgres } = await import('./platform/db/postgres.ts');
  return requireReachable(
    openPostgres(
      config.databaseUrl,
      (error) => log.warn({ err: error }, 'a database connection broke'),
      {
        statementTimeoutMs: config.statementTimeoutMs,
        onPooled: () =>
          log.warn('LISTEN/NOTIFY is unavailable behind the pooler: caches expire after 500 ms'),
      },
    ),
  );
}

/** The keys of the environment, or the one beside an embedded database, which is made with it. */
async function findMasterKeys(
  { masterKeys, dataDir }: Config,
  database: Database,
  log: Log,
): Promise<readonly Buffer[]> {
  if (masterKeys.length > 0) return masterKeys;
  return [readOrCreateMasterKey(dataDir, await isInstalled(database), log)];
}

/** What everything else stands on, ready and checked. */
export interface Foundation {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly gate: Gate;
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly changes: Changes;
  readonly masterKeys: MasterKeys;
  readonly dataKeys: DataKeys;
  readonly deletion: TenantDeletion;
  readonly passwords: PasswordHasher;
  readonly keyUses: KeyUses;
  readonly keys: KeyRing;
  readonly notes: Notes;
  readonly sealing: Sealing;
  readonly telemetry: Telemetry;
  readonly egress: Egress;
}

/** What calls to the outside find there, in place of what the system knows. */
export type Outside = Pick<EgressOptions, 'ca' | 'dnsServers'>;

export async function layFoundation(
  config: Config,
  database: Database,
  clock: Clock,
  log: Log,
  telemetry: Telemetry,
  outside: Outside,
): Promise<Foundation> {
  await requireSafeLoginRole(database);
  await migrate(database);
  const masterKeys = createMasterKeys(await findMasterKeys(config, database, log));
  const afterCommit = new AfterCommit(log);
  const changes = await watchChanges(database);
  afterCommit.forgetWith(changes.forget);
  const keys = createKeyRing(createGate(database, clock), masterKeys, changes, clock);
  const { auditKeys } = keys;
  const system = createSystemData(database, log, describeSystemWork, auditKeys, clock, afterCommit);
  const gate = createGate(database, clock, afterCommit, auditKeys);
  await checkCanary(gate, system);
  await system.maintain('look for events of another database server', moveRestoredEvents);
  // All processes of the machine together hash as many at once as there are cores.
  const passwords = createPasswordHasher(Math.ceil(availableParallelism() / config.workers));
  gaugeLoad(telemetry, passwords, database);
  const dataKeys = createDataKeys(gate, masterKeys);
  return {
    database,
    clock,
    log,
    gate,
    system,
    afterCommit,
    changes,
    masterKeys,
    dataKeys,
    deletion: createTenantDeletion(system, clock, log),
    passwords,
    keyUses: createKeyUses(gate, clock, log),
    keys,
    notes: createNotes(gate, clock, log),
    sealing: createSealing({ gate, system, signer: (id) => keys.signer(id), auditKeys, log }),
    telemetry,
    egress: createLazyEgress({ ...outside, allow: config.egressAllow }),
  };
}

function gaugeLoad({ metrics }: Telemetry, passwords: PasswordHasher, database: Database): void {
  metrics.gauge(
    'keywright_password_hashes',
    'Password hashes that run and that wait.',
    () => passwords.load,
    'state',
  );
  metrics.gauge(
    'keywright_database_connections',
    'Connections of the pool by state.',
    () => database.connections(),
    'state',
  );
}
