import { sql } from 'kysely';
import type { DB } from '../platform/db/schema.ts';
import type { SystemTx } from './gate.ts';

export const DAY_SECONDS = 86_400;
/** Maximum number of rows deleted by one statement. */
export const SWEEP_BATCH = 1000;

/** Deletes expired rows of one table. */
export interface Sweep {
  readonly table: keyof DB;
  /** @returns the number of deleted rows; 0: none are left */
  readonly deleteBatch: (tx: SystemTx, now: Date) => Promise<number>;
}

/**
 * Deletes rows this many seconds after the time in a column. They are selected as a list of physical positions,
 * because a join with the table itself could read all of it. With `SKIP LOCKED`, rows renewed meanwhile remain, and
 * concurrent nodes delete different rows.
 */
export function expiring<Table extends keyof DB>(
  table: Table,
  column: keyof DB[Table] & string,
  retentionSeconds = 0,
): Sweep {
  const rows = sql.table(table);
  return {
    table,
    async deleteBatch(tx, now) {
      const { numAffectedRows } = await sql`
        DELETE FROM ${rows} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${rows}
           WHERE ${sql.ref(column)} < ${now}::timestamptz - ${`${retentionSeconds} seconds`}::interval
           LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED))`.execute(tx.db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}
