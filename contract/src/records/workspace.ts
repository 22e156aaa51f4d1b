import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';
import { CreatedAt, nameOf } from './record-fields.ts';

export const WorkspaceRecord = Type.Object(
  {
    id: WorkspaceIdSchema,
    tenant_id: TenantIdSchema,
    name: nameOf('Display name.', 'Default'),
    slug: nameOf('The id without `ws_`.', 'default'),
    is_active: Type.Boolean({ description: 'While inactive, users cannot log in to it.' }),
    created_at: CreatedAt,
  },
  { $id: 'Workspace', description: 'A subdivision of a tenant.' },
);
export type WorkspaceRecord = Static<typeof WorkspaceRecord>;

export const MemberRecord = Type.Object(
  { user_id: UserIdSchema, workspace_id: WorkspaceIdSchema, tenant_id: TenantIdSchema },
  { $id: 'Member', description: 'The membership of a user in a workspace.' },
);
export type MemberRecord = Static<typeof MemberRecord>;
