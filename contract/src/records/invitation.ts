import Type, { type Static } from 'typebox';
import {
  InvitationIdSchema,
  SubjectIdSchema,
  TenantIdSchema,
  UserIdSchema,
  WorkspaceIdSchema,
} from '../ids.ts';
import { CreatedAt, expiresAt, timestamp, timestampOrNull } from './record-fields.ts';
import { RoleName } from './role.ts';

export const INVITATION_STATES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

export const InvitationRecord = Type.Object(
  {
    id: InvitationIdSchema,
    tenant_id: TenantIdSchema,
    identifier: Type.String({
      description: 'The email address that is invited.',
      examples: ['ada@example.com'],
    }),
    roles: Type.Array(RoleName, { description: 'Roles that are assigned when it is accepted.' }),
    workspaces: Type.Array(WorkspaceIdSchema, {
      description: 'Workspaces that are joined when it is accepted, besides the default one.',
    }),
    status: Type.Enum([...INVITATION_STATES], {
      description: 'State of the invitation. Only a pending invitation can be accepted.',
      examples: ['pending'],
    }),
    invited_by: SubjectIdSchema,
    created_at: CreatedAt,
    expires_at: expiresAt('When it expires.'),
    sent_at: timestamp('Time at which the message of the invitation was last queued.'),
    accepted_at: timestampOrNull('When it was accepted.'),
    accepted_by: Type.Union([UserIdSchema, Type.Null()], {
      description: 'The user who accepted it.',
      examples: [null],
    }),
    revoked_at: timestampOrNull('When it was revoked.'),
  },
  { $id: 'Invitation', description: 'An invitation of a person to the tenant.' },
);
export type InvitationRecord = Static<typeof InvitationRecord>;
