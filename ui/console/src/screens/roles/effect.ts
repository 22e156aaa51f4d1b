import { missingScopes } from '@keywright/contract/scopes';
import type { Role } from '@keywright/sdk';

export interface Effect {
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

/** Returns the scopes that a set gains and loses. A scope that another one covers is neither. */
export function effectOf(before: readonly string[], after: readonly string[]): Effect {
  return { gains: missingScopes(before, after), loses: missingScopes(after, before) };
}

/** Returns what changing a role means for a user with these roles. Scopes that another role grants remain. */
export function effectOn(
  userRoles: readonly string[],
  roles: readonly Pick<Role, 'name' | 'scopes'>[],
  changed: Pick<Role, 'name' | 'scopes'>,
): Effect {
  const scopesWith = (list: readonly Pick<Role, 'name' | 'scopes'>[]) =>
    list.flatMap(({ name, scopes }) => (userRoles.includes(name) ? scopes : []));
  const after = roles.map((role) => (role.name === changed.name ? changed : role));
  return effectOf(scopesWith(roles), scopesWith(after));
}

/** Returns the actions that a list of scopes allows on a resource; `*` for all actions. */
export function actionsOn(
  scopes: readonly string[],
  actions: readonly string[],
  resource: string,
): string[] {
  const isAllowed = (action: string) =>
    missingScopes(scopes, [`${action}:${resource}`]).length === 0;
  return isAllowed('*') ? ['*'] : actions.filter((action) => action !== '*' && isAllowed(action));
}
