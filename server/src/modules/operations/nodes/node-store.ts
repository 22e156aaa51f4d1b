import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/gate.ts';

/** Housekeeping renews the lease every five minutes, so one renewal can fail. */
const LEASE_SECONDS = 11 * 60;

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_SECONDS * 1000);
}

/** A node as it reports itself. */
export interface Node {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly processes: number;
  readonly started_at: Date;
  /** IDs of its master keys. */
  readonly master_key_ids: readonly string[];
}

/** Starts or renews the lease, even after a pause so long that the row was deleted. */
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

/** Returns the nodes whose lease has not expired, oldest first. */
export function listNodes(tx: SystemTx): Promise<(Node & { readonly seen_at: Date })[]> {
  return tx.db
    .selectFrom('nodes')
    .select(['id', 'host', 'version', 'processes', 'started_at', 'master_key_ids', 'seen_at'])
    .where('expires_at', '>', tx.now)
    .orderBy('started_at')
    .orderBy('id')
    .execute();
}

/** Returns the version of PostgreSQL, and the names of the applied migrations in order. */
export async function findDatabaseState(
  tx: SystemTx,
): Promise<{ readonly version: string; readonly migrations: readonly string[] }> {
  const { rows } = await sql<{ version: string; migrations: string[] }>`
    SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
           array(SELECT name FROM migration_checksums ORDER BY name) AS migrations`.execute(tx.db);
  const [row] = rows;
  if (!row) throw new Error('The database did not report its version.');
  return row;
}

/** The table of each queue by its public name. */
export const QUEUES = {
  webhooks: 'webhook_deliveries',
  messages: 'messages',
  logouts: 'logout_deliveries',
  signals: 'signal_deliveries',
  exports: 'account_exports',
} as const;

type QueueName = keyof typeof QUEUES;

const COUNTED = 10_001;

export interface QueueState {
  readonly name: QueueName;
  readonly waiting: number;
  /** The earliest due time of a counted job, which can be in the future; null if no job waits. */
  readonly due_at: Date | null;
}

/** Counts the waiting jobs of each queue, up to a limit, using an index. */
export async function measureQueues(tx: SystemTx): Promise<QueueState[]> {
  const each = Object.entries(QUEUES).map(
    ([name, table]) => sql`
      SELECT ${name}::text AS name, count(*)::integer AS waiting, min(due_at) AS due_at
        FROM (SELECT due_at FROM ${sql.table(table)} WHERE status = 'pending'
               LIMIT ${COUNTED}) AS counted`,
  );
  const { rows } = await sql<QueueState>`${sql.join(each, sql` UNION ALL `)}`.execute(tx.db);
  return rows;
}
