import type { Identifier } from '@keywright/contract/identifiers';
import type { AgentId, UserId } from '@keywright/contract/ids';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import type { SessionEndReason } from '@keywright/contract/records/session';
import type { TenantTx } from '../../../tenancy/gate.ts';
import {
  type Actor,
  type Change,
  type EndedSession,
  type NewEvent,
  record,
  sessionRevoked,
  revocationEvents,
} from '../../events/journal/index.ts';
import type { RoleChange } from '../roles/index.ts';

/** The events about the roles that a user gained and lost. */
function roleEvents(
  userId: UserId,
  { roles_added: gained, roles_removed: lost }: RoleChange,
): NewEvent[] {
  return [
    ...gained.map((role) => ({ type: 'role.assigned', data: { user_id: userId, role } }) as const),
    ...lost.map((role) => ({ type: 'role.unassigned', data: { user_id: userId, role } }) as const),
  ];
}

/** What is recorded of a new user. */
export function createdUser(
  id: UserId,
  identifiers: readonly Identifier[],
  change: RoleChange,
): Change {
  return {
    action: 'user.created',
    target: { kind: 'user', id },
    details: { roles_added: change.roles_added, scopes_added: change.scopes_added },
    events: [
      {
        type: 'user.created',
        data: {
          user_id: id,
          identifiers: identifiers.map(({ type, identifier }) => ({ type, identifier })),
        },
      },
      ...roleEvents(id, change),
    ],
  };
}

/** The effects of an update of a user. */
export interface UserUpdate {
  /** Names of the fields that the update set. */
  readonly fields: readonly string[];
  readonly isActive?: boolean | undefined;
  readonly roles?: RoleChange | undefined;
  readonly ended: readonly EndedSession[];
  /** Why the sessions ended. */
  readonly reason: SessionEndReason;
}

/** What is recorded when an address was proven. */
export function recordVerified(
  tx: TenantTx,
  by: Actor,
  userId: UserId,
  identifier: string,
): Promise<void> {
  return record(tx, by, {
    action: 'identifier.verified',
    target: { kind: 'user', id: userId },
    details: {},
    events: [
      { type: 'identifier.verified', data: { user_id: userId, identifier } },
      { type: 'user.updated', data: { user_id: userId, fields: ['identifiers'] } },
    ],
  });
}

/** What is recorded of a user who gained or lost roles, and nothing else. */
export function recordRoles(
  tx: TenantTx,
  by: Actor,
  userId: UserId,
  roles: RoleChange,
): Promise<void> {
  const fields = ['roles'];
  return record(tx, by, {
    action: 'user.updated',
    target: { kind: 'user', id: userId },
    details: { fields, ...roles },
    events: [
      { type: 'user.updated', data: { user_id: userId, fields } },
      ...roleEvents(userId, roles),
    ],
  });
}

export function recordUpdate(
  tx: TenantTx,
  by: Actor,
  userId: UserId,
  { fields, isActive, roles, ended, reason }: UserUpdate,
): Promise<void> {
  const details: AuditDetails = {
    fields: [...fields],
    ...(isActive === undefined ? {} : { is_active: isActive }),
    ...roles,
    ...(ended.length > 0 ? { sessions: ended.length } : {}),
  };
  return record(tx, by, {
    action: 'user.updated',
    target: { kind: 'user', id: userId },
    details,
    events: [
      { type: 'user.updated', data: { user_id: userId, fields: [...fields] } },
      ...(roles ? roleEvents(userId, roles) : []),
      ...ended.map((session) => sessionRevoked(session, reason)),
    ],
  });
}

/** What is deleted with a user. */
interface Ended {
  readonly sessions: readonly EndedSession[];
  readonly agents: readonly AgentId[];
  readonly keys: Parameters<typeof revocationEvents>[0]['keys'];
  readonly delegations: Parameters<typeof revocationEvents>[0]['delegations'];
}

export function recordDeletion(
  tx: TenantTx,
  by: Actor,
  userId: UserId,
  { roles_removed, scopes_removed }: RoleChange,
  { sessions, agents, keys, delegations }: Ended,
): Promise<void> {
  const fields = ['is_active'];
  return record(tx, by, {
    action: 'user.deleted',
    target: { kind: 'user', id: userId },
    details: {
      roles_removed,
      scopes_removed,
      sessions: sessions.length,
      ...(agents.length > 0 && { agents: [...agents] }),
    },
    events: [
      { type: 'user.deleted', data: { user_id: userId } },
      ...sessions.map((session) => sessionRevoked(session, 'user_deleted')),
      ...agents.map((id) => ({ type: 'agent.updated', data: { agent_id: id, fields } }) as const),
      ...revocationEvents({ keys, delegations }, 'user_deleted'),
    ],
  });
}
