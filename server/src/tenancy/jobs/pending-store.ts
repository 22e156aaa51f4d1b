import { findPendingWork as find } from '../../../sql/tenancy/kw_find_pending_work.ts';
import type { Database } from '../../platform/db/database.ts';

/** A table that can contain pending work. */
export type PendingTable = Awaited<ReturnType<typeof findPendingWork>>[number];

/** Returns the tables that contain pending work, whether due or not. */
export async function findPendingWork(database: Database) {
  const rows = await database.run(find, find.values({}));
  return rows.map(({ answer }) => answer);
}
