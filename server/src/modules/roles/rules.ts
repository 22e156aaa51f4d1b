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
 * Whether the caller holds all that these roles give. Nobody grants, or acts on, more than they hold; and
 * `system_admin` is more than its scopes tell, so only its holders are on a par with it.
 */
export function holdsAll(caller: Holdings, roles: readonly Role[]): boolean {
  return roles.every(
    (role) =>
      missingScopes(caller.scopes, role.scopes).length === 0 &&
      (role.name !== SYSTEM_ADMIN || caller.roles.includes(SYSTEM_ADMIN)),
  );
}
