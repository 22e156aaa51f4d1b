import Type, { type Static } from 'typebox';
import { InvitationIdSchema, TenantIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { InviterName } from './invitation.ts';
import { CreatedAt, expiresAt, nameOf } from './record-fields.ts';
import { RoleName } from './role.ts';

export const OwnInvitationRecord = Type.Object(
  {
    id: InvitationIdSchema,
    tenant_id: TenantIdSchema,
    identifier: Type.String({
      description: 'The invited email address: a verified one of the user.',
      examples: ['ada@example.com'],
    }),
    invited_by_name: InviterName,
    roles: Type.Array(RoleName, { description: 'Roles that the user receives.' }),
    workspaces: Type.Array(
      Type.Object({
        id: WorkspaceIdSchema,
        tenant_id: TenantIdSchema,
        name: nameOf('Display name.', 'Research'),
      }),
      { description: 'Workspaces that the user joins.' },
    ),
    created_at: CreatedAt,
    expires_at: expiresAt('When the invitation expires.'),
  },
  { $id: 'OwnInvitation', description: 'A pending invitation for the user.' },
);
export type OwnInvitationRecord = Static<typeof OwnInvitationRecord>;
