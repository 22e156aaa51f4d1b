import type { FieldError } from '@keywright/contract/errors';
import type { OAuthResourceId } from '@keywright/contract/ids';
import type { DetailsType } from '@keywright/contract/records/authorization-details';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import {
  flawOfAction,
  intersectScopes,
  isCommonPermission,
  isPermission,
  missingScopes,
  OPENID_SCOPES,
} from '@keywright/contract/scopes';
import { type Tenant, WEAK_ALGORITHM, isUnderFapi2 } from '../../../tenancy/tenant.ts';

/** A service for which access tokens of the tenant can be issued. */
export interface Resource {
  readonly id: OAuthResourceId;
  readonly uri: string;
  readonly name: string;
  readonly scopes: OAuthResourceRecord['scopes'];
  /** Undefined: the lifetime of tokens for the tenant itself. */
  readonly tokenTtlSeconds: number | undefined;
  readonly algorithm: KeyAlgorithm;
  readonly typ: OAuthResourceRecord['access_token_typ'];
  /** Whether tokens for the resource must be bound to keys. */
  readonly isDpopRequired: boolean;
  readonly detailsTypes: readonly DetailsType[];
  /** IDs of agents and clients that serve the resource. */
  readonly servedBy: readonly string[];
}

/** The resources of a tenant, oldest first. */
export class TenantResources {
  readonly all: readonly Resource[];

  constructor(all: readonly Resource[]) {
    this.all = all;
  }

  named(id: string): Resource | undefined {
    return this.all.find((resource) => resource.id === id);
  }

  at(uri: string): Resource | undefined {
    return this.all.find((resource) => resource.uri === uri);
  }
}

/** The fields of a resource except its ID and URI. */
export type ResourceFields = Pick<
  OAuthResourceRecord,
  | 'name'
  | 'scopes'
  | 'token_ttl'
  | 'access_token_signing_alg'
  | 'access_token_typ'
  | 'dpop_required'
  | 'served_by'
  | 'authorization_details_types'
>;

/**
 * Returns the common scopes, names first; permissions (`<action>:<resource>`) are reduced to their intersection. A
 * wildcard contains no name: a resource can define a name without a permission, which requires only the user's
 * consent.
 */
export function commonScopes(requested: readonly string[], allowed: readonly string[]): string[] {
  const named = requested.filter((scope) => !isCommonPermission(scope) && allowed.includes(scope));
  return [
    ...named,
    ...intersectScopes(requested.filter(isCommonPermission), allowed.filter(isCommonPermission)),
  ];
}

/**
 * Returns the requested scopes that a token for the resource can have: permissions that its subject holds, and the
 * resource's own names whose required permissions the subject holds.
 */
export function scopesAt(
  { scopes }: Pick<Resource, 'scopes'>,
  requested: readonly string[],
  callerScopes: readonly string[],
): string[] {
  const granted = scopes.filter(({ name, requires = null }) => {
    const isPermitted = requires === null || missingScopes(callerScopes, [requires]).length === 0;
    return !isCommonPermission(name) && requested.includes(name) && isPermitted;
  });
  const permissions = scopes.map(({ name }) => name).filter(isCommonPermission);
  const common = intersectScopes(requested.filter(isCommonPermission), permissions);
  return [...granted.map(({ name }) => name), ...intersectScopes(common, callerScopes)];
}

/**
 * Returns the scopes that an agent's token for the resource can have without a user's consent: those granted to the
 * agent, and those that require a permission held by the agent.
 */
export function scopesOfAgentAt(
  { scopes }: Pick<Resource, 'scopes'>,
  callerScopes: readonly string[],
): string[] {
  const granted = scopes.filter(({ name, requires = null }) => {
    const isPermitted = requires !== null && missingScopes(callerScopes, [requires]).length === 0;
    return !isCommonPermission(name) && (callerScopes.includes(name) || isPermitted);
  });
  const permissions = scopes.map(({ name }) => name).filter(isCommonPermission);
  return [...granted.map(({ name }) => name), ...intersectScopes(permissions, callerScopes)];
}

/**
 * Returns the permission that a scope requires unless its resource defines another: null for a name that is not a
 * permission, and for a permission that always requires itself.
 */
export function usualRequirement(name: string): string | null {
  return isPermission(name) && !isCommonPermission(name) ? name : null;
}

/** Returns the flaws of a resource's scopes. */
export function flawsOfScopes(scopes: ResourceFields['scopes']): FieldError[] {
  const names = scopes.map(({ name }) => name);
  return scopes.flatMap(({ name, requires = null }, index): FieldError[] => {
    const path = `/scopes/${index}`;
    if (names.indexOf(name) < index) return [{ path, message: 'has the same name as another one' }];
    if (OPENID_SCOPES.some((scope) => scope === name)) {
      return [{ path: `${path}/name`, message: 'is a scope of OpenID Connect' }];
    }
    const flaw = flawOfAction(name);
    if (flaw !== undefined) return [{ path: `${path}/name`, message: flaw }];
    return isCommonPermission(name) && requires !== null
      ? [
          {
            path: `${path}/requires`,
            message: 'cannot be set for a permission, which requires itself',
          },
        ]
      : [];
  });
}

/** A token for the tenant itself would be indistinguishable from one for a resource with this URI. */
export function flawOfUri(uri: string, { audience, issuer }: Tenant): FieldError[] {
  const isTenant = uri === audience || uri === issuer;
  return isTenant ? [{ path: '/uri', message: 'is the audience of the tenant itself' }] : [];
}

/** FAPI 2.0 Security Profile §5.4.1. */
export function flawOfAlgorithm(
  { access_token_signing_alg: algorithm }: Pick<ResourceFields, 'access_token_signing_alg'>,
  tenant: Pick<Tenant, 'config'>,
): FieldError[] {
  const message = 'must be ES256 or EdDSA under the profile fapi2';
  const isWeak = algorithm === WEAK_ALGORITHM && isUnderFapi2(tenant);
  return isWeak ? [{ path: '/access_token_signing_alg', message }] : [];
}
