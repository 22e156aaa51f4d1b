import type { EventId } from '@keywright/contract/ids';
import type { EventType } from '@keywright/contract/events';
import { sql } from 'kysely';
import { from, type SystemTx, type TenantTx } from '../../../tenancy/gate.ts';

/** No transaction in progress can write an event that sorts before these. */
const IS_VISIBLE = sql<boolean>`xid < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint`;

/** The position of an event in the log: its transaction, then its ID. */
export interface Place {
  readonly xid: string;
  readonly id: string;
}

/** Undefined if the event is unknown or was deleted. */
export function findPlace(tx: TenantTx, id: EventId): Promise<Place | undefined> {
  return from(tx, 'events').select(['xid', 'id']).where('id', '=', id).executeTakeFirst();
}

export type EventRow = Awaited<ReturnType<typeof findEvents>>[number];

/** The last event that readers see; undefined if there is none. */
export function findEnd(tx: TenantTx): Promise<Place | undefined> {
  return from(tx, 'events')
    .select(['xid', 'id'])
    .where(IS_VISIBLE)
    .orderBy('xid', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface EventFilter {
  readonly type?: EventType;
  readonly subject?: string;
}

/** Events after a position, up to the oldest transaction still in progress. Later commits sort after all of these. */
export function findEvents(
  tx: TenantTx,
  after: Place | undefined,
  { type, subject }: EventFilter,
  limit: number,
) {
  let query = from(tx, 'events')
    .select(['xid', 'id', 'type', 'created_at', 'data'])
    .where(IS_VISIBLE);
  if (after) query = query.where(sql<boolean>`(xid, id) > (${after.xid}::bigint, ${after.id})`);
  if (type !== undefined) query = query.where('type', '=', type);
  if (subject !== undefined) query = query.where('subject', '=', subject);
  return query.orderBy('xid').orderBy('id').limit(limit).execute();
}

/** The number of newest events to inspect. */
const LOOKED_AT = 1000;

/**
 * Moves all events, in order, before every future transaction. After a restore from a dump, events can have transaction
 * IDs in the future: they would remain invisible, and then sort after newer events. Runs before any other event is
 * written.
 */
export async function moveRestoredEvents(tx: SystemTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('order of events', 0))`.execute(tx.db);
  const { rows } = await sql<{ last: string | null; next: string }>`
    SELECT max(xid) AS last, pg_snapshot_xmax(pg_current_snapshot())::text AS next
      FROM (SELECT xid FROM events ORDER BY created_at DESC LIMIT ${LOOKED_AT}) AS newest`.execute(
    tx.db,
  );
  const { last = null, next = '0' } = rows[0] ?? {};
  if (last === null || BigInt(last) < BigInt(next)) {
    await sql`UPDATE deliveries_checked SET before_xid = ${next} WHERE before_xid > ${next}`.execute(
      tx.db,
    );
    return;
  }
  // The position that deliveries were queued up to is also a transaction ID.
  await sql`
    UPDATE deliveries_checked SET before_xid = least(before_xid, last + 1) - 1 - last
      FROM (SELECT max(xid) AS last FROM events) AS restored`.execute(tx.db);
  await sql`UPDATE events SET xid = xid - 1 - (SELECT max(xid) FROM events)`.execute(tx.db);
}
