import type { TenantId } from '@keywright/contract/ids';
import { type RawBuilder, sql } from 'kysely';
import type { SystemTx } from '../gate.ts';
import type { KeyRef, JobClaim } from './definition.ts';

/** A claimed job, with everything needed to run it. */
export interface Job {
  readonly tenant_id: TenantId;
  readonly id: string;
  /** Jobs with the same key share a concurrency limit. */
  readonly queue_key: string;
  /** Number of finished attempts. */
  readonly attempts: number;
  /** Number of times that the job was claimed. Identifies the current claim. */
  readonly takes: number;
  /** The job is not started after this time. */
  readonly expires_at: Date;
}

/**
 * Columns that every table of jobs has in addition to its own. The table also has the primary key `(tenant_id, id)`,
 * `kw_isolate`, and an index on `(tenant_id, queue_key, due_at)` for pending jobs.
 */
export interface JobRow extends Job {
  readonly status: 'pending' | JobEnd;
  /** When the job is due; once it has ended, when it ended. */
  readonly due_at: Date;
  /** End of the lease. A job that its creator runs itself is inserted with a lease, and with `takes` 1. */
  readonly held_until: Date | null;
  readonly reason: string | null;
}

type JobEnd = 'done' | 'failed' | 'expired';

/** A stored change of one job. */
export interface JobChange extends Pick<JobRow, 'tenant_id' | 'id' | 'takes' | 'attempts'> {
  readonly status: JobRow['status'];
  readonly due_at: Date;
  readonly reason: string | null;
}

/**
 * Finds keys with due jobs. Skips from key to key in the index of pending jobs, so a long queue costs no more than a
 * short one.
 */
export async function findDueKeys({ db, now }: SystemTx, table: string): Promise<KeyRef[]> {
  const jobs = sql.table(table);
  const { rows } = await sql<{ tenant_id: TenantId; queue_key: string }>`
    WITH RECURSIVE waiting AS (
      (SELECT tenant_id, queue_key FROM ${jobs} WHERE status = 'pending'
        ORDER BY tenant_id, queue_key LIMIT 1)
      UNION ALL
      SELECT next.tenant_id, next.queue_key
        FROM waiting, LATERAL (
          SELECT tenant_id, queue_key FROM ${jobs}
           WHERE status = 'pending'
             AND (tenant_id, queue_key) > (waiting.tenant_id, waiting.queue_key)
           ORDER BY tenant_id, queue_key LIMIT 1) AS next
    )
    SELECT w.tenant_id, w.queue_key
      FROM waiting w JOIN tenants t ON t.tenant_id = w.tenant_id AND t.is_active AND t.deleted_at IS NULL
     WHERE EXISTS (SELECT FROM ${jobs} AS j
                    WHERE j.tenant_id = w.tenant_id AND j.queue_key = w.queue_key AND ${isDue(now)})`.execute(
    db,
  );
  return rows.map((row) => ({ tenantId: row.tenant_id, key: row.queue_key }));
}

function isDue(now: Date): RawBuilder<boolean> {
  return sql`status = 'pending' AND due_at <= ${now} AND (held_until IS NULL OR held_until <= ${now})`;
}

/** Claims due jobs of these keys, oldest first, skipping jobs that another node is claiming. */
export async function claimJobs<Row extends Job>(
  { db }: SystemTx,
  table: string,
  round: readonly JobClaim[],
  now: Date,
  until: Date,
): Promise<readonly Row[]> {
  const jobs = sql.table(table);
  const { rows } = await sql<Row>`
    UPDATE ${jobs} SET takes = takes + 1, held_until = ${until}
     WHERE ctid = ANY (ARRAY(
       SELECT due.ctid
         FROM unnest(${round.map((claim) => claim.tenantId)}::text[], ${round.map((claim) => claim.key)}::text[],
                     ${round.map((claim) => claim.limit)}::integer[]) AS turn (tenant_id, queue_key, most),
         LATERAL (SELECT j.ctid FROM ${jobs} AS j
                   WHERE j.tenant_id = turn.tenant_id AND j.queue_key = turn.queue_key AND ${isDue(now)}
                   ORDER BY j.due_at LIMIT turn.most FOR UPDATE SKIP LOCKED) AS due))
    RETURNING *`.execute(db);
  return rows;
}

/** Renews leases, except those of jobs that were claimed again in the meantime. */
export async function renewJobs(
  { db }: SystemTx,
  table: string,
  leased: readonly Job[],
  until: Date,
): Promise<void> {
  await sql`
    UPDATE ${sql.table(table)} AS j SET held_until = ${until}
      FROM unnest(${leased.map((job) => job.tenant_id)}::text[], ${leased.map((job) => job.id)}::text[],
                  ${leased.map((job) => job.takes)}::integer[]) AS h (tenant_id, id, takes)
     WHERE j.tenant_id = h.tenant_id AND j.id = h.id AND j.takes = h.takes
       AND j.status = 'pending'`.execute(db);
}

/** Stores the results of jobs, except those that were claimed again in the meantime. */
export async function finishJobs(
  { db }: SystemTx,
  table: string,
  changes: readonly JobChange[],
): Promise<void> {
  await sql`
    UPDATE ${sql.table(table)} AS j
       SET status = c.status, attempts = c.attempts, due_at = c.due_at, reason = c.reason, held_until = NULL
      FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c (
             tenant_id text, id text, takes integer, status text, attempts integer, due_at timestamptz, reason text)
     WHERE j.tenant_id = c.tenant_id AND j.id = c.id AND j.takes = c.takes
       AND j.status = 'pending'`.execute(db);
}
