import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';

export const RoleRecord = Type.Object(
  {
    name: Type.String(),
    tenant_id: TenantIdSchema,
    description: Type.String(),
    scopes: Type.Array(Type.String()),
    is_builtin: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Role', description: 'A named set of scopes.' },
);
export type RoleRecord = Static<typeof RoleRecord>;
