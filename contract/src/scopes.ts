// Nothing but functions and names: the SDK carries this file to places where there is no TypeBox.

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

/**
 * What both sides give: no more than either, and all that both do. In one form whatever the order of the
 * sides and of what they hold: sorted, and nothing that another one of them covers.
 */
export function intersectScopes(one: readonly string[], other: readonly string[]): string[] {
  const common = new Set(
    one.flatMap((left) =>
      other.map((right) => intersect(left, right)).filter((scope) => scope !== undefined),
    ),
  );
  return [...common]
    .filter((scope) => ![...common].some((wider) => wider !== scope && covers(wider, scope)))
    .toSorted();
}

/** What two scopes have in common: `*:users` and `read:*` have `read:users`. */
function intersect(one: string, other: string): string | undefined {
  const [action, resource] = one.split(':', 2);
  const [otherAction, otherResource] = other.split(':', 2);
  const both = [narrower(action, otherAction), narrower(resource, otherResource)];
  return both.includes(undefined) ? undefined : both.join(':');
}

function narrower(one: string | undefined, other: string | undefined): string | undefined {
  if (one === '*') return other;
  return other === '*' || other === one ? one : undefined;
}
