import Type, { type Static } from 'typebox';
import { TenantIdSchema, UserIdSchema, WorkspaceIdSchema } from '../ids.ts';

export const WorkspaceRecord = Type.Object(
  {
    id: WorkspaceIdSchema,
    tenant_id: TenantIdSchema,
    name: Type.String(),
    slug: Type.String(),
    is_active: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Workspace', description: 'A part of a tenant.' },
);
export type WorkspaceRecord = Static<typeof WorkspaceRecord>;

export const MemberRecord = Type.Object(
  { user_id: UserIdSchema, workspace_id: WorkspaceIdSchema, tenant_id: TenantIdSchema },
  { $id: 'Member', description: 'That a user belongs to a workspace.' },
);
export type MemberRecord = Static<typeof MemberRecord>;
