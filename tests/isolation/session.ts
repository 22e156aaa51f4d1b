import { type Database, statement } from '@keywright/server/platform/db/database';
import { openInMemory } from '@keywright/server/platform/db/embedded';
import { migrate } from '@keywright/server/platform/db/migrate';
import * as postgres from '@keywright/server/platform/db/postgres';
import pg from 'pg';
import { createDatabase } from '../harness/database.ts';
import type { PostgresServer } from '../harness/postgres.ts';

/** One connection to a migrated database, as its superuser. */
export interface Session {
  query<Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface ClosableSession extends Session {
  close(): Promise<void>;
}

/** Both engines that the service runs on. */
export const ENGINES: readonly { readonly name: string; open(): Promise<ClosableSession> }[] = [
  { name: 'PostgreSQL', open: () => openPostgres() },
  { name: 'PGlite', open: openPglite },
];

/** Opens a database on the given server, by default the one of the test run. */
export async function openPostgres(server?: PostgresServer): Promise<ClosableSession> {
  const database = await createDatabase(server);
  if (server) await migrateAll(database.url);
  const client = new pg.Client(database.superuserUrl);
  await client.connect();
  return {
    query: async (sql, values = []) => (await client.query(sql, [...values])).rows,
    async close() {
      await client.end();
      await database.drop();
    },
  };
}

async function migrateAll(url: string): Promise<void> {
  const database = postgres.openPostgres(url, () => {});
  await migrate(database);
  await database.close();
}

async function openPglite(): Promise<ClosableSession> {
  const database: Database = await openInMemory();
  await migrate(database);
  return {
    // It has one connection, so session settings persist between statements.
    query: (sql, values = []) => database.run(statement('', sql), values),
    close: () => database.close(),
  };
}

/** Runs the work in a transaction that is rolled back. */
export async function inTransaction<T>(
  session: Session,
  setup: string,
  work: () => Promise<T>,
): Promise<T> {
  await session.query('BEGIN');
  try {
    await session.query(setup);
    return await work();
  } finally {
    await session.query('ROLLBACK');
  }
}

/** Runs the work as the service does for a tenant. */
export function asTenant<T>(session: Session, tenantId: string, work: () => Promise<T>) {
  return inTransaction(session, `SELECT kw_enter('${tenantId}')`, work);
}

/** SQLSTATE insufficient_privilege: a missing grant, or a row-level security violation. */
export async function isForbidden(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return true;
    throw error;
  }
}
