import {
  findLockedTables,
  type FindLockedTablesRow,
} from '../../sql/operations/kw_find_locked_tables.ts';
import { proveSession } from '../../sql/operations/kw_prove_session.ts';
import { proveWritable } from '../../sql/operations/kw_prove_writable.ts';
import type { Database } from '../platform/db/database.ts';
import { isOutOfConnections } from '../platform/db/failures.ts';

/** The row of a process in `nodes`. It is never listed. */
export interface ProbeRow {
  readonly process: string;
  readonly host: string;
  readonly version: string;
}

/** The tables whose locks block logins, and whether any statement of the service is waiting for a lock. */
export type Locks = FindLockedTablesRow;

const NO_LOCKS: Locks = { locked: [], is_waiting: false };
/** With any DateStyle except ISO, this is read as a different time or not at all. */
const SAMPLE = new Date('2001-02-03T04:05:06.789Z');

/** Reads like a login, on the same connections. @returns whether a time is read back unchanged */
export async function proveSessionOf(database: Database): Promise<boolean> {
  const [row] = await database.run(proveSession, proveSession.values({ sample: SAMPLE }));
  return row?.answer instanceof Date && row.answer.getTime() === SAMPLE.getTime();
}

/** Writes and commits. @returns whether a dedicated connection was available for it */
export async function proveWritableBy(database: Database, row: ProbeRow): Promise<boolean> {
  const values = proveWritable.values(row);
  try {
    await (database.runAside?.(proveWritable, values) ?? database.run(proveWritable, values));
    return true;
  } catch (error) {
    if (!isOutOfConnections(error)) throw error;
    await database.run(proveWritable, values);
    return false;
  }
}

/** Finds locks that block logins. An engine with a single connection has none. */
export async function findLocks(database: Database): Promise<Locks> {
  const [row] = (await database.runAside?.(findLockedTables, [])) ?? [];
  return row ?? NO_LOCKS;
}
