import { DEFAULT_TENANT, type TenantId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import { ADMIN, EVERYTHING, SYSTEM_ADMIN } from './builtin.ts';

export interface ScopeChange {
  readonly scopes_added: string[];
  readonly scopes_removed: string[];
}

/** The scopes that are added and removed by a change: `*:*` covers all others. */
export function scopeChange(before: readonly string[], after: readonly string[]): ScopeChange {
  return {
    scopes_added: [...new Set(missingScopes(before, after))],
    scopes_removed: [...new Set(missingScopes(after, before))],
  };
}

export interface Role {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** The built-in role that makes a user an administrator of the tenant. */
export function administratorRole(tenantId: TenantId): string {
  return tenantId === DEFAULT_TENANT ? SYSTEM_ADMIN : ADMIN;
}

/** Whether these roles make an active user an administrator: they hold `*:*`, in the default tenant by `system_admin`. */
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

/**
 * What these roles grant that the holder lacks, in words. Nobody may grant, or act on, more than they hold;
 * `system_admin` is more than its scopes, so only its holders are equal to it.
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
