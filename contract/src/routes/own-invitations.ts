import Type from 'typebox';
import { InvitationIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { OwnInvitationRecord } from '../records/own-invitation.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted } from './fields.ts';

const ME_BASE = `${API_BASE}/me/invitations` as const;
const INVITATION = `${ME_BASE}/:invitation_id` as const;
const params = Type.Object({ invitation_id: pathId(InvitationIdSchema) });

export const listOwnInvitations = route({
  id: 'invitations.list_own',
  method: 'GET',
  path: ME_BASE,
  access: 'user',
  summary: 'List the caller’s pending invitations',
  description:
    'Pending invitations to the caller’s verified email addresses, newest first, at most 100.',
  query: closed({ ...listQuery }),
  ok: { status: 200, body: listOf(OwnInvitationRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const acceptInvitation = route({
  id: 'invitations.accept',
  method: 'POST',
  path: `${INVITATION}/accept`,
  access: 'user',
  summary: 'Accept an invitation',
  description:
    'Has the same effect as the token in the invitation’s message: the user receives the roles and joins the workspaces, if the inviter is still allowed to grant them. Returns 404 if the invitation cannot be accepted. To get a token with the new roles, refresh. If the tenant requires a second factor for a role, the user must sign in with one.',
  params,
  ok: { status: 200, body: OwnInvitationRecord },
  errors: ['TOKEN_INVALID', 'NOT_FOUND', 'STEP_UP_REQUIRED'],
});

export const declineInvitation = route({
  id: 'invitations.decline',
  method: 'DELETE',
  path: INVITATION,
  access: 'user',
  summary: 'Decline an invitation',
  description: 'The invitation becomes revoked. The inviter is not notified.',
  params,
  ok: { status: 200, body: deleted(InvitationIdSchema) },
  errors: ['NOT_FOUND'],
});

export const ME_INVITATION_ROUTES = [
  listOwnInvitations,
  acceptInvitation,
  declineInvitation,
] as const;
