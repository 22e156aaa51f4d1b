import Type, { type Static } from 'typebox';
import {
  InvitationIdSchema,
  OAuthClientIdSchema,
  SubjectIdSchema,
  TenantIdSchema,
  UserIdSchema,
  WorkspaceIdSchema,
} from '../ids.ts';
import { CreatedAt, expiresAt, timestamp, timestampOrNull } from './record-fields.ts';
import { PersonName } from './profile.ts';
import { RoleName } from './role.ts';

export const INVITATION_STATES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** The name of an inviter, for administrators and for the invited person. */
export const InviterName = Type.Union([Type.String(), Type.Null()], {
  description:
    'Name of the inviter, or their main address if they have no name; `null` if the inviter was deleted or belongs to another tenant.',
  examples: ['Grace Hopper'],
});

export const InvitationRecord = Type.Object(
  {
    id: InvitationIdSchema,
    tenant_id: TenantIdSchema,
    identifier: Type.String({
      description: 'The invited email address.',
      examples: ['ada@example.com'],
    }),
    name: Type.Union([PersonName, Type.Null()], {
      description:
        'Name of the invited person, from the inviter; `null` if it is not set. New users can change it before they join.',
      examples: ['Ada Lovelace'],
    }),
    roles: Type.Array(RoleName, { description: 'Roles that the user receives on acceptance.' }),
    workspaces: Type.Array(WorkspaceIdSchema, {
      description:
        'Workspaces that the user joins on acceptance, in addition to the default workspace.',
    }),
    status: Type.Enum([...INVITATION_STATES], {
      description: 'State of the invitation. Only a pending invitation can be accepted.',
      examples: ['pending'],
    }),
    invited_by: SubjectIdSchema,
    invited_by_name: InviterName,
    client_id: Type.Union([OAuthClientIdSchema, Type.Null()], {
      description: 'Application that opens after a person has joined; `null` for the account page.',
    }),
    created_at: CreatedAt,
    expires_at: expiresAt('When the invitation expires.'),
    sent_at: timestamp('When the invitation’s message was last queued.'),
    accepted_at: timestampOrNull('When the invitation was accepted.'),
    accepted_by: Type.Union([UserIdSchema, Type.Null()], {
      description: 'The user who accepted it.',
      examples: [null],
    }),
    revoked_at: timestampOrNull('When the invitation was revoked.'),
  },
  { $id: 'Invitation', description: 'An invitation to join the tenant.' },
);
export type InvitationRecord = Static<typeof InvitationRecord>;
