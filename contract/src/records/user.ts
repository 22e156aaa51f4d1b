import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { PROFILE } from './profile.ts';
import { CreatedAt, timestampOrNull } from './record-fields.ts';

export const IdentifierRecord = Type.Object(
  {
    type: Type.Union([Type.Literal('email'), Type.Literal('phone')], {
      description: 'Type of the identifier.',
    }),
    identifier: Type.String({
      description:
        'The normalized identifier: an email address in lower case with its domain in ASCII, or a phone number in E.164 format.',
      examples: ['ada@example.com'],
    }),
    verified: Type.Boolean({
      description: 'Whether the identifier was verified to belong to the user.',
    }),
  },
  { $id: 'Identifier', description: 'An email address or a phone number of a user.' },
);
export type IdentifierRecord = Static<typeof IdentifierRecord>;

export const Identifiers = Type.Array(IdentifierRecord, {
  description: 'Identifiers that the user can sign in with. Each is unique within the tenant.',
});

export const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Free-form data about the user. Only administrators can write it. At most 16 KiB as JSON, 32 levels deep.',
  examples: [{ plan: { name: 'team' } }],
});
export const UserMetadata = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Free-form data that users write themselves. At most 16 KiB as JSON, 32 levels deep.',
  examples: [{ theme: 'dark' }],
});
export const MAX_METADATA_BYTES = 16 * 1024;

export const UserRecord = Type.Object(
  {
    id: UserIdSchema,
    tenant_id: TenantIdSchema,
    name: PROFILE.name,
    picture: PROFILE.picture,
    identifiers: Identifiers,
    roles: Type.Array(Type.String({ description: 'Name of a role.', examples: ['reader'] }), {
      description: 'Roles of the user.',
    }),
    workspaces: Type.Array(WorkspaceIdSchema, {
      description: 'Workspaces that the user belongs to.',
    }),
    is_active: Type.Boolean({
      description: 'Whether the user is active. Inactive users cannot sign in.',
    }),
    metadata: Metadata,
    user_metadata: UserMetadata,
    created_at: CreatedAt,
    last_login_at: timestampOrNull(
      'Time of the last login, to the minute (ISO 8601, UTC); `null` if the user has never signed in.',
    ),
  },
  { $id: 'User', description: 'A person who signs in.' },
);
export type UserRecord = Static<typeof UserRecord>;
