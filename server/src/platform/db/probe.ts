import { sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { reasonOf } from '../reason.ts';
import type { Database } from './database.ts';
import { SettingsUnusable } from './session-settings.ts';

/** The database server cannot be reached, or rejects the login; the message states the cause. */
class DatabaseUnreachable extends Error {
  constructor(reason: string) {
    super(`The database of KEYWRIGHT_DATABASE_URL cannot be reached: ${reason}.`);
    this.name = 'DatabaseUnreachable';
  }
}

/** A server that was just started, or is short of CPU, can time out on the first attempt. */
const FIRST_CONTACTS = 4;
/** PostgreSQL also ends sessions when another process stores settings behind a pooler (ADR 82). */
const TRANSIENT = /timeout|terminat/;

/**
 * Requires the database to be reachable. Retries after a timeout, but not if the connection is refused.
 * @throws DatabaseUnreachable, SettingsUnusable, after closing the database
 */
export async function requireReachable(database: Database): Promise<Database> {
  for (let contact = 1; ; contact += 1) {
    try {
      await sql`SELECT 1`.execute(database.kysely);
      await database.clock.measure();
      return database;
    } catch (error) {
      const reason = reasonOf(error);
      if (contact < FIRST_CONTACTS && TRANSIENT.test(reason)) continue;
      await database.close();
      if (error instanceof SettingsUnusable) throw error;
      throw new DatabaseUnreachable(reason);
    }
  }
}

/** Whether the embedded database already has data encrypted under a master key. */
export async function isInstalled({ kysely }: Database): Promise<boolean> {
  const { rows: tables } = await sql<{ any: boolean }>`
    SELECT to_regclass('installation') IS NOT NULL AS any`.execute(kysely);
  if (!tables[0]?.any) return false;
  const { rows } = await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM installation WHERE master_key_id IS NOT NULL) AS any`.execute(
    kysely,
  );
  return rows[0]?.any ?? false;
}

/**
 * Opens the configured database, and checks that it is reachable. Loads only the engine in use: the other one would
 * cost memory and startup time.
 */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl === undefined) {
    const { openEmbedded, PREPARED_DATABASE } = await import('./embedded.ts');
    return openEmbedded(
      config.dataDir,
      (message) => log.warn(message),
      PREPARED_DATABASE,
      (message) => log.error(message),
    );
  }
  const { openPostgres } = await import('./postgres.ts');
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
