import type { TenantId } from '@keywright/contract/ids';
import type { Gate } from '../../../tenancy/gate.ts';
import { record } from '../journal/index.ts';
import type { MessageRow } from './message.ts';

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
