import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';

const ROLE_NAME = '^[a-z][a-z0-9_-]{0,63}$';
const roleName = new RegExp(ROLE_NAME);

/** The name of a role: what can't be one is refused before anything is asked of the database. */
export const RoleName = Type.String({ pattern: ROLE_NAME });

export function isRoleName(text: string): boolean {
  return roleName.test(text);
}

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
