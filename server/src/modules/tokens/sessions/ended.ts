import type { SessionEndReason } from '@keywright/contract/records/session';
import type { TenantTx } from '../../../tenancy/gate.ts';
import {
  type Actor,
  type EndedSession,
  record,
  sessionRevoked,
} from '../../events/journal/index.ts';

/** Records that one session was ended, by itself and not with something else. */
export function recordEnd(
  tx: TenantTx,
  by: Actor,
  ended: EndedSession,
  reason: SessionEndReason,
): Promise<void> {
  return record(tx, by, {
    action: 'session.revoked',
    target: { kind: 'session', id: ended.id },
    details: { reason, user_id: ended.user_id },
    events: [sessionRevoked(ended, reason)],
  });
}
