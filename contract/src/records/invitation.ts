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
      description: 'The invited email address.',
      examples: ['ada@example.com'],
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
