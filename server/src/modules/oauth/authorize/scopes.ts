import { intersectScopes, missingScopes } from '@keywright/contract/scopes';

/** OpenID Connect Core §11: the tokens outlive the session of the browser. */
export const OFFLINE = 'offline_access';

/** Scopes of OpenID Connect come first; permissions of users, `<action>:<resource>`, are reduced to what is on both sides. */
export function commonScopes(asked: readonly string[], allowed: readonly string[]): string[] {
  const named = asked.filter((scope) => !isPermission(scope) && allowed.includes(scope));
  return [...named, ...intersectScopes(permissionsIn(asked), permissionsIn(allowed))];
}

/** Those that the others do not include. */
export function furtherScopes(wanted: readonly string[], given: readonly string[]): string[] {
  const named = wanted.filter((scope) => !isPermission(scope) && !given.includes(scope));
  return [...named, ...missingScopes(permissionsIn(given), permissionsIn(wanted))];
}

/** Scopes of OpenID Connect, which nobody has to hold. */
export function openIdScopesIn(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !isPermission(scope));
}

function permissionsIn(scopes: readonly string[]): string[] {
  return scopes.filter(isPermission);
}

function isPermission(scope: string): boolean {
  return scope.includes(':');
}
