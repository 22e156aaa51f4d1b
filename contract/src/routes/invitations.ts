import Type from 'typebox';
import { InvitationIdSchema, OAuthClientIdSchema, pathId, WorkspaceIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { LocaleText } from '../locale.ts';
import { INVITATION_STATES, InvitationRecord } from '../records/invitation.ts';
import { PersonName } from '../records/profile.ts';
import { RoleName } from '../records/role.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { IdentifierText, revoked, SORT_BY_AGE } from './fields.ts';

const BASE = `${API_BASE}/invitations` as const;
const INVITATION = `${BASE}/:invitation_id` as const;
const params = Type.Object({ invitation_id: pathId(InvitationIdSchema) });

export const DEFAULT_INVITATION_DAYS = 7;

export const createInvitation = route({
  id: 'invitations.create',
  method: 'POST',
  path: BASE,
  access: { scope: 'write:users' },
  summary: 'Invite a person',
  description:
    'Sends a message with a token to an email address. The response is the same whether or not a user has the email address. You cannot grant roles with scopes that you do not hold. Workspaces require `write:workspaces`. Both are checked again when the invitation is accepted, against the inviter’s permissions at that time.',
  body: closed({
    identifier: Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'Email address that the invitation is sent to.',
      examples: ['ada@example.com'],
    }),
    name: Type.Optional(
      Type.Union([PersonName, Type.Null()], {
        description:
          'Name of the person. New users can change it before they join. It does not change existing users.',
        examples: ['Ada Lovelace'],
      }),
    ),
    client_id: Type.Optional(
      Type.Union([OAuthClientIdSchema, Type.Null()], {
        description:
          'Application to open after the person has joined on the pages of the service. It needs an `initiate_login_uri` or a `client_uri`. Default: the account page.',
      }),
    ),
    roles: Type.Optional(
      Type.Array(RoleName, {
        maxItems: 32,
        uniqueItems: true,
        description: 'Roles to assign. Default: `member`.',
      }),
    ),
    workspaces: Type.Optional(
      Type.Array(WorkspaceIdSchema, {
        maxItems: 32,
        uniqueItems: true,
        description: 'Workspaces to join, in addition to the default workspace.',
      }),
    ),
    expires_in_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 30,
        description: `Lifetime in days. Default: ${DEFAULT_INVITATION_DAYS}.`,
        examples: [DEFAULT_INVITATION_DAYS],
      }),
    ),
    locale: Type.Optional(LocaleText),
  }),
  ok: { status: 201, body: InvitationRecord },
  errors: [
    'VALIDATION_FAILED',
    'METHOD_NOT_READY',
    'ROLE_UNKNOWN',
    'NOT_FOUND',
    'SCOPE_NOT_HELD',
    'TOO_MANY_INVITATIONS',
    'TOO_MANY_MESSAGES',
  ],
});

export const listInvitations = route({
  id: 'invitations.list',
  method: 'GET',
  path: BASE,
  access: { scope: 'read:users' },
  summary: 'List invitations',
  description: 'Newest first. Invitations are kept until 30 days after they expire.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    identifier: Type.Optional(IdentifierText),
    status: Type.Optional(
      Type.Enum([...INVITATION_STATES], { description: 'Only invitations in this state.' }),
    ),
    sort: SORT_BY_AGE,
  }),
  ok: { status: 200, body: listOf(InvitationRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const getInvitation = route({
  id: 'invitations.get',
  method: 'GET',
  path: INVITATION,
  access: { scope: 'read:users' },
  summary: 'Get an invitation',
  description:
    'Returns the invitation without its token. Only the invitation’s message contains the token.',
  params,
  ok: { status: 200, body: InvitationRecord },
  errors: ['NOT_FOUND'],
});

export const deleteInvitation = route({
  id: 'invitations.delete',
  method: 'DELETE',
  path: INVITATION,
  access: { scope: 'delete:users' },
  summary: 'Revoke an invitation',
  description: 'The invitation can no longer be accepted. Returns 404 if it is not pending.',
  params,
  ok: { status: 200, body: revoked(InvitationIdSchema) },
  errors: ['NOT_FOUND'],
});

export const resendInvitation = route({
  id: 'invitations.resend',
  method: 'POST',
  path: `${INVITATION}/resend`,
  access: { scope: 'write:users' },
  summary: 'Resend an invitation',
  description:
    'Sends the message again, with the same token and expiry. Returns 404 if the invitation is not pending. Rejected within 30 seconds of the previous message.',
  params,
  ok: { status: 200, body: InvitationRecord },
  errors: ['NOT_FOUND', 'METHOD_NOT_READY', 'TOO_MANY_MESSAGES'],
});
