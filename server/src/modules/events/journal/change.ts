import type { AuditAction, Outcome, TargetKind } from '@keywright/contract/audit';
import { type EventData, EVENTS, type EventType } from '@keywright/contract/events';
import type { EventId, TenantId } from '@keywright/contract/ids';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import { newAuditEntryId, newEventId } from '../../../platform/crypto/ids.ts';
import type { AuditKey } from '../../../tenancy/audit-keys.ts';
import { type Actor, actorColumns } from './actor.ts';
import { asJson, authenticated, type NewEntry } from './mac.ts';

/** An event to be written; `tenant_id` is added to its data. */
export type NewEvent = {
  [T in EventType]: {
    readonly type: T;
    readonly data: Omit<EventData<T>, 'tenant_id'>;
    /** For callers that need the id in advance; default: a new one. */
    readonly id?: EventId;
  };
}[EventType];

/** The records of one change: an entry of the audit log, and events. */
export interface Change {
  readonly action: AuditAction;
  readonly target: { readonly kind: TargetKind; readonly id: string | null };
  /** Default success. */
  readonly outcome?: Outcome;
  /** The number of occurrences it represents; default 1. */
  readonly count?: number;
  /** Never a secret. */
  readonly details?: AuditDetails;
  readonly events?: readonly NewEvent[];
}

/** The arguments of kw_record after the tenant, as JSON. */
export interface SerializedChanges {
  readonly entries: string;
  readonly events: string;
}

/** Changes as they are written, all of them at `now`. */
export function serializeChanges(
  key: AuditKey,
  tenantId: TenantId,
  by: Actor,
  changes: readonly Change[],
  now: Date,
): SerializedChanges {
  const events = changes.flatMap((change) => change.events ?? []);
  return {
    entries: authenticated(
      key,
      tenantId,
      changes.map((change) => entryOf(by, change, now)),
    ),
    events: asJson(events.map((event) => eventOf(tenantId, event, now))),
  };
}

export function entryOf(by: Actor, change: Change, now: Date): NewEntry {
  const { action, target, outcome = 'success', count = 1, details = {} } = change;
  return {
    id: newAuditEntryId(now),
    created_at: now.toISOString(),
    ...actorColumns(by),
    action,
    target_kind: target.kind,
    target_id: target.id,
    outcome,
    count,
    details,
  };
}

function eventOf(tenantId: TenantId, { type, data, id }: NewEvent, now: Date) {
  const whole: Readonly<Record<string, unknown>> = { ...data, tenant_id: tenantId };
  return {
    id: id ?? newEventId(now),
    type,
    subject: String(whole[EVENTS[type].subject]),
    data: whole,
    created_at: now.toISOString(),
  };
}
