import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import { missingScopes, type Scope } from '@keywright/contract/scopes';
import type { Role } from '../users/index.ts';

export interface BuiltinRole {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
}

/** Has every permission in every tenant. Exists only in the default tenant. */
export const SYSTEM_ADMIN = 'system_admin';
export const ADMIN = 'admin';
/** The default role of a user. */
export const MEMBER = 'member';
/** The only scope that covers every other scope. */
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

/** Whether this is the name of a built-in role in any tenant. Custom roles cannot have such a name. */
export function isBuiltinName(name: string): boolean {
  return BUILTIN_NAMES.includes(name);
}

/** The built-in role that makes a user an administrator of the tenant. */
export function administratorRole(tenantId: TenantId): string {
  return tenantId === DEFAULT_TENANT ? SYSTEM_ADMIN : ADMIN;
}

/** Whether these roles make an active user an administrator: by `*:*`, or in the default tenant by `system_admin`. */
export function makeAdministrator(tenantId: TenantId, roles: readonly Role[]): boolean {
  return tenantId === DEFAULT_TENANT
    ? roles.some((role) => role.name === SYSTEM_ADMIN)
    : roles.some((role) => role.scopes.includes(EVERYTHING));
}

/** The permissions of a subject. */
export interface Holdings {
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

/** The permissions of a user with these roles. */
export function holdingsOf(roles: readonly Role[]): Holdings {
  return {
    roles: roles.map((role) => role.name),
    scopes: roles.flatMap((role) => role.scopes),
  };
}

/**
 * The permissions of these roles that the holder lacks, in words. A caller can grant, or act on, no more than they
 * hold. `system_admin` counts as more than its scopes, so only its holders are equal to it.
 */
export function lackedOf(holder: Holdings, roles: readonly Role[]): string[] {
  const scopes = missingScopes(
    holder.scopes,
    roles.flatMap((role) => role.scopes),
  );
  const isBelow =
    roles.some((role) => role.name === SYSTEM_ADMIN) && !holder.roles.includes(SYSTEM_ADMIN);
  return [...new Set(scopes), ...(isBelow ? [`the role ${SYSTEM_ADMIN}`] : [])];
}
