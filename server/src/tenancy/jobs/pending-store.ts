import { findPendingWork as find } from '../../../sql/tenancy/kw_find_pending_work.ts';
import type { Database } from '../../platform/db/database.ts';

/** A table in which work may wait. */
export type PendingTable = Awaited<ReturnType<typeof findPendingWork>>[number];

/** The tables in which work waits, due or not. */
export async function findPendingWork(database: Database) {
  const rows = await database.run(find, find.values({}));
  return rows.map(({ answer }) => answer);
}
