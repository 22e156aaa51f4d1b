import type { Identifier } from '@keywright/contract/identifiers';
import type { AgentId, UserId } from '@keywright/contract/ids';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import type { SessionEndReason } from '@keywright/contract/records/session';
import { newUserId } from '../../../platform/crypto/ids.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import {
  type Actor,
  type Change,
  type EndedSession,
  type NewEvent,
  record,
  revocationEvents,
  sessionRevoked,
} from '../../events/journal/index.ts';
import { setSecretHash } from './credential-store.ts';
import { insertIdentifiers } from './identifier-store.ts';
import { type RoleChange, replaceRoles, roleChange } from './role-store.ts';
import type { Appearance } from './user-rules.ts';
import { findProfile, insertUser, updateUserRow } from './user-store.ts';

export interface NewUser extends Identifier, Partial<Appearance> {
  /** Undefined: without a password. */
  readonly secretHash?: string;
  /** Whether the identifier was proven; default false. */
  readonly verified?: boolean;
  readonly roles: readonly string[];
  /** Default: a new ID. */
  readonly id?: UserId;
  /** When the ID was created. */
  readonly createdAt?: Date;
}

/** Inserts a new user. @returns undefined if another user has the identifier */
export async function writeUser(
  tx: TenantTx,
  by: Actor,
  user: NewUser,
): Promise<UserId | undefined> {
  const { type, identifier, verified = false, secretHash, createdAt = tx.now } = user;
  // The ID contains the same time, because searches sort by ID instead of age.
  const id = user.id ?? newUserId(createdAt);
  await insertUser(tx, { id, createdAt, name: user.name ?? null, picture: user.picture ?? null });
  if (!(await insertIdentifiers(tx, id, [{ type, identifier, verified }]))) return undefined;
  if (secretHash !== undefined) await setSecretHash(tx, id, secretHash);
  await replaceRoles(tx, id, user.roles);
  const change = await roleChange(tx, [], user.roles);
  await record(tx, by, createdUser(id, [{ type, identifier }], change));
  return id;
}

/** Gives a user a name and a picture if they have none. @returns the names of the fields that were set */
export async function fillAppearance(
  tx: TenantTx,
  id: UserId,
  { name, picture }: Appearance,
): Promise<string[]> {
  const row = await findProfile(tx, id);
  const values = {
    ...(row?.name === null && name !== null && { name }),
    ...(row?.picture === null && picture !== null && { picture }),
  };
  await updateUserRow(tx, id, values, false);
  return Object.keys(values);
}

/** The events for the roles that a user gained and lost. */
function roleEvents(
  userId: UserId,
  { roles_added: gained, roles_removed: lost }: RoleChange,
): NewEvent[] {
  return [
    ...gained.map((role) => ({ type: 'role.assigned', data: { user_id: userId, role } }) as const),
    ...lost.map((role) => ({ type: 'role.unassigned', data: { user_id: userId, role } }) as const),
  ];
}

/** The audit entry and the events of a new user. */
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

/** The effects of updating a user. */
export interface UserUpdate {
  /** The names of the fields that the update set. */
  readonly fields: readonly string[];
  readonly isActive?: boolean | undefined;
  readonly roles?: RoleChange | undefined;
  readonly ended: readonly EndedSession[];
  /** Why the sessions ended. */
  readonly reason: SessionEndReason;
}

/** Records that an address was proven. */
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

/** Records an update that changed only the roles of a user. */
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

/** The records that end when a user is deleted. */
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
