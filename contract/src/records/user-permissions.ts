import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { nameOf } from './record-fields.ts';

const GrantingRole = Type.Object({
  role: nameOf('Name of the role.', 'reader'),
  is_builtin: Type.Boolean({ description: 'Whether the role is built in.', examples: [false] }),
  covered_by: Type.String({
    description: 'The scope of the role that covers this scope.',
    examples: ['read:*'],
  }),
});

export const UserPermissions = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    is_active: Type.Boolean({
      description: 'Whether the user is active. Inactive users have no permissions.',
    }),
    permissions: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'A scope that the user has.', examples: ['read:users'] }),
        granted_by: Type.Array(GrantingRole, {
          description: 'Roles of the user that grant the scope. Roles apply to the whole tenant.',
        }),
      }),
      { description: 'The user’s scopes, sorted by name.' },
    ),
    all_workspaces: Type.Boolean({
      description:
        'Whether the scopes apply in every active workspace of the tenant, as they do for holders of `*:*`.',
      examples: [false],
    }),
    workspaces: Type.Array(WorkspaceIdSchema, {
      description: 'The active workspaces of the user, where the scopes apply.',
    }),
  },
  {
    $id: 'UserPermissions',
    description:
      'A user’s current permissions, the roles that grant them, and the workspaces where they apply.',
  },
);
export type UserPermissions = Static<typeof UserPermissions>;
