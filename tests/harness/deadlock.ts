import pg from 'pg';
import type { TestDatabase } from './database.ts';
import { aside } from './flat-transactions.ts';
import { until } from './until.ts';

/** The delay until PostgreSQL checks for a deadlock. It aborts the first transaction that checks. */
const LOOKS_AFTER = '20ms';

/**
 * Runs service code that locks the rows of `first` and then of `second`, against a transaction with the opposite
 * order. PostgreSQL aborts the service's statement because of this real deadlock. Connections that are already open
 * check too late, so the code must open new ones.
 */
export async function inDeadlock<T>(
  database: TestDatabase,
  /** Statements that lock rows without changing them. */
  { first, second }: { readonly first: string; readonly second: string },
  work: () => Promise<T>,
): Promise<T> {
  await database.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = ''${LOOKS_AFTER}''', current_database()); END $$`,
  );
  const [holder, opponent] = [await openTransaction(database), await openTransaction(database)];
  await opponent.query(`SET deadlock_timeout = '1h'`);
  await holder.query(first);
  await opponent.query(second);
  const working = work();
  working.catch(() => undefined);
  await until('the service waits', async () => (await countWaiting(database)) === 1);
  const opposed = opponent.query(first);
  await until('the opponent waits behind it', async () => (await countWaiting(database)) === 2);
  await holder.query('COMMIT');
  await opposed;
  await opponent.query('COMMIT');
  await Promise.all([holder.end(), opponent.end()]);
  return working;
}

async function openTransaction({ superuserUrl }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client(superuserUrl);
  await aside(() => client.connect());
  await client.query('BEGIN');
  return client;
}

async function countWaiting(database: TestDatabase): Promise<number> {
  const rows = await database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}
