import { missingScopes } from '@keywright/contract/scopes';
import type { Role } from '@keywright/sdk';

export interface Effect {
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

/** By which scopes a set of scopes grows and shrinks: what another one covers is neither. */
export function effectOf(before: readonly string[], after: readonly string[]): Effect {
  return { gains: missingScopes(before, after), loses: missingScopes(after, before) };
}

/** What the change of a role means for a user with these roles: what another role grants them remains. */
export function effectOn(
  held: readonly string[],
  roles: readonly Pick<Role, 'name' | 'scopes'>[],
  changed: Pick<Role, 'name' | 'scopes'>,
): Effect {
  const scopesWith = (list: readonly Pick<Role, 'name' | 'scopes'>[]) =>
    list.flatMap(({ name, scopes }) => (held.includes(name) ? scopes : []));
  const after = roles.map((one) => (one.name === changed.name ? changed : one));
  return effectOf(scopesWith(roles), scopesWith(after));
}

/** The actions that a list of scopes allows on a resource, and on all of them. */
export function actionsOn(
  scopes: readonly string[],
  actions: readonly string[],
  resource: string,
): string[] {
  const isHeld = (action: string) => missingScopes(scopes, [`${action}:${resource}`]).length === 0;
  return isHeld('*') ? ['*'] : actions.filter((action) => action !== '*' && isHeld(action));
}
