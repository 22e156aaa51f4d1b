import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { EXPECTS } from '../expectation.ts';
import { CreatedAt, GrantedScopes, nameOf } from './record-fields.ts';

const ROLE_NAME = '^[a-z][a-z0-9_-]{0,63}$';
const roleName = new RegExp(ROLE_NAME);

/** The name of a role. An impossible name is rejected without querying the database. */
export const RoleName = Type.String({
  pattern: ROLE_NAME,
  description: 'Name of the role: at most 64 lower-case letters, digits, `-` and `_`.',
  examples: ['reader'],
  [EXPECTS]:
    'a role name: a lower-case letter, followed by up to 63 lower-case letters, digits, dashes and underscores',
});

export function isRoleName(text: string): boolean {
  return roleName.test(text);
}

export const RoleRecord = Type.Object(
  {
    name: nameOf('Name of the role, unique within the tenant.', 'reader'),
    tenant_id: TenantIdSchema,
    description: nameOf('Purpose of the role. Can be empty.', 'Reads users and sessions'),
    scopes: GrantedScopes,
    is_builtin: Type.Boolean({
      description: 'Whether the role is built in. Built-in roles cannot be changed.',
      examples: [false],
    }),
    created_at: CreatedAt,
  },
  { $id: 'Role', description: 'A named set of scopes.' },
);
export type RoleRecord = Static<typeof RoleRecord>;
