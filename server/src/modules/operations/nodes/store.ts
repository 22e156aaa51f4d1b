import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/system.ts';
import { leaseEnd } from './rules.ts';

/** What a node says of itself. */
export interface Node {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly processes: number;
  readonly started_at: Date;
  /** IDs of the master keys that it has. */
  readonly master_key_ids: readonly string[];
}

/** Begins or renews the lease; also after a pause that was so long that its row was deleted. */
export async function renewNode(tx: SystemTx, node: Node): Promise<void> {
  const seen = { seen_at: tx.now, expires_at: leaseEnd(tx.now) };
  await tx.db
    .insertInto('nodes')
    .values({ ...node, master_key_ids: [...node.master_key_ids], ...seen })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
    .execute();
}

/** Whether the last renewal of this node is in the database. */
export async function hasRenewal(tx: SystemTx, id: string, seenAt: Date): Promise<boolean> {
  const row = await tx.db
    .selectFrom('nodes')
    .select('id')
    .where('id', '=', id)
    .where('seen_at', '>=', seenAt)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteNode(tx: SystemTx, id: string): Promise<void> {
  await tx.db.deleteFrom('nodes').where('id', '=', id).execute();
}

/** Those whose lease has not ended, the oldest first. */
export function listNodes(tx: SystemTx): Promise<(Node & { readonly seen_at: Date })[]> {
  return tx.db
    .selectFrom('nodes')
    .select(['id', 'host', 'version', 'processes', 'started_at', 'master_key_ids', 'seen_at'])
    .where('expires_at', '>', tx.now)
    .orderBy('started_at')
    .orderBy('id')
    .execute();
}

/** The version of PostgreSQL, and the names of the migrations that were applied, in order. */
export async function findDatabaseState(
  tx: SystemTx,
): Promise<{ readonly version: string; readonly migrations: readonly string[] }> {
  const { rows } = await sql<{ version: string; migrations: string[] }>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
           array(SELECT name FROM migration_checksums ORDER BY name) AS migrations`.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error('The database said nothing of itself.');
  return row;
}
