import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/system.ts';

/** The table of each queue, by its public name. */
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
  /** The earliest time that a job of those that were counted is due, also in the future; null: none waits. */
  readonly due_at: Date | null;
}

/** Reads the index of what waits in each queue, up to a limit. */
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
