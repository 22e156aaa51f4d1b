import { isOpenIdScope } from '@keywright/contract/records/oauth-client';
import { intersectScopes, isCommonPermission, missingScopes } from '@keywright/contract/scopes';
import { type Resource, scopesAt } from '../resources/index.ts';

/** OpenID Connect Core §11: the tokens outlive the session of the browser. */
export const OFFLINE = 'offline_access';

/** Those that the others do not include. */
export function furtherScopes(wanted: readonly string[], given: readonly string[]): string[] {
  const named = wanted.filter((scope) => !isCommonPermission(scope) && !given.includes(scope));
  return [
    ...named,
    ...missingScopes(given.filter(isCommonPermission), wanted.filter(isCommonPermission)),
  ];
}

/** The targets of access tokens. */
export interface Places {
  /** Whether the tenant itself is one. */
  readonly own: boolean;
  readonly resources: readonly Resource[];
}

/** Scopes, by where they apply. */
export interface PlacedScopes {
  /** Those of OpenID Connect, and permissions at the tenant itself. */
  readonly scopes: readonly string[];
  readonly at: readonly { readonly resource: Resource; readonly scopes: readonly string[] }[];
}

/**
 * The scopes that exist at these targets, for a user who holds these permissions. The rest is left out (RFC 6749 §3.3).
 */
export function place(
  scopes: readonly string[],
  { own, resources }: Places,
  held: readonly string[],
): PlacedScopes {
  const permissions = own ? intersectScopes(scopes.filter(isCommonPermission), held) : [];
  return {
    scopes: [...scopes.filter(isOpenIdScope), ...permissions],
    at: resources.map((resource) => ({ resource, scopes: scopesAt(resource, scopes, held) })),
  };
}

/** All of them, wherever they apply. */
export function allOf({ scopes, at }: PlacedScopes): string[] {
  return [...new Set([...scopes, ...at.flatMap((one) => one.scopes)])];
}

/** A user with every permission. */
export const EVERYTHING: readonly string[] = ['*:*'];
