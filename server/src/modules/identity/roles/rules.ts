import { missingScopes } from '@keywright/contract/scopes';
import { SYSTEM_ADMIN } from './builtin.ts';

export interface ScopeChange {
  readonly scopes_gained: string[];
  readonly scopes_lost: string[];
}

/** What the scopes after allow that those before did not, and the other way round: `*:*` covers all others. */
export function scopeChange(before: readonly string[], after: readonly string[]): ScopeChange {
  return {
    scopes_gained: [...new Set(missingScopes(before, after))],
    scopes_lost: [...new Set(missingScopes(after, before))],
  };
}

/** What is said to whoever would leave nobody to administer the system. */
export function lastAdministrator(userId: string): string {
  return `${userId} is the last active system administrator. Give another active user the role ${SYSTEM_ADMIN} first.`;
}

export interface Role {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** What somebody has been given. */
export interface Holdings {
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

/**
 * What these roles give that the holder lacks, in words. Nobody grants, or acts on, more than they hold; and
 * `system_admin` is more than its scopes tell, so only its holders are on a par with it.
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
