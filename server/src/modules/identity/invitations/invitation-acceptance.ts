import {
  type AgentId,
  DEFAULT_TENANT,
  type InvitationId,
  type UserId,
} from '@keywright/contract/ids';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { outdateAccessOfUser } from '../../tokens/grants/index.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { type Grantor, refusalOfGrant, SYSTEM_ADMIN } from '../roles/index.ts';
import {
  findRoleNames,
  findUsableRolesOf,
  lockWorkspaces,
  recordRoles,
  recordVerified,
  replaceRoles,
  roleChange,
  setVerified,
} from '../users/index.ts';
import { addMember } from '../workspaces/index.ts';
import { changePending, type InvitationRow, lockPending } from './invitation-store.ts';

/** Why an invitation grants nothing. */
type Refusal = 'not_pending' | 'grantor_not_entitled' | 'role_unknown' | 'workspace_unknown';

/** Thrown to roll back the transaction that accepts an invitation. */
export class InvitationRefused extends Error {
  readonly invitationId: InvitationId;
  readonly reason: Refusal;

  constructor(invitationId: InvitationId, reason: Refusal) {
    super(`The invitation was rejected: ${reason}.`);
    this.invitationId = invitationId;
    this.reason = reason;
  }
}

/** The scopes that an inviter needs, both when they invite and when the invitation is accepted. */
const TO_INVITE = 'write:users';
const TO_ADMIT = 'write:workspaces';

/** The inviter. Call this before the tenant's transaction: system administrators are users of another tenant. */
export async function grantorOf(gate: Gate, row: InvitationRow): Promise<Grantor> {
  const { inviter_kind: kind, invited_by: by, inviting_agent: agentId } = row;
  const subject = by as UserId;
  if (kind === 'user') return { kind, subject };
  if (kind === 'agent') return { kind, subject: by as AgentId };
  if (kind === 'delegate') return { kind, subject, agentId: agentId as AgentId };
  const roles = await gate.into(DEFAULT_TENANT).transaction((tx) => findUsableRolesOf(tx, subject));
  const isSystemAdministrator = roles.some((role) => role.name === SYSTEM_ADMIN);
  return { kind: 'impersonator', subject, isSystemAdministrator };
}

/**
 * Locks an invitation, and checks its grants as if they were made now: the inviter must hold what they grant, and no
 * less than the user who receives it.
 * @param to undefined for a new user
 * @throws InvitationRefused
 */
export async function holdInvitation(
  tx: TenantTx,
  { id }: InvitationRow,
  by: Grantor,
  to: UserId | undefined,
): Promise<void> {
  const refuse = (reason: Refusal): never => {
    throw new InvitationRefused(id, reason);
  };
  const row = (await lockPending(tx, id)) ?? refuse('not_pending');
  const workspaces = row.workspaces;
  const scopes = workspaces.length > 0 ? [TO_INVITE, TO_ADMIT] : [TO_INVITE];
  const refusal = await refusalOfGrant(tx, by, { roles: row.roles, scopes, to });
  if (refusal) refuse(refusal);
  const locked = await lockWorkspaces(tx, workspaces);
  if (locked.length < workspaces.length) refuse('workspace_unknown');
}

/**
 * Accepts an invitation that `holdInvitation` has locked, for a user who is locked or new. Assigns the roles and
 * workspaces of the invitation.
 */
export async function acceptInvitation(
  tx: TenantTx,
  { id }: InvitationRow,
  userId: UserId,
  by: Actor,
): Promise<void> {
  const accepted = { accepted_at: tx.now, accepted_by: userId };
  const row = await changePending(tx, id, accepted);
  if (!row) throw new InvitationRefused(id, 'not_pending');
  const present = await findRoleNames(tx, userId);
  const roles = await roleChange(tx, present, [...present, ...row.roles]);
  await record(tx, by, {
    action: 'invitation.accepted',
    target: { kind: 'invitation', id },
    details: { user_id: userId, roles_added: roles.roles_added, workspaces: row.workspaces },
    events: [{ type: 'invitation.accepted', data: { invitation_id: id, user_id: userId } }],
  });
  // The token was sent to the address, so the address is proven.
  if (await setVerified(tx, userId, row.identifier)) {
    await recordVerified(tx, by, userId, row.identifier);
  }
  if (roles.roles_added.length > 0) {
    await replaceRoles(tx, userId, [...present, ...row.roles]);
    await outdateAccessOfUser(tx, userId);
    await recordRoles(tx, by, userId, roles);
  }
  for (const workspaceId of row.workspaces) {
    if (!(await addMember(tx, by, { workspaceId, userId }))) {
      throw new InvitationRefused(id, 'workspace_unknown');
    }
  }
}
