import Type from 'typebox';

export const ACTIONS = ['read', 'write', 'delete', '*'] as const;

/** The resources of the service itself. A tenant may name further ones for its own services. */
export const RESOURCES = [
  'users',
  'workspaces',
  'roles',
  'agents',
  'apikeys',
  'webhooks',
  'sessions',
  'events',
  'audit',
  'tenant',
  'tenants',
  'keys',
  'clients',
  '*',
] as const;

/** A permission, `<action>:<resource>`. */
export type Scope = `${(typeof ACTIONS)[number]}:${string}`;

const SCOPE_PATTERN = '^(read|write|delete|\\*):(\\*|[a-z][a-z0-9_.-]{0,63})$';

export const ScopeSchema = Type.String({
  pattern: SCOPE_PATTERN,
  description: '<action>:<resource>',
});

function covers(held: string, needed: string): boolean {
  const [heldAction, heldResource] = held.split(':', 2);
  const [action, resource] = needed.split(':', 2);
  return (
    (heldAction === '*' || heldAction === action) &&
    (heldResource === '*' || heldResource === resource)
  );
}

/** The scopes among `needed` that `held` doesn't cover. A `*` needed is covered by a `*` held only. */
export function missingScopes(held: readonly string[], needed: readonly string[]): string[] {
  return needed.filter((scope) => !held.some((one) => covers(one, scope)));
}
