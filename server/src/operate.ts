// The program behind the command line: `operate.ts <command>`. The arguments are a JSON object on standard input,
// since they may contain a secret, and every user of the machine can see the arguments of a process. Uses the
// database that the environment configures. Prints one JSON object: {ok: true, result} or {ok: false, code, message}.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DestinationStream } from 'pino';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { PasswordHasher } from './platform/crypto/password.ts';
import type { Database } from './platform/db/database.ts';
import { DirectoryInUse } from './platform/db/directory-lock.ts';
import { isInstalled, requireReachable } from './platform/db/probe.ts';
import { openLog, type Log } from './platform/log.ts';
import { findMasterKey, readOrCreateMasterKey } from './platform/master-key-file.ts';
import { AfterCommit } from './tenancy/after-commit.ts';
import { UncachedAuditKeys } from './tenancy/audit-keys.ts';
import { MasterKeys } from './tenancy/data-keys.ts';
import { Gate, SystemData } from './tenancy/gate.ts';
import { requireUsableLoginRole } from './tenancy/login-role.ts';
import { describeSystemWork } from './modules/events/journal/index.ts';
import {
  type Command,
  describeFailure,
  examine,
  findCommand,
  type Operator,
  OperatorError,
} from './modules/operations/operator/index.ts';

/** Minimum statement timeout of a command. */
const COMMAND_TIMEOUT_MS = 60_000;

/** The context of a command, apart from its arguments. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Destination of warnings. */
  readonly log: DestinationStream;
}

export type OperatorAnswer =
  | { readonly ok: true; readonly result: object }
  | { readonly ok: false; readonly code: string; readonly message: string };

async function openDatabase(
  config: Config,
  log: Log,
  { mayCreate, isLooking }: Opening,
): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import('./platform/db/postgres.ts');
    const database = openPostgres(
      config.databaseUrl,
      (error) => log.debug({ err: error }, 'a database connection broke'),
      // No client is waiting for a response, so commands can have longer timeouts than requests.
      {
        statementTimeoutMs: Math.max(config.statementTimeoutMs, COMMAND_TIMEOUT_MS),
        storesSettings: !isLooking,
      },
    );
    return requireReachable(database);
  }
  if (!mayCreate && !existsSync(join(config.dataDir, 'database'))) {
    throw new OperatorError(
      'NO_DATABASE',
      `There is no database in ${config.dataDir} yet, and KEYWRIGHT_DATABASE_URL is not set.`,
    );
  }
  const { openEmbedded, PREPARED_DATABASE } = await import('./platform/db/embedded.ts');
  try {
    return await openEmbedded(config.dataDir, (message) => log.warn(message), PREPARED_DATABASE);
  } catch (error) {
    throw error instanceof DirectoryInUse ? inUse(config, error) : error;
  }
}

/** The message does not suggest another folder, since a command there would create a second installation. */
function inUse({ dataDir, baseUrl, port }: Config, { owner, url: announced }: DirectoryInUse) {
  const url = announced ?? baseUrl ?? `http://localhost:${port}`;
  return new OperatorError(
    'IN_USE',
    `The running service (${owner}) uses ${dataDir}. Use its console (${url}/console) or its API ` +
      `(${url}/reference) instead, or stop it and run this command again.`,
  );
}

/** Returns the keys of the environment or, without any, the key stored with an embedded database. */
function keysAtHand(config: Config, keyBesideData: () => Buffer | undefined): readonly Buffer[] {
  if (config.masterKeys.length > 0) return config.masterKeys;
  const key = keyBesideData();
  return key ? [key] : [];
}

interface Opening {
  readonly mayCreate: boolean;
  /** Whether the command must not create anything, not even a missing master key. */
  readonly isLooking: boolean;
}

async function withOperator<T>(
  config: Config,
  log: Log,
  opening: Opening,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const { isLooking } = opening;
  const database = await openDatabase(config, log, opening);
  try {
    const isWritten = database.engine === 'embedded' && (await isInstalled(database));
    const keyBesideData = () =>
      isLooking
        ? findMasterKey(config.dataDir)
        : readOrCreateMasterKey(config.dataDir, isWritten, log);
    const masterKeys = () => new MasterKeys(keysAtHand(config, keyBesideData));
    const auditKeys = new UncachedAuditKeys(database, masterKeys);
    // The doctor runs with any role, and reports the role's problems.
    if (!isLooking) await requireUsableLoginRole(database);
    return await work({
      config,
      database,
      log,
      system: new SystemData(database, log, describeSystemWork, auditKeys, database.clock),
      gate: new Gate(database, database.clock, new AfterCommit(log), auditKeys),
      auditKeys,
      masterKeys,
      passwords: new PasswordHasher(),
      clock: database.clock,
    });
  } finally {
    await database.close();
  }
}

async function operate(name: string, input: unknown, around: Surroundings): Promise<object> {
  const command = name === 'doctor' ? undefined : findCommand(name, input);
  const apart = command?.runApart?.(input);
  if (apart) return apart;
  const config = tryReadConfig(around.environment);
  const log = createOperatorLog(config, around);
  try {
    if (command) return await run(command, input, requireUsable(config), log);
    return await examine(config, (work) =>
      withOperator(requireUsable(config), log, { mayCreate: false, isLooking: true }, work),
    );
  } catch (error) {
    log.debug({ err: error }, 'the command failed');
    throw error;
  }
}

function run(command: Command, input: unknown, config: Config, log: Log): Promise<object> {
  const opening = { mayCreate: command.mayCreateDatabase, isLooking: false };
  return withOperator(config, log, opening, (operator) => command.run(operator, input));
}

function tryReadConfig(environment: Surroundings['environment']): Config | ConfigError {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function requireUsable(config: Config | ConfigError): Config {
  if (config instanceof ConfigError) throw config;
  return config;
}

/** Logs warnings or, if `KEYWRIGHT_LOG_LEVEL` is set, everything at its level. */
function createOperatorLog(config: Config | ConfigError, around: Surroundings): Log {
  const hasLogLevel =
    !(config instanceof ConfigError) && 'KEYWRIGHT_LOG_LEVEL' in around.environment;
  return openLog(hasLogLevel ? config.logLevel : 'warn', around.log);
}

/** Parses the input. Errors do not quote it, since it may contain a secret. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json === '' ? '{}' : json);
  } catch {
    throw new OperatorError('USAGE', 'Standard input is not a JSON object.');
  }
}

/** Runs one command and returns its result or its error. @param json the arguments of the command, as JSON */
export async function answerTo(
  name: string,
  json: string,
  around: Surroundings,
): Promise<OperatorAnswer> {
  try {
    return { ok: true, result: await operate(name, parse(json), around) };
  } catch (error) {
    return { ok: false, ...describeFailure(error) };
  }
}

if (import.meta.main) {
  const around = { environment: process.env, log: process.stderr };
  const answer = await answerTo(process.argv[2] ?? '', await text(process.stdin), around);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
