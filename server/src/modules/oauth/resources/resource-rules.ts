import type { FieldError, Fail } from '@keywright/contract/errors';
import type { OAuthResourceId, TenantId } from '@keywright/contract/ids';
import type { DetailsType } from '@keywright/contract/records/authorization-details';
import { OPENID_SCOPES } from '@keywright/contract/records/oauth-client';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import {
  flawOfAction,
  intersectScopes,
  isCommonPermission,
  isPermission,
  missingScopes,
} from '@keywright/contract/scopes';
import { isUnderFapi2, WEAK_ALGORITHM } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** A service that access tokens of the tenant can be made for. */
export interface Resource {
  readonly id: OAuthResourceId;
  readonly uri: string;
  readonly name: string;
  readonly scopes: OAuthResourceRecord['scopes'];
  /** Undefined: as the tenant's own. */
  readonly tokenTtlSeconds: number | undefined;
  readonly algorithm: KeyAlgorithm;
  readonly typ: OAuthResourceRecord['access_token_typ'];
  /** Whether its tokens are bound to keys. */
  readonly isDpopRequired: boolean;
  readonly detailsTypes: readonly DetailsType[];
  /** Ids of agents and clients. */
  readonly servedBy: readonly string[];
}

/** The resources of a tenant, the oldest first. */
export interface KnownResources {
  readonly all: readonly Resource[];
  named(id: string): Resource | undefined;
  at(uri: string): Resource | undefined;
}

export function knownResources(all: readonly Resource[]): KnownResources {
  return {
    all,
    named: (id) => all.find((one) => one.id === id),
    at: (uri) => all.find((one) => one.uri === uri),
  };
}

/** The resources of a tenant, from memory while they do not change. */
export type FindResources = (tenantId: TenantId) => Promise<KnownResources>;

/** What a resource has, apart from its id and its URI. */
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
 * Names come first; permissions (`<action>:<resource>`) are reduced to the intersection. A wildcard contains no name: a
 * resource can define one without a permission, for which only the user's consent counts.
 */
export function commonScopes(asked: readonly string[], allowed: readonly string[]): string[] {
  const named = asked.filter((scope) => !isCommonPermission(scope) && allowed.includes(scope));
  return [
    ...named,
    ...intersectScopes(asked.filter(isCommonPermission), allowed.filter(isCommonPermission)),
  ];
}

/**
 * Those of the scopes that a token for the resource may have: permissions that its subject holds, and names of its own,
 * if the subject holds what they require.
 */
export function scopesAt(
  { scopes }: Pick<Resource, 'scopes'>,
  asked: readonly string[],
  held: readonly string[],
): string[] {
  const own = scopes.filter(({ name, requires = null }) => {
    const isHeld = requires === null || missingScopes(held, [requires]).length === 0;
    return !isCommonPermission(name) && asked.includes(name) && isHeld;
  });
  const permissions = scopes.map(({ name }) => name).filter(isCommonPermission);
  const common = intersectScopes(asked.filter(isCommonPermission), permissions);
  return [...own.map(({ name }) => name), ...intersectScopes(common, held)];
}

/**
 * The same for an agent, which no user gives a consent: the scopes that were granted to it, and those that require a
 * permission which it holds.
 */
export function scopesOfAgentAt(
  { scopes }: Pick<Resource, 'scopes'>,
  held: readonly string[],
): string[] {
  const own = scopes.filter(({ name, requires = null }) => {
    const isHeld = requires !== null && missingScopes(held, [requires]).length === 0;
    return !isCommonPermission(name) && (held.includes(name) || isHeld);
  });
  const permissions = scopes.map(({ name }) => name).filter(isCommonPermission);
  return [...own.map(({ name }) => name), ...intersectScopes(permissions, held)];
}

/**
 * The permission that a scope requires unless its resource says otherwise: none for one that always requires itself, and
 * none for a name that is not a permission.
 */
export function usualRequirement(name: string): string | null {
  return isPermission(name) && !isCommonPermission(name) ? name : null;
}

/** What is wrong with the scopes of a resource. */
export function flawsOfScopes(scopes: ResourceFields['scopes']): FieldError[] {
  const names = scopes.map(({ name }) => name);
  return scopes.flatMap(({ name, requires = null }, index): FieldError[] => {
    const path = `/scopes/${index}`;
    if (names.indexOf(name) < index) return [{ path, message: 'has the name of another one' }];
    if (OPENID_SCOPES.some((one) => one === name)) {
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

/** A token of the tenant itself would not differ from one for a resource of this URI. */
export function flawOfUri(uri: string, { audience, issuer }: Tenant): FieldError[] {
  const isOwn = uri === audience || uri === issuer;
  return isOwn ? [{ path: '/uri', message: 'is the audience of the tenant itself' }] : [];
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

/** The tenant itself, as one of several that tokens are asked for. */
export const OWN = 'tenant';

/** What tokens can be for (RFC 8707 §2). */
export type TargetId = OAuthResourceId | typeof OWN;

const WEAK = {
  detail: 'Under the profile fapi2 no access token is signed with RS256.',
  internal: 'fapi2: access_token_signing_alg',
};

type OwnNames = Pick<Tenant, 'audience' | 'issuer'>;

/** What these URIs name; undefined when one of them is nothing of the tenant. */
export function targetsNamed(
  uris: readonly string[],
  tenant: OwnNames,
  resources: KnownResources,
): TargetId[] | undefined {
  const found = new Set(uris.map((uri) => targetNamed(uri, tenant, resources)));
  const targets = [...found].filter((one) => one !== undefined);
  return targets.length === found.size ? targets : undefined;
}

function targetNamed(
  uri: string,
  { audience, issuer }: OwnNames,
  resources: KnownResources,
): TargetId | undefined {
  if (uri === audience || uri === issuer) return OWN;
  return (resources.at(uri) ?? resources.at(otherSpelling(uri)))?.id;
}

/** Clients that parse a URL without a path add one (RFC 3986 §6.2.3), or take it away. Else the URI itself. */
function otherSpelling(uri: string): string {
  const [, origin = uri, path] = /^(https?:\/\/[^/?]+)(\/?)$/.exec(uri) ?? [];
  return path === '' ? `${origin}/` : origin;
}

/**
 * What one access token is for: undefined is the tenant itself.
 * @param granted what a user has granted tokens for, empty if only for the tenant; undefined where no grant says
 * @param asked the parameter of the token request
 * @throws AppError TARGET_INVALID
 */
export async function chooseTarget(
  findResources: FindResources,
  tenant: Tenant,
  granted: readonly string[] | undefined,
  asked: string | readonly string[] | undefined,
  fail: Fail<'TARGET_INVALID'>,
): Promise<Resource | undefined> {
  const uris = [asked ?? []].flat();
  const possible = granted?.length === 0 ? [OWN] : granted;
  const [only = OWN] = possible ?? [];
  if (uris.length === 0 && possible?.length !== 1 && possible) fail('TARGET_INVALID');
  // Nearly always, and then nothing has to be known of resources.
  if (uris.length === 0 && only === OWN) return undefined;
  const resources = await findResources(tenant.id);
  const [target, ...others] =
    uris.length === 0 ? [only] : (targetsNamed(uris, tenant, resources) ?? []);
  const isGranted = target !== undefined && (possible?.includes(target) ?? true);
  if (!isGranted || others.length > 0) return fail('TARGET_INVALID');
  if (target === OWN) return undefined;
  // It may have been deleted since.
  const resource = resources.named(target) ?? fail('TARGET_INVALID');
  // It may be of the time before the tenant took on the profile.
  return isTooWeak(tenant, resource) ? fail('TARGET_INVALID', WEAK) : resource;
}

/** Whether the profile of the tenant has no access tokens of the algorithm that the resource wants. */
export function isTooWeak(tenant: Tenant, { algorithm }: Pick<Resource, 'algorithm'>): boolean {
  return algorithm === WEAK_ALGORITHM && isUnderFapi2(tenant);
}
