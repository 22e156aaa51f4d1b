import type { EventType } from '@keywright/contract/events';
import type { DeliveryId, EventId, WebhookId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { countSome, type Page } from '../../../platform/db/page.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';

function deliveries(tx: TenantTx, webhookId: WebhookId, status?: string) {
  const query = tx.db
    .selectFrom('webhook_deliveries')
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', webhookId);
  return status === undefined ? query : query.where('status', '=', status);
}

function findDelivery(tx: TenantTx, webhookId: WebhookId, id: DeliveryId) {
  return deliveries(tx, webhookId).selectAll().where('id', '=', id).executeTakeFirst();
}

export type DeliveryRow = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

/** A page, plus one row if there are more. */
export function findDeliveries(
  tx: TenantTx,
  webhookId: WebhookId,
  status: string | undefined,
  page: Page,
): Promise<DeliveryRow[]> {
  // Ids sort like the events, by `created_at`.
  let query = deliveries(tx, webhookId, status).selectAll();
  if (page.after) {
    const beyond = page.descending ? sql`<` : sql`>`;
    query = query.where(sql<boolean>`id ${beyond} ${page.after.id}`);
  }
  return query
    .orderBy('id', page.descending ? 'desc' : 'asc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export function countDeliveries(
  tx: TenantTx,
  webhookId: WebhookId,
  status: string | undefined,
): Promise<number> {
  return countSome(tx, deliveries(tx, webhookId, status).select('id'));
}

/** Queues a delivery from the beginning, whatever its state. A pending attempt no longer counts. */
export function queueAgain(tx: TenantTx, webhookId: WebhookId, id: DeliveryId) {
  return tx.db
    .updateTable('webhook_deliveries')
    .set((eb) => ({
      status: 'pending',
      attempts: 0,
      due_at: tx.now,
      held_until: null,
      takes: eb('takes', '+', 1),
      reason: null,
    }))
    .where('tenant_id', '=', tx.tenantId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Where the log goes on behind an event; undefined when that is not kept. */
function findPlace(tx: TenantTx, after: EventId): Promise<{ xid: string } | undefined> {
  return tx.db
    .selectFrom('events')
    .select('xid')
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', after)
    .executeTakeFirst();
}

/**
 * The events behind one that an endpoint asks for the kinds of, in the order of the log and up to the oldest transaction that
 * is still under way.
 */
function eventsBehind(
  tx: TenantTx,
  webhookId: WebhookId,
  { xid, after, limit }: { readonly xid: string; readonly after: EventId; readonly limit: number },
) {
  return sql`
      SELECT e.id, e.type, e.xid, e.created_at, e.told
        FROM events e JOIN webhooks w ON w.tenant_id = e.tenant_id AND e.type = ANY (w.events)
       WHERE e.tenant_id = ${tx.tenantId} AND w.id = ${webhookId}
         AND (e.xid, e.id) > (${xid}::bigint, ${after})
         AND e.xid < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint
       ORDER BY e.xid, e.id LIMIT ${limit}`;
}

/** @returns those that `queueEventsAfter` would queue; undefined when the one to begin behind is not kept */
export async function findEventsAfter(
  tx: TenantTx,
  webhookId: WebhookId,
  after: EventId,
  limit: number,
): Promise<EventId[] | undefined> {
  const start = await findPlace(tx, after);
  if (!start) return undefined;
  const { rows } = await sql<{ id: EventId }>`
    SELECT id FROM (${eventsBehind(tx, webhookId, { xid: start.xid, after, limit })}) AS missed
     ORDER BY xid, id`.execute(tx.db);
  return rows.map((row) => row.id);
}

/**
 * Queues the events behind one for an endpoint. What waits for its next attempt is due at once; what is being sent is left
 * alone.
 * @returns the events, in their order; undefined when the one to begin behind is not kept
 */
export async function queueEventsAfter(
  tx: TenantTx,
  webhookId: WebhookId,
  after: EventId,
  limit: number,
): Promise<EventId[] | undefined> {
  const start = await findPlace(tx, after);
  if (!start) return undefined;
  const { rows } = await sql<{ event_id: EventId }>`
    WITH missed AS (${eventsBehind(tx, webhookId, { xid: start.xid, after, limit })}
    ), queued AS (
      INSERT INTO webhook_deliveries AS d (
        tenant_id, webhook_id, id, event_id, event_type, due_at, held_until, created_at)
      SELECT ${tx.tenantId}, ${webhookId}, kw_delivery_id(id, ${webhookId}), id, type, ${tx.now}::timestamptz,
             -- Who queued it may be sending it.
             CASE WHEN ${webhookId} = ANY (told) THEN created_at + interval '6 seconds' END, created_at
        FROM missed
      ON CONFLICT (tenant_id, webhook_id, id) DO UPDATE
        SET status = 'pending', attempts = 0, due_at = excluded.due_at, held_until = NULL,
            takes = d.takes + 1, reason = NULL
        WHERE d.status <> 'pending' OR d.held_until IS NULL OR d.held_until <= excluded.due_at
    )
    SELECT id AS event_id FROM missed ORDER BY xid, id`.execute(tx.db);
  return rows.map((row) => row.event_id);
}

/** Queues one event for an endpoint, whether or not it asks for its kind. */
export function queueEvent(
  tx: TenantTx,
  webhookId: WebhookId,
  event: { readonly id: EventId; readonly type: EventType },
): Promise<DeliveryRow> {
  return tx.db
    .insertInto('webhook_deliveries')
    .values({
      tenant_id: tx.tenantId,
      webhook_id: webhookId,
      id: sql<DeliveryId>`kw_delivery_id(${event.id}, ${webhookId})`,
      event_id: event.id,
      event_type: event.type,
      due_at: tx.now,
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
