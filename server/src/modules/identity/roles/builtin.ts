import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import type { Scope } from '@keywright/contract/scopes';

export interface BuiltinRole {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
}

/** Has every permission in every tenant. Exists in the default tenant only. */
export const SYSTEM_ADMIN = 'system_admin';
export const ADMIN = 'admin';
/** The default role of a user. */
export const MEMBER = 'member';
/** Only this scope covers every other one. */
export const EVERYTHING: Scope = '*:*';

/** The roles that every tenant starts with. */
const BUILTIN_ROLES: readonly BuiltinRole[] = [
  { name: ADMIN, description: 'Everything within the tenant.', scopes: [EVERYTHING] },
  { name: MEMBER, description: 'Their own record only.', scopes: [] },
];

const SYSTEM_ADMIN_ROLE: BuiltinRole = {
  name: SYSTEM_ADMIN,
  description: 'Everything, in every tenant.',
  scopes: [EVERYTHING],
};

/** The roles that a new tenant starts with. */
export function builtinRolesOf(tenantId: TenantId): readonly BuiltinRole[] {
  return tenantId === DEFAULT_TENANT ? [...BUILTIN_ROLES, SYSTEM_ADMIN_ROLE] : BUILTIN_ROLES;
}

const BUILTIN_NAMES = [...BUILTIN_ROLES, SYSTEM_ADMIN_ROLE].map(({ name }) => name);

/** Whether it is the name of a built-in role in any tenant: custom roles cannot have it. */
export function isBuiltinName(name: string): boolean {
  return BUILTIN_NAMES.includes(name);
}
