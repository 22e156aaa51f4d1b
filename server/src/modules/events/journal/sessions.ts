import type { SessionEndReason } from '@keywright/contract/records/session';
import type { AgentId, ApiKeyId, DelegationId, SessionId, UserId } from '@keywright/contract/ids';
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

/** What was revoked. */
export interface Revoked {
  readonly keys: readonly { readonly id: ApiKeyId; readonly agent_id: AgentId }[];
  readonly delegations: readonly {
    readonly id: DelegationId;
    readonly user_id: UserId;
    readonly agent_id: AgentId;
  }[];
}

/** The events of keys and delegations that have ended. */
export function revocationEvents({ keys, delegations }: Revoked, reason: string): NewEvent[] {
  return [
    ...keys.map(({ id, agent_id }) => {
      return { type: 'apikey.revoked', data: { key_id: id, agent_id, reason } } as const;
    }),
    ...delegations.map(({ id, user_id, agent_id }) => {
      const data = { delegation_id: id, user_id, agent_id };
      return { type: 'delegation.revoked', data } as const;
    }),
  ];
}
