// Only functions and names: the SDK includes this file where TypeBox is not available.

export const ACTIONS = ['read', 'write', 'delete', '*'] as const;

/** The resources of the service itself. Tenants may use further ones for their own services. */
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
  'logins',
  'tenants',
  'keys',
  'clients',
  'consents',
  '*',
] as const;

/** A permission, `<action>:<resource>`. */
export type Scope = `${(typeof ACTIONS)[number]}:${string}`;

/** Of one permission, without anchors. */
export const PERMISSION_PATTERN = '(read|write|delete|\\*):(\\*|[a-z][a-z0-9_.-]{0,63})';

const WHOLE = new RegExp(`^${PERMISSION_PATTERN}$`);

/** Whether it is a permission. Resources also have scopes with names of their own, such as `mcp:tools`. */
export function isScope(text: string): boolean {
  return WHOLE.test(text);
}

/**
 * Decides who can log in as whom, and where secrets are sent. For administrators only, after a recent login, and who hold
 * every scope that a user of the tenant holds.
 */
export const LOGINS = 'write:logins' satisfies Scope;

/** Only permissions have wildcards: a name of a resource that contains `*` covers nothing but itself. */
function covers(held: string, needed: string): boolean {
  if (held === needed) return true;
  const [heldAction, heldResource] = held.split(':', 2);
  const [action, resource] = needed.split(':', 2);
  return (
    (heldAction === '*' || heldAction === action) &&
    (heldResource === '*' || heldResource === resource) &&
    isScope(held) &&
    isScope(needed)
  );
}

/** The scopes among `needed` that `held` does not cover. A needed `*` is covered only by a held `*`. */
export function missingScopes(held: readonly string[], needed: readonly string[]): string[] {
  return needed.filter((scope) => !held.some((one) => covers(one, scope)));
}

/**
 * The scopes that both sides have in common. The result is normalised: sorted, and without scopes that another one
 * covers.
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
  if (one === other) return one;
  const [action, resource] = one.split(':', 2);
  const [otherAction, otherResource] = other.split(':', 2);
  const both = [narrower(action, otherAction), narrower(resource, otherResource)];
  const isCommon = !both.includes(undefined) && isScope(one) && isScope(other);
  return isCommon ? both.join(':') : undefined;
}

function narrower(one: string | undefined, other: string | undefined): string | undefined {
  if (one === '*') return other;
  return other === '*' || other === one ? one : undefined;
}
