// Only functions and names: the SDK includes this file where TypeBox is not available.

/** The actions on the service's own resources. Tenants define others for their own services. */
export const ACTIONS = ['read', 'write', 'delete', '*'] as const;

/** The service's own resources. Tenants can use additional resources for their own services. */
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

/** Matches one permission, without anchors. The action ends at the first colon; a resource can contain more colons. */
export const PERMISSION_PATTERN = '([a-z][a-z0-9_.-]{0,63}|\\*):(\\*|[a-z][a-z0-9_./:-]{0,63})';

const WHOLE = new RegExp(`^${PERMISSION_PATTERN}$`);
const OWN_RESOURCES: ReadonlySet<string> = new Set(RESOURCES.filter((one) => one !== '*'));

/** Whether the text is a permission. Resources also have scopes in other formats, such as `tools` or `Files.Read`. */
export function isPermission(text: string): boolean {
  return WHOLE.test(text) && flawOfAction(text) === undefined;
}

/**
 * Whether the text is a permission to read, write or delete, or to do everything. At a resource (RFC 8707), scopes
 * with other actions are names that the resource defines and that can require a permission.
 */
export function isCommonPermission(text: string): boolean {
  return isPermission(text) && isActionOfService(partsOf(text)[0]);
}

/**
 * Rejects other actions on the service's own resources. @returns the problem, worded to follow the name of the scope
 */
export function flawOfAction(scope: string): string | undefined {
  const [action, resource] = partsOf(scope);
  if (!OWN_RESOURCES.has(resource) || isActionOfService(action)) return undefined;
  return `has an unknown action: those on ${resource} are ${ACTIONS.join(', ')}`;
}

function isActionOfService(action: string): boolean {
  return ACTIONS.some((one) => one === action);
}

/** Splits a permission into action and resource. Without a colon, the resource is absent. */
function partsOf(scope: string): [action: string, resource: string] {
  const colon = scope.indexOf(':');
  return colon < 0 ? [scope, ''] : [scope.slice(0, colon), scope.slice(colon + 1)];
}

/**
 * The permission to decide who can log in as whom, and where secrets are sent. Only for administrators who logged in
 * recently and hold every scope that any user of the tenant holds.
 */
export const LOGINS = 'write:logins' satisfies Scope;

/** Only permissions have wildcards: any other scope that contains `*` covers nothing but itself. */
function covers(held: string, needed: string): boolean {
  if (held === needed) return true;
  const [heldAction, heldResource] = partsOf(held);
  const [action, resource] = partsOf(needed);
  return (
    (heldAction === '*' || heldAction === action) &&
    (heldResource === '*' || heldResource === resource) &&
    isPermission(held) &&
    isPermission(needed)
  );
}

/** Returns the scopes in `needed` that `held` does not cover. A needed `*` is covered only by a held `*`. */
export function missingScopes(held: readonly string[], needed: readonly string[]): string[] {
  return needed.filter((scope) => !held.some((one) => covers(one, scope)));
}

/**
 * Returns the scopes that both sides have in common, normalized: sorted, and without scopes that another scope
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

/** Returns the intersection of two scopes: for `*:users` and `read:*` it is `read:users`. */
function intersect(one: string, other: string): string | undefined {
  if (one === other) return one;
  const [action, resource] = partsOf(one);
  const [otherAction, otherResource] = partsOf(other);
  const both = [narrower(action, otherAction), narrower(resource, otherResource)];
  const scope = both.includes(undefined) ? '' : both.join(':');
  return isPermission(scope) && isPermission(one) && isPermission(other) ? scope : undefined;
}

function narrower(one: string, other: string): string | undefined {
  if (one === '*') return other;
  return other === '*' || other === one ? one : undefined;
}

/** Claims about the user, and refresh tokens (OpenID Connect Core §5.4, §11). */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

const OPENID_NAMES: ReadonlySet<string> = new Set(OPENID_SCOPES);

/** Whether the scope is an OpenID Connect scope, which users do not need to hold. */
export function isOpenIdScope(scope: string): boolean {
  return OPENID_NAMES.has(scope);
}
