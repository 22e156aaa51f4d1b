import type { EventType } from '@keywright/contract/events';
import type { TenantId, WebhookId, DeliveryId, EventId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import {
  claimDeliveries as claim,
  type ClaimDeliveriesRow,
} from '../../../../sql/events/kw_claim_deliveries.ts';
import { finishDeliveries as finish } from '../../../../sql/events/kw_finish_deliveries.ts';
import { renewDeliveries as renew } from '../../../../sql/events/kw_renew_deliveries.ts';
import { queueUnsent as queue } from '../../../../sql/events/kw_queue_unsent.ts';
import { callWithin } from '../../../platform/db/calls.ts';
import { countUpToLimit, type Page } from '../../../platform/db/page.ts';
import { reasonText } from '../../../platform/coded-reason.ts';
import { from, type Gate, type SystemTx, type TenantTx, update } from '../../../tenancy/gate.ts';
import type { Ended, KeyRef, JobClaim } from '../../../tenancy/jobs/definition.ts';
import type { Verdict } from './delivery-rules.ts';

/** A reference to an endpoint of any tenant. */
type EndpointRef = KeyRef<WebhookId>;

/**
 * A delivery that this node must send. `takes` counts the claims, including this one, and thereby identifies the claim;
 * `attempts` counts the finished attempts; `event_created_at` and `event_data` (JSON) are null if the event is no
 * longer stored.
 */
export type ClaimedDelivery = ClaimDeliveriesRow;

/** A delivery that was just queued, as JSON from the database. Bytes are hexadecimal after \\x. */
type QueuedJson = Omit<
  ClaimedDelivery,
  'tenant_id' | 'secret' | 'previous_secret' | 'event_created_at'
> & {
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly event_created_at: string;
};

/** Reads a delivery that this node queued and claimed in one statement. */
export function readQueued(tenantId: TenantId, text: string): ClaimedDelivery {
  const json = JSON.parse(text) as QueuedJson;
  return {
    ...json,
    tenant_id: tenantId,
    secret: bytesOf(json.secret),
    previous_secret: json.previous_secret === null ? null : bytesOf(json.previous_secret),
    event_created_at: new Date(json.event_created_at),
  };
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

/** Claims due deliveries of these endpoints, up to the limit of each endpoint. */
export function claimDeliveries(
  gate: Gate,
  claims: readonly JobClaim<WebhookId>[],
  now: Date,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  return gate.callMany(claim, {
    tenants: claims.map((item) => item.tenantId),
    webhooks: claims.map((item) => item.key),
    limits: claims.map((item) => item.limit),
    now,
    leaseSeconds,
  });
}

/** Renews the leases of deliveries in progress, except those that another node has claimed. */
export async function renewDeliveries(
  gate: Gate,
  deliveries: readonly ClaimedDelivery[],
  until: Date,
): Promise<void> {
  const { tenants, lists } = listed(deliveries, (delivery) => delivery, nameOf);
  await gate.callMany(renew, { tenants, held: lists, until });
}

/** Lists the deliveries of each tenant as JSON, sorted so that two statements never deadlock on each other's rows. */
function listed<Item>(
  items: readonly Item[],
  deliveryOf: (item: Item) => ClaimedDelivery,
  rowOf: (item: Item) => object,
): { readonly tenants: TenantId[]; readonly lists: string[] } {
  const place = (item: Item) => placeOf(deliveryOf(item));
  const sorted = items.toSorted((item, other) => (place(item) < place(other) ? -1 : 1));
  const byTenant = Map.groupBy(sorted, (item) => deliveryOf(item).tenant_id);
  return {
    tenants: [...byTenant.keys()],
    lists: [...byTenant.values()].map((mine) => JSON.stringify(mine.map(rowOf))),
  };
}

/**
 * Records attempts, except for deliveries that another node has claimed in the meantime.
 * @returns the endpoints that failed now and have only failed since `hopelessSince`
 */
export async function finishDeliveries(
  gate: Gate,
  finished: readonly Ended<ClaimedDelivery, Verdict>[],
  now: Date,
  hopelessSince: Date,
): Promise<EndpointRef[]> {
  const { tenants, lists } = listed(finished, ({ job }) => job, asRow);
  const rows = await gate.callMany(finish, { tenants, finished: lists, now, hopelessSince });
  return rows.map((row) => ({ tenantId: row.tenant_id, key: row.webhook_id }));
}

function asRow({ job, verdict }: Ended<ClaimedDelivery, Verdict>) {
  const { outcome, dueAt, status, body, reason, durationMs } = verdict;
  return {
    ...nameOf(job),
    outcome,
    due_at: dueAt ?? null,
    status,
    body,
    reason: reason && reasonText(reason),
    duration_ms: durationMs ?? null,
  };
}

/** The key of a delivery, and the initial values of its row. */
function nameOf({ webhook_id, id, takes, ...delivery }: ClaimedDelivery) {
  const { event_id, event_type, event_created_at: created_at } = delivery;
  return { webhook_id, id, takes, event_id, event_type, created_at };
}

function placeOf(delivery: ClaimedDelivery): string {
  return `${delivery.tenant_id} ${delivery.webhook_id} ${delivery.id}`;
}

/**
 * Finds the due deliveries of each enabled endpoint. It skips from endpoint to endpoint in the index of pending
 * deliveries, so that a long queue costs no more than a short one.
 */
function dueFirst(now: Date) {
  return sql`
    RECURSIVE waiting AS (
      (SELECT tenant_id, webhook_id FROM webhook_deliveries WHERE status = 'pending'
        ORDER BY tenant_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT next.tenant_id, next.webhook_id
        FROM waiting, LATERAL (
          SELECT d.tenant_id, d.webhook_id FROM webhook_deliveries d
           WHERE d.status = 'pending'
             AND (d.tenant_id, d.webhook_id) > (waiting.tenant_id, waiting.webhook_id)
           ORDER BY d.tenant_id, d.webhook_id LIMIT 1) AS next
    ), due AS (
      SELECT w.tenant_id, w.id AS webhook_id, first.due_at
        FROM waiting
        JOIN webhooks w ON w.tenant_id = waiting.tenant_id AND w.id = waiting.webhook_id AND w.is_active
        JOIN tenants t ON t.tenant_id = w.tenant_id AND t.is_active AND t.deleted_at IS NULL,
        LATERAL (
          SELECT d.due_at FROM webhook_deliveries d
           WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id AND d.status = 'pending'
             AND d.due_at <= ${now} AND (d.held_until IS NULL OR d.held_until <= ${now})
           ORDER BY d.due_at LIMIT 1) AS first
    )`;
}

/** Queues events that were not sent because their node died or their process sends nothing. */
export async function queueUnsent(tx: SystemTx): Promise<void> {
  await callWithin(tx, queue, { now: tx.now });
}

/** The endpoints with due deliveries. */
export async function findDueEndpoints(tx: SystemTx): Promise<EndpointRef[]> {
  const { rows } = await sql<{ tenant_id: TenantId; webhook_id: WebhookId }>`
    WITH ${dueFirst(tx.now)} SELECT tenant_id, webhook_id FROM due`.execute(tx.db);
  return rows.map((row) => ({ tenantId: row.tenant_id, key: row.webhook_id }));
}

/** The maximum up to which a queue is counted. */
const COUNTED = 100_000;

/**
 * The number of pending deliveries, including those of disabled endpoints, and how many seconds the oldest due delivery
 * has waited.
 */
export async function measureQueue(
  tx: SystemTx,
): Promise<{ readonly pending: number; readonly lag_seconds: number }> {
  const { rows } = await sql<{ pending: number; lag_seconds: number }>`
    WITH ${dueFirst(tx.now)}
    SELECT (SELECT count(*)::integer FROM (
              SELECT FROM webhook_deliveries WHERE status = 'pending' LIMIT ${COUNTED}) AS counted) AS pending,
           coalesce(extract(epoch FROM ${tx.now}::timestamptz - min(due_at)), 0)::float8 AS lag_seconds
      FROM due`.execute(tx.db);
  return rows[0] ?? { pending: 0, lag_seconds: 0 };
}

type DeliveryStatus = 'pending' | 'delivered' | 'failed';

function deliveriesOf(tx: TenantTx, webhookId: WebhookId, status?: DeliveryStatus) {
  const query = from(tx, 'webhook_deliveries').where('webhook_id', '=', webhookId);
  return status === undefined ? query : query.where('status', '=', status);
}

function findDelivery(tx: TenantTx, webhookId: WebhookId, id: DeliveryId) {
  return deliveriesOf(tx, webhookId).selectAll().where('id', '=', id).executeTakeFirst();
}

export type DeliveryRow = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

/** A page, plus one more row if there are further rows. */
export function findDeliveries(
  tx: TenantTx,
  webhookId: WebhookId,
  status: DeliveryStatus | undefined,
  page: Page,
): Promise<DeliveryRow[]> {
  // IDs are ordered like the events, by `created_at`.
  let query = deliveriesOf(tx, webhookId, status).selectAll();
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
  status: DeliveryStatus | undefined,
): Promise<number> {
  return countUpToLimit(tx, deliveriesOf(tx, webhookId, status).select('id'));
}

/** Queues a delivery as if it were new, whatever its state. The result of a pending attempt is ignored. */
export function queueAgain(tx: TenantTx, webhookId: WebhookId, id: DeliveryId) {
  return update(tx, 'webhook_deliveries')
    .set((eb) => ({
      status: 'pending',
      attempts: 0,
      due_at: tx.now,
      held_until: null,
      takes: eb('takes', '+', 1),
      reason: null,
    }))
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** The position of an event in the log; undefined if it is no longer stored. */
function findPlace(tx: TenantTx, after: EventId): Promise<{ xid: string } | undefined> {
  return from(tx, 'events').select('xid').where('id', '=', after).executeTakeFirst();
}

/**
 * The events after a given one that an endpoint subscribes to, in the order of the log, up to the oldest transaction
 * still in progress.
 */
function eventsAfter(
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

/** @returns the events that `queueEventsAfter` would queue; undefined if the starting event is no longer stored */
export async function findEventsAfter(
  tx: TenantTx,
  webhookId: WebhookId,
  after: EventId,
  limit: number,
): Promise<EventId[] | undefined> {
  const start = await findPlace(tx, after);
  if (!start) return undefined;
  const { rows } = await sql<{ id: EventId }>`
    SELECT id FROM (${eventsAfter(tx, webhookId, { xid: start.xid, after, limit })}) AS missed
     ORDER BY xid, id`.execute(tx.db);
  return rows.map((row) => row.id);
}

/**
 * Queues the events after a given one for an endpoint. Deliveries that wait for their next attempt become due now.
 * Deliveries in progress remain unchanged.
 * @returns the events, in order; undefined if the event to start after is no longer stored
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
    WITH missed AS (${eventsAfter(tx, webhookId, { xid: start.xid, after, limit })}
    ), queued AS (
      INSERT INTO webhook_deliveries AS d (
        tenant_id, webhook_id, id, event_id, event_type, due_at, held_until, created_at)
      SELECT ${tx.tenantId}, ${webhookId}, kw_delivery_id(id, ${webhookId}), id, type, ${tx.now}::timestamptz,
             -- The node that queued it may be sending it.
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

/** Queues one event for an endpoint, even if the endpoint does not subscribe to its type. */
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
