import type {
  DeliveryAttempt,
  DeliveryRecord,
  WebhookRecord,
} from '@keywright/contract/records/webhook';
import type { DeliveryRow } from './deliveries-store.ts';
import type { WebhookRow } from './store.ts';

/** As kw_attempts_after keeps of each answer. */
const KEPT_CHARACTERS = 256;

export function presentWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    url: row.url,
    events: row.events as WebhookRecord['events'],
    is_active: row.is_active,
    disabled_reason: row.disabled_reason,
    failing_since: timeOf(row.failing_since),
    overlap_ends_at: timeOf(row.previous_secret_until),
    created_at: row.created_at.toISOString(),
  };
}

export function presentDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status as DeliveryRecord['status'],
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? row.due_at.toISOString() : null,
    last_attempt_at: timeOf(row.last_attempt_at),
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

function timeOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
