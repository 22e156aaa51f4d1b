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
const SERVICE_RESOURCES: ReadonlySet<string> = new Set(
  RESOURCES.filter((resource) => resource !== '*'),
);

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
  if (!SERVICE_RESOURCES.has(resource) || isActionOfService(action)) return undefined;
  return `has an unknown action: those on ${resource} are ${ACTIONS.join(', ')}`;
}

function isActionOfService(action: string): boolean {
  return ACTIONS.some((name) => name === action);
}

/** Splits a permission into action and resource. Without a colon, the resource is absent. */
function partsOf(scope: string): [action: string, resource: string] {
  const colon = scope.indexOf(':');
  return colon < 0 ? [scope, ''] : [scope.slice(0, colon), scope.slice(colon + 1)];
}

/**
 * The permission to decide who can sign in as whom, and where secrets are sent. Only for administrators who signed in
 * recently and hold every scope that any user of the tenant holds.
 */
export const LOGINS = 'write:logins' satisfies Scope;

/** Only permissions have wildcards: any other scope that contains `*` covers nothing but itself. */
function covers(granted: string, needed: string): boolean {
  if (granted === needed) return true;
  const [grantedAction, grantedResource] = partsOf(granted);
  const [action, resource] = partsOf(needed);
  return (
    (grantedAction === '*' || grantedAction === action) &&
    (grantedResource === '*' || grantedResource === resource) &&
    isPermission(granted) &&
    isPermission(needed)
  );
}

/** Returns the scopes in `needed` that `held` does not cover. A needed `*` is covered only by a held `*`. */
export function missingScopes(granted: readonly string[], needed: readonly string[]): string[] {
  return needed.filter((scope) => !granted.some((wider) => covers(wider, scope)));
}

/**
 * Returns the scopes that both sides have in common, normalized: sorted, and without scopes that another scope
 * covers.
 */
export function intersectScopes(first: readonly string[], other: readonly string[]): string[] {
  const common = new Set(
    first.flatMap((left) =>
      other.map((right) => intersect(left, right)).filter((scope) => scope !== undefined),
    ),
  );
  return [...common]
    .filter((scope) => ![...common].some((wider) => wider !== scope && covers(wider, scope)))
    .toSorted();
}

/** Returns the intersection of two scopes: for `*:users` and `read:*` it is `read:users`. */
function intersect(first: string, other: string): string | undefined {
  if (first === other) return first;
  const [action, resource] = partsOf(first);
  const [otherAction, otherResource] = partsOf(other);
  const both = [narrower(action, otherAction), narrower(resource, otherResource)];
  const scope = both.includes(undefined) ? '' : both.join(':');
  return isPermission(scope) && isPermission(first) && isPermission(other) ? scope : undefined;
}

function narrower(first: string, other: string): string | undefined {
  if (first === '*') return other;
  return other === '*' || other === first ? first : undefined;
}

/** Claims about the user, and refresh tokens (OpenID Connect Core §5.4, §11). */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

const OPENID_NAMES: ReadonlySet<string> = new Set(OPENID_SCOPES);

/** Whether the scope is an OpenID Connect scope, which users do not need to hold. */
export function isOpenIdScope(scope: string): boolean {
  return OPENID_NAMES.has(scope);
}
