import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';

export const IdentifierRecord = Type.Object(
  {
    type: Type.Union([Type.Literal('email'), Type.Literal('phone')]),
    identifier: Type.String(),
    verified: Type.Boolean(),
  },
  { $id: 'Identifier', description: 'An e-mail address or a phone number of a user.' },
);
export type IdentifierRecord = Static<typeof IdentifierRecord>;

export const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Free data about the user, written by administrators only: at most 16 KiB as JSON, 32 levels deep.',
});
export const UserMetadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free data that users write themselves: at most 16 KiB as JSON, 32 levels deep.',
});
export const MAX_METADATA_BYTES = 16 * 1024;

export const UserRecord = Type.Object(
  {
    id: UserIdSchema,
    tenant_id: TenantIdSchema,
    identifiers: Type.Array(IdentifierRecord),
    roles: Type.Array(Type.String()),
    workspaces: Type.Array(WorkspaceIdSchema),
    is_active: Type.Boolean(),
    metadata: Metadata,
    user_metadata: UserMetadata,
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'User', description: 'A person who logs in.' },
);
export type UserRecord = Static<typeof UserRecord>;
