import type { TenantId } from '@keywright/contract/ids';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, type Notes, record } from '../journal/index.ts';
import { maskAddress, type MessageRow } from './message.ts';
import type { NewSuppression } from './suppressions-store.ts';

const WHO = { kind: 'system', name: 'messages' } as const;

/** Records that a message will not be delivered. */
export function recordFailure(gate: Gate, message: MessageRow, reason: string): Promise<void> {
  const { id, kind, tenant_id: tenantId } = message;
  return gate.into(tenantId).transaction((tx) =>
    record(tx, WHO, {
      action: 'message.failed',
      target: { kind: 'message', id },
      outcome: 'failure',
      details: { kind, reason },
      events: [{ type: 'message.failed', data: { message_id: id, kind, reason } }],
    }),
  );
}

/** Records that the mail server of a tenant refuses what it is sent. */
export function recordFailing(gate: Gate, tenantId: TenantId, reason: string): Promise<void> {
  return gate.into(tenantId).transaction((tx) =>
    record(tx, WHO, {
      action: 'messaging.failing',
      target: { kind: 'tenant', id: tenantId },
      outcome: 'failure',
      details: { reason },
      events: [{ type: 'messaging.failing', data: { reason } }],
    }),
  );
}

/** Asynchronously, and counted beyond a number that no one reads. */
export function noteSent(notes: Notes, message: MessageRow): void {
  const { id, kind, tenant_id: tenantId, masked_destination: to } = message;
  notes.note(tenantId, WHO, {
    action: 'auth.message_sent',
    target: { kind: 'message', id },
    outcome: 'success',
    details: { kind, to },
  });
}

/** @param by default: the service, of which the mail server rejected the message */
export function recordSuppression(
  tx: TenantTx,
  { address, reason }: NewSuppression,
  by: Actor = WHO,
): Promise<void> {
  return record(tx, by, {
    action: 'messaging.suppressed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { to: maskAddress(address), reason },
  });
}
