import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { CreatedAt, nameOf } from './record-fields.ts';

export const WorkspaceRecord = Type.Object(
  {
    id: WorkspaceIdSchema,
    tenant_id: TenantIdSchema,
    name: nameOf('Display name.', 'Default'),
    slug: nameOf('The ID without the prefix `ws_`.', 'default'),
    is_active: Type.Boolean({
      description:
        'Whether the workspace is active. Users cannot sign in to an inactive workspace.',
    }),
    created_at: CreatedAt,
  },
  { $id: 'Workspace', description: 'A subdivision of a tenant.' },
);
export type WorkspaceRecord = Static<typeof WorkspaceRecord>;

export const MemberRecord = Type.Object(
  { user_id: UserIdSchema, workspace_id: WorkspaceIdSchema, tenant_id: TenantIdSchema },
  { $id: 'Member', description: 'A user’s membership in a workspace.' },
);
export type MemberRecord = Static<typeof MemberRecord>;
