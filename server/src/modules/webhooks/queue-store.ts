import type { TenantId, WebhookId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { statement } from '../../platform/db/database.ts';
import type { Gate, TenantTx } from '../../tenancy/gate.ts';
import type { SystemTx } from '../../tenancy/system.ts';
import type { Verdict } from './rules.ts';

/** An endpoint, in whichever tenant. */
export interface EndpointRef {
  readonly tenantId: TenantId;
  readonly webhookId: WebhookId;
}

/** A delivery that this node is to send. */
export interface ClaimedDelivery {
  readonly tenant_id: TenantId;
  readonly webhook_id: WebhookId;
  readonly id: string;
  /** This one included. */
  readonly attempts: number;
  readonly url: string;
  readonly secret: Buffer;
  /** While it is still good. */
  readonly previous_secret: Buffer | null;
  readonly event_id: string;
  readonly event_type: string;
  /** Null when the event is no longer kept. */
  readonly event_created_at: Date | null;
  /** As JSON. */
  readonly event_data: string | null;
}

const claim = statement(
  'kw_claim_deliveries',
  'SELECT * FROM kw_claim_deliveries($1, $2, $3, $4, $5)',
);

/** Takes what is due for these endpoints, of each as many as its limit says. */
export function claimDeliveries(
  gate: Gate,
  wanted: readonly (EndpointRef & { readonly limit: number })[],
  now: Date,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  return gate.callMany<ClaimedDelivery>(
    claim,
    wanted.map((one) => one.tenantId),
    [wanted.map((one) => one.webhookId), wanted.map((one) => one.limit), now, leaseSeconds],
  );
}

const finish = statement(
  'kw_finish_deliveries',
  'SELECT * FROM kw_finish_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
);

/** An attempt that is over. */
export interface FinishedAttempt {
  readonly delivery: ClaimedDelivery;
  readonly verdict: Verdict;
}

/** Writes attempts down. @returns for each since when its endpoint has had nothing but failures, or null */
export async function finishDeliveries(
  gate: Gate,
  finished: readonly FinishedAttempt[],
  now: Date,
): Promise<(Date | null)[]> {
  // Sorted, so that two of these never wait for each other's rows in a circle.
  const order = finished
    .map((one, index) => ({ ...one, index, key: `${keyOf(one.delivery)} ${one.delivery.id}` }))
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)));
  const rows = await gate.callMany<{ failing_since: Date | null }>(
    finish,
    order.map(({ delivery }) => delivery.tenant_id),
    [
      order.map(({ delivery }) => delivery.webhook_id),
      order.map(({ delivery }) => delivery.id),
      order.map(({ delivery }) => delivery.attempts),
      order.map(({ verdict }) => verdict.outcome),
      order.map(({ verdict }) => verdict.dueAt ?? null),
      order.map(({ verdict }) => verdict.status),
      order.map(({ verdict }) => verdict.body),
      order.map(({ verdict }) => verdict.reason),
      now,
    ],
  );
  const answers = Array.from<Date | null>({ length: finished.length });
  order.forEach(({ index }, place) => {
    answers[index] = rows[place]?.failing_since ?? null;
  });
  return answers;
}

function keyOf({ tenant_id: tenantId, webhook_id: webhookId }: ClaimedDelivery): string {
  return `${tenantId} ${webhookId}`;
}

/**
 * The endpoints that something is due for. Steps from endpoint to endpoint through the index of what is
 * pending, so that a long queue costs no more than a short one.
 */
export async function findDueEndpoints(tx: SystemTx, now: Date): Promise<EndpointRef[]> {
  const { rows } = await sql<{ tenant_id: TenantId; webhook_id: WebhookId }>`
    WITH RECURSIVE waiting AS (
      (SELECT tenant_id, webhook_id FROM webhook_deliveries WHERE status = 'pending'
        ORDER BY tenant_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT next.tenant_id, next.webhook_id
        FROM waiting, LATERAL (
          SELECT d.tenant_id, d.webhook_id FROM webhook_deliveries d
           WHERE d.status = 'pending'
             AND (d.tenant_id, d.webhook_id) > (waiting.tenant_id, waiting.webhook_id)
           ORDER BY d.tenant_id, d.webhook_id LIMIT 1) AS next
    )
    SELECT w.tenant_id, w.id AS webhook_id
      FROM waiting JOIN webhooks w ON w.tenant_id = waiting.tenant_id AND w.id = waiting.webhook_id
     WHERE w.is_active AND EXISTS (
       SELECT FROM webhook_deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.id
          AND d.status = 'pending' AND d.due_at <= ${now})`.execute(tx.db);
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }));
}

/** Switches an endpoint off, once. @returns whether this did it */
export async function disableWebhook(
  tx: TenantTx,
  id: WebhookId,
  reason: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('webhooks')
    .set({ is_active: false, disabled_reason: reason })
    .where('tenant_id', '=', tx.tenantId)
    .where('id', '=', id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many deliveries wait, and for how long the first of those that are due has waited, in seconds. */
export async function measureQueue(
  tx: SystemTx,
  now: Date,
): Promise<{ readonly pending: number; readonly lagSeconds: number }> {
  const { rows } = await sql<{ pending: number; lag: number }>`
    SELECT count(*)::integer AS pending,
           coalesce(greatest(0, max(extract(epoch FROM ${now}::timestamptz - due_at))), 0)::float8 AS lag
      FROM webhook_deliveries WHERE status = 'pending'`.execute(tx.db);
  return { pending: rows[0]?.pending ?? 0, lagSeconds: rows[0]?.lag ?? 0 };
}
