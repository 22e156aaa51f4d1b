import type { SessionEndReason } from '@keywright/contract/records/session';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import type { EndedFamily } from './end-store.ts';

/** Records that a session was ended individually, and what ended with it. */
export function recordEnd(
  tx: TenantTx,
  by: Actor,
  { session, children }: EndedFamily,
  reason: SessionEndReason,
): Promise<void> {
  return record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'session', id: session.id },
    details: { reason, user_id: session.user_id },
    events: [session, ...children].map((ended) => sessionRevoked(ended, reason)),
  });
}
