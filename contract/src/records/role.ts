import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { EXPECTS } from '../expectation.ts';

const ROLE_NAME = '^[a-z][a-z0-9_-]{0,63}$';
const roleName = new RegExp(ROLE_NAME);

/** The name of a role: what can't be one is refused before anything is asked of the database. */
export const RoleName = Type.String({
  pattern: ROLE_NAME,
  [EXPECTS]:
    'a role name: a lower-case letter, and up to 63 lower-case letters, digits, dashes and underscores behind it',
});

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
