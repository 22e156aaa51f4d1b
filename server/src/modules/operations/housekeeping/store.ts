import { sql } from 'kysely';
import type { SystemTx } from '../../../tenancy/system.ts';

const BATCH = 1000;
/** Events and deliveries stay for this long, and sessions and delegations that are over. */
const KEPT = '30 days';
/** By then every token that named the bit has expired: the longest lives for a day. */
const REVOCATIONS_KEPT = '25 hours';

/**
 * Rows whose time is over, a batch of each kind. They are named by their places, as a list: joined with the table that
 * they are in, all of it may be what is read.
 * @returns how many went
 */
export async function deleteExpired(tx: SystemTx, now: Date): Promise<number> {
  const deletions = [
    // Locked where they are found: what is begun anew meanwhile stays.
    sql`DELETE FROM login_attempts WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM login_attempts WHERE window_ends_at < ${now}
           LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
    sql`DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM idempotency_keys
           WHERE created_at < ${now}::timestamptz - interval '1 day' LIMIT ${BATCH}))`,
    sql`DELETE FROM sessions WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM sessions
           WHERE absolute_expires_at < ${now}::timestamptz - ${KEPT}::interval LIMIT ${BATCH}))`,
    sql`DELETE FROM delegations WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM delegations
           WHERE expires_at < ${now}::timestamptz - ${KEPT}::interval
           LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
    sql`DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM webhook_deliveries
           WHERE created_at < ${now}::timestamptz - ${KEPT}::interval LIMIT ${BATCH}))`,
    sql`DELETE FROM status_dependents WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM status_dependents
           WHERE expires_at < ${now}::timestamptz - interval '5 minutes' LIMIT ${BATCH}))`,
    // Versions are times of the database.
    sql`DELETE FROM status_revocations WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM status_revocations
           WHERE version < (extract(epoch FROM now() - ${REVOCATIONS_KEPT}::interval) * 1000)::bigint
           LIMIT ${BATCH}))`,
    sql`DELETE FROM spent_assertions WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM spent_assertions WHERE expires_at < ${now} LIMIT ${BATCH}))`,
    // Nodes that sweep at once take different ones.
    sql`DELETE FROM events WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM events WHERE created_at < ${now}::timestamptz - ${KEPT}::interval
           LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  ];
  let gone = 0;
  for (const deletion of deletions) {
    const { numAffectedRows } = await deletion.execute(tx.db);
    gone += Number(numAffectedRows ?? 0n);
  }
  return gone;
}
