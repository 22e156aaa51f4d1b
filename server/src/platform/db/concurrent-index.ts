import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { underLock, watchBlockers } from './migration-locks.ts';
import type { DB } from './schema.ts';
import type { SchemaFile } from './schema-files.ts';

const STATEMENT =
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (?<name>\w+)\s+ON (?<table>\w+)\b[^;]*;?\s*$/m;

/** Lets the transaction that holds the lock idle for the whole build, but ends it when its client is gone. */
const LOCK_WHILE_ALIVE = `
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL tcp_keepalives_idle = 10; SET LOCAL tcp_keepalives_interval = 10; SET LOCAL tcp_keepalives_count = 3`;

/** The index that a migration builds, as its only statement, without blocking writes. */
export interface ConcurrentIndex {
  readonly name: string;
  readonly table: string;
}

/** @returns undefined for other migrations */
export function concurrentIndexOf({ text }: Pick<SchemaFile, 'text'>): ConcurrentIndex | undefined {
  const { name, table } = STATEMENT.exec(text)?.groups ?? {};
  return name === undefined || table === undefined ? undefined : { name, table };
}

/** The same migration for use in a transaction, where it blocks writes to the table. */
export function withoutConcurrency(text: string): string {
  return text.replace(/\bINDEX CONCURRENTLY\b/, 'INDEX');
}

/**
 * Builds the index unless another node has built it. First drops an invalid index left behind by an interrupted
 * build.
 * @param record notes that the migration is applied
 */
export async function buildIndex(
  database: Database,
  file: SchemaFile,
  { name }: ConcurrentIndex,
  work: {
    readonly isApplied: (tx: Transaction<DB>) => Promise<boolean>;
    readonly record: (tx: Transaction<DB>) => Promise<unknown>;
    readonly onBlocked: (message: string) => void;
  },
): Promise<void> {
  const db = database.kyselyFor('migration');
  // The build cannot run in a transaction, so a separate one holds the lock: behind a pooler, a session cannot.
  await underLock(database, async (tx) => {
    if (await work.isApplied(tx)) return;
    const isValid = await findValidity(tx, name);
    // The last statement before the build has no parameters: the build waits for transactions with a snapshot, and the
    // portal of a statement with parameters keeps one.
    await sql.raw(LOCK_WHILE_ALIVE).execute(tx);
    const blockers = watchBlockers(
      database,
      () => builderOf(database, name),
      (found) =>
        work.onBlocked(`the index ${name} is not built yet, because it waits for ${found}`),
    );
    try {
      if (isValid === false) await sql`DROP INDEX CONCURRENTLY ${sql.id(name)}`.execute(db);
      if (isValid !== true) await sql.raw(file.text).execute(db);
    } finally {
      blockers.stop();
    }
    await work.record(tx);
  });
}

/** Whether the index is complete; undefined if it does not exist. */
async function findValidity(tx: Transaction<DB>, name: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${name})`.execute(tx);
  return rows[0]?.valid;
}

/** Returns the ID of the server process that builds the index; 0: none. */
async function builderOf({ kysely }: Database, name: string): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    SELECT pid FROM pg_stat_progress_create_index
     WHERE datname = current_database() AND index_relid = to_regclass(${name})`.execute(kysely);
  return rows[0]?.pid ?? 0;
}
