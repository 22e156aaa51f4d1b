import type { SessionEndReason } from '@keywright/contract/records/session';
import type { SessionId, UserId } from '@keywright/contract/ids';
import type { NewEvent } from './change.ts';

/** A session that was alive until this change. */
export interface EndedSession {
  readonly id: SessionId;
  readonly user_id: UserId;
}

/** The event about a session that ended before its expiry. */
export function sessionRevoked({ id, user_id }: EndedSession, reason: SessionEndReason): NewEvent {
  return { type: 'session.revoked', data: { session_id: id, user_id, reason } };
}
