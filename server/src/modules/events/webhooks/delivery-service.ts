import type { Fail } from '@keywright/contract/errors';
import {
  parseDeliveryId,
  parseWebhookId,
  type TenantId,
  type WebhookId,
} from '@keywright/contract/ids';
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
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { record } from '../journal/index.ts';
import { endpointDue } from './delivery-queue.ts';
import {
  countDeliveries,
  type DeliveryRow,
  findDeliveries,
  findEventsAfter,
  queueAgain,
  queueEvent,
  queueEventsAfter,
} from './delivery-store.ts';
import { findWebhook } from './endpoint-store.ts';

/** The number of characters of each response that `kw_attempts_after` stores. */
const STORED_CHARACTERS = 256;

/** The deliveries to an endpoint, and those that an administrator requests. */
export class DeliveryService {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async list(
    tenantId: TenantId,
    id: string,
    query: QueryOf<typeof listDeliveries>,
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND'>,
  ) {
    const { sort = '-created_at', status } = query;
    const page = readPage([tenantId, 'deliveries', id], query, sort, fail);
    const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
    const [rows, total] = await this.#gate.into(tenantId).transaction(async (tx) => {
      if (!(await findWebhook(tx, webhookId))) fail('NOT_FOUND');
      const found = await findDeliveries(tx, webhookId, status, page);
      return [found, await countDeliveries(tx, webhookId, status)] as const;
    });
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentDelivery);
  }

  /** Sends a new event to one endpoint only. */
  sendTest(
    tenantId: TenantId,
    caller: Caller,
    id: string,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<DeliveryRecord> {
    return once(this.#gate.into(tenantId), repeatable, async (tx) => {
      const webhookId = await requireWebhook(tx, id, fail);
      const eventId = newEventId(tx.now);
      const type = 'webhook.test' as const;
      await record(tx, caller, {
        action: 'webhook.tested',
        target: { kind: 'webhook', id: webhookId },
        details: { test: eventId },
        events: [{ type, id: eventId, data: { webhook_id: webhookId } }],
      });
      const row = await queueEvent(tx, webhookId, { id: eventId, type });
      tx.publish(endpointDue, { tenantId, key: webhookId });
      return presentDelivery(row);
    });
  }

  /** Sends one delivery again, with a full set of attempts. */
  retry(
    tenantId: TenantId,
    caller: Caller,
    { id, delivery }: { readonly id: string; readonly delivery: string },
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<DeliveryRecord> {
    return once(this.#gate.into(tenantId), repeatable, async (tx) => {
      const deliveryId = parseDeliveryId(delivery) ?? fail('NOT_FOUND');
      // Deliveries are stored for a while after their endpoint is deleted.
      const webhookId = await requireWebhook(tx, id, fail);
      const row = (await queueAgain(tx, webhookId, deliveryId)) ?? fail('NOT_FOUND');
      await recordReplay(tx, caller, webhookId, { delivery: deliveryId });
      return presentDelivery(row);
    });
  }

  /** Sends all events after a given event again, or counts them. */
  replay(
    tenantId: TenantId,
    caller: Caller,
    id: string,
    { after, dry_run: isDryRun }: BodyOf<typeof replayWebhook>,
    repeatable: RepeatableRequest | undefined,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<OkOf<typeof replayWebhook>> {
    return once(this.#gate.into(tenantId), repeatable, async (tx) => {
      const webhookId = await requireWebhook(tx, id, fail);
      const findOrQueue = isDryRun ? findEventsAfter : queueEventsAfter;
      const events = (await findOrQueue(tx, webhookId, after, REPLAY_AT_ONCE)) ?? fail('NOT_FOUND');
      if (!isDryRun) await recordReplay(tx, caller, webhookId, { after, queued: events.length });
      const last = events.length < REPLAY_AT_ONCE ? undefined : events.at(-1);
      return { queued: events.length, ...(last === undefined ? {} : { next_after: last }) };
    });
  }
}

async function requireWebhook(
  tx: TenantTx,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<WebhookId> {
  const webhookId = parseWebhookId(id) ?? fail('NOT_FOUND');
  if (!(await findWebhook(tx, webhookId))) fail('NOT_FOUND');
  return webhookId;
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

function presentDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
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

/** An event that was delivered by its first attempt has no history other than its row. */
function attemptsOf(row: DeliveryRow): DeliveryAttempt[] {
  if (row.history !== null) return row.history;
  if (row.last_attempt_at === null) return [];
  return [
    {
      at: row.last_attempt_at.toISOString(),
      status: row.response_status,
      duration_ms: row.duration_ms,
      reason: row.reason,
      body: row.response_body?.slice(0, STORED_CHARACTERS) ?? null,
    },
  ];
}
