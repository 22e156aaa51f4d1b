import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { nameOf } from './record-fields.ts';

const GrantingRole = Type.Object({
  role: nameOf('Name of the role.', 'reader'),
  is_builtin: Type.Boolean({ description: 'Whether the role is built in.', examples: [false] }),
  covered_by: Type.String({
    description: 'The scope of the role that covers this one.',
    examples: ['read:*'],
  }),
});

export const UserPermissions = Type.Object(
  {
    user_id: UserIdSchema,
    tenant_id: TenantIdSchema,
    is_active: Type.Boolean({ description: 'An inactive user has no permissions.' }),
    permissions: Type.Array(
      Type.Object({
        scope: Type.String({ description: 'A scope that the user has.', examples: ['read:users'] }),
        granted_by: Type.Array(GrantingRole, {
          description: 'Every role of the user that grants it. Roles apply to the whole tenant.',
        }),
      }),
      { description: 'By the name of the scope.' },
    ),
    all_workspaces: Type.Boolean({
      description:
        'Whether they apply in every active workspace of the tenant, as for holders of `*:*`.',
      examples: [false],
    }),
    workspaces: Type.Array(WorkspaceIdSchema, {
      description: 'The active workspaces that the user belongs to, where they apply.',
    }),
  },
  {
    $id: 'UserPermissions',
    description: 'What a user may do now, which role grants it, and where it applies.',
  },
);
export type UserPermissions = Static<typeof UserPermissions>;
