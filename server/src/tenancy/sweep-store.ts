import { sql } from 'kysely';
import type { DB } from '../platform/db/schema.ts';
import type { SystemTx } from './system.ts';

export const DAY_SECONDS = 86_400;
/** Rows that one statement deletes at most. */
export const SWEEP_BATCH = 1000;

/** Deletes rows of one table whose time is over. */
export interface Sweep {
  readonly table: keyof DB;
  /** @returns how many went: nothing is left when it is none */
  readonly deleteSome: (tx: SystemTx, now: Date) => Promise<number>;
}

/**
 * Deletes rows so many seconds after the time in a column. They are named by their places, as a list: joined with the table that
 * they are in, all of it may be what is read. Locked where they are found: what is renewed meanwhile stays, and nodes that
 * sweep at once take different ones.
 */
export function expiring<Table extends keyof DB>(
  table: Table,
  column: keyof DB[Table] & string,
  keptSeconds = 0,
): Sweep {
  const rows = sql.table(table);
  return {
    table,
    async deleteSome(tx, now) {
      const { numAffectedRows } = await sql`
        DELETE FROM ${rows} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${rows}
           WHERE ${sql.ref(column)} < ${now}::timestamptz - ${`${keptSeconds} seconds`}::interval
           LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED))`.execute(tx.db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}
