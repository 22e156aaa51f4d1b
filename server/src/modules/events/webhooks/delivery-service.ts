import type { Fail } from '@keywright/contract/errors';
import { parseDeliveryId, parseWebhookId, type WebhookId } from '@keywright/contract/ids';
import type { DeliveryAttempt, DeliveryRecord } from '@keywright/contract/records/webhook';
import type { BodyOf, OkOf, QueryOf } from '@keywright/contract/route';
import {
  type listDeliveries,
  REPLAY_AT_ONCE,
  type replayWebhook,
} from '@keywright/contract/routes/webhooks';
import { newEventId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { record } from '../journal/index.ts';
import {
  countDeliveries,
  type DeliveryRow,
  findDeliveries,
  findEventsAfter,
  queueAgain,
  queueEvent,
  queueEventsAfter,
} from './delivery-store.ts';
import { endpointDue } from './delivery-queue.ts';
import { findWebhook } from './endpoint-store.ts';

export async function listDeliveriesPage(
  tenant: TenantData,
  id: string,
  query: QueryOf<typeof listDeliveries>,
  fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
) {
  const page = readPage(
    [tenant.tenantId, 'deliveries', id],
    query,
    query.sort ?? '-created_at',
    fail,
  );
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  const [rows, total] = await tenant.transaction(async (tx) => {
    if (!(await findWebhook(tx, webhookId))) fail('NOT_FOUND');
    const found = await findDeliveries(tx, webhookId, query.status, page);
    return [found, await countDeliveries(tx, webhookId, query.status)] as const;
  });
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentDelivery);
}

/** Sends a new event to one endpoint only. */
export async function sendTest(
  tx: TenantTx,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<DeliveryRecord> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  if (!(await findWebhook(tx, webhookId))) fail('NOT_FOUND');
  const eventId = newEventId(tx.now);
  const type = 'webhook.test' as const;
  await record(tx, caller, {
    action: 'webhook.tested',
    target: { kind: 'webhook', id: webhookId },
    details: { test: eventId },
    events: [{ type, id: eventId, data: { webhook_id: webhookId } }],
  });
  const row = await queueEvent(tx, webhookId, { id: eventId, type });
  tx.publish(endpointDue, { tenantId: tx.tenantId, key: webhookId });
  return presentDelivery(row);
}

/** Sends one delivery again, starting over with its attempts. */
export async function retry(
  tx: TenantTx,
  caller: Caller,
  id: string,
  delivery: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<DeliveryRecord> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  const deliveryId = parseDeliveryId(delivery) ?? fail('NOT_FOUND');
  // Deliveries are kept for a while after their endpoint is deleted.
  if (!(await findWebhook(tx, webhookId))) fail('NOT_FOUND');
  const row = (await queueAgain(tx, webhookId, deliveryId)) ?? fail('NOT_FOUND');
  await recordReplay(tx, caller, webhookId, { delivery: deliveryId });
  return presentDelivery(row);
}

/** Sends all events after one again, or counts them. */
export async function replay(
  tx: TenantTx,
  caller: Caller,
  id: string,
  { after, dry_run: isDryRun }: BodyOf<typeof replayWebhook>,
  fail: Fail<'NOT_FOUND'>,
): Promise<OkOf<typeof replayWebhook>> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  if (!(await findWebhook(tx, webhookId))) fail('NOT_FOUND');
  const queued =
    (await (isDryRun ? findEventsAfter : queueEventsAfter)(tx, webhookId, after, REPLAY_AT_ONCE)) ??
    fail('NOT_FOUND');
  if (!isDryRun) await recordReplay(tx, caller, webhookId, { after, queued: queued.length });
  const last = queued.length < REPLAY_AT_ONCE ? undefined : queued.at(-1);
  return {
    queued: queued.length,
    ...(last === undefined ? {} : { next_after: last }),
  };
}

async function recordReplay(
  tx: TenantTx,
  caller: Caller,
  webhookId: WebhookId,
  details: Readonly<Record<string, string | number>>,
): Promise<void> {
  const target = { kind: 'webhook', id: webhookId } as const;
  await record(tx, caller, { action: 'webhook.replayed', target, details });
  tx.publish(endpointDue, { tenantId: tx.tenantId, key: webhookId });
}

/** As kw_attempts_after keeps of each answer. */
const KEPT_CHARACTERS = 256;

function presentDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status as DeliveryRecord['status'],
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? row.due_at.toISOString() : null,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    response_status: row.response_status,
    response_body: row.response_body,
    reason: row.reason,
    last_attempts: attemptsOf(row),
    created_at: row.created_at.toISOString(),
  };
}

/** An event that was delivered at once has no history besides its row. */
function attemptsOf(row: DeliveryRow): DeliveryAttempt[] {
  if (row.history !== null) return row.history as unknown as DeliveryAttempt[];
  if (row.last_attempt_at === null) return [];
  return [
    {
      at: row.last_attempt_at.toISOString(),
      status: row.response_status,
      duration_ms: row.duration_ms,
      reason: row.reason,
      body: row.response_body?.slice(0, KEPT_CHARACTERS) ?? null,
    },
  ];
}
