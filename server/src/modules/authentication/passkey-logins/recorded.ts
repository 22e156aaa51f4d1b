import type { FactorId, UserId } from '@keywright/contract/ids';
import type { Change } from '../../events/journal/index.ts';

/** Signatures of a passkey are counted: one that counts less than before is made by a copy, or was (WebAuthn Level 3 §6.1.1). */
export function suspicionOf(id: FactorId, userId: UserId): Change {
  const reason = 'counter_not_increased';
  return {
    action: 'factor.suspicious',
    target: { kind: 'factor', id },
    details: { user_id: userId, reason },
    events: [{ type: 'factor.suspicious', data: { factor_id: id, user_id: userId, reason } }],
  };
}
