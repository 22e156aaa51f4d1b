// Decisions that several grants share. Each throws the error that its RFC defines.

import { isDeepStrictEqual } from 'node:util';
import type { Fail } from '@keywright/contract/errors';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { ErrorsOf } from '@keywright/contract/route';
import { type issueToken, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { isCommonPermission, isPermission, missingScopes } from '@keywright/contract/scopes';
import { isUnderFapi2 } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { SessionTarget } from '../../tokens/sessions/index.ts';
import { isFapi2Client, type KnownClient } from '../clients/index.ts';
import { listIn, type Resource, scopesAt, scopesOfAgentAt } from '../resources/index.ts';
import type { ClientRequest, TokenParameters } from './client-request.ts';

/** A request to the token endpoint. */
export interface TokenRequest extends ClientRequest<TokenParameters> {
  /** The key to which the token is bound. */
  readonly key: ProvenKey | undefined;
}

export type RefuseGrant = Fail<ErrorsOf<typeof issueToken>>;

/** A grant that requests select by `grant_type`. */
export interface Grant {
  issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer>;
}

/** @throws AppError CLIENT_UNAUTHORIZED */
export function requireGrantType(
  { grant_types: grants }: KnownClient,
  type: KnownClient['grant_types'][number],
  fail: RefuseGrant,
): void {
  if (!grants.includes(type)) fail('CLIENT_UNAUTHORIZED');
}

/** @throws AppError VALIDATION_FAILED */
export function requireParameter(name: string, fail: Fail<'VALIDATION_FAILED'>): never {
  return refuseParameter(name, 'is required', fail);
}

/** @throws AppError VALIDATION_FAILED */
export function refuseParameter(
  name: string,
  message: string,
  fail: Fail<'VALIDATION_FAILED'>,
): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message }] });
}

/** RFC 8693 §2.1: an exchange can request only an access token, which is a JWT here. */
export function requireAccessTokenRequested(
  parameters: TokenParameters,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const { requested_token_type: requested = TOKEN_TYPE.accessToken } = parameters;
  if (requested !== TOKEN_TYPE.accessToken && requested !== TOKEN_TYPE.jwt) {
    const message = `must be ${TOKEN_TYPE.accessToken} or ${TOKEN_TYPE.jwt}`;
    refuseParameter('requested_token_type', message, fail);
  }
}

/** RFC 8693 §2.1: without a resource, the token's audience is the tenant. */
export function requireTenantAudience(
  { audience, issuer }: Tenant,
  requested: TokenParameters['audience'],
  fail: Fail<'TARGET_INVALID'>,
): void {
  const targets = [requested ?? []].flat();
  if (!targets.every((target) => target === audience || target === issuer)) fail('TARGET_INVALID');
}

/** Whether the client authenticates with a secret or a key of its own (RFC 6749 §2.1). */
export function isConfidential({ token_endpoint_auth_method: method }: KnownClient): boolean {
  return method !== 'none';
}

/**
 * Whether a refresh token does not rotate: only if the client both authenticates and proves a key, so that a stolen
 * refresh token is useless.
 * @param jkt of the key that the refresh token is bound to
 */
export function hasFixedRefreshToken(client: KnownClient, jkt: string | undefined): boolean {
  return client.refresh_token_policy === 'fixed' && isConfidential(client) && jkt !== undefined;
}

/**
 * OpenID Connect Core §11: with the `openid` scope, a client needs `offline_access` to act while the user is absent,
 * unless it is first-party.
 */
export function mayRefresh(
  { grant_types: grants, first_party: isFirstParty }: KnownClient,
  scopes: readonly string[],
): boolean {
  const isOpenId = scopes.includes('openid');
  const isOffline = scopes.includes('offline_access');
  return grants.includes('refresh_token') && (isOffline || isFirstParty || !isOpenId);
}

/** Whether an ID token can contain user metadata written by administrators, or its time of change. */
export function needsMetadata(scopes: readonly string[], claims: readonly string[] = []): boolean {
  return scopes.includes('openid') && (scopes.includes('profile') || claims.length > 0);
}

const PROOF_REQUIRED = {
  detail: 'This token needs a DPoP proof: RFC 9449 §5.',
  internal: 'no proof',
};

/**
 * Uses up the proof of the key to which the token is bound. @returns its thumbprint; undefined for a bearer token
 * (RFC 9449 §5)
 * @throws AppError DPOP_INVALID
 */
export async function bindToKey(
  key: ProvenKey | undefined,
  isRequired: boolean,
  fail: Fail<'DPOP_INVALID'>,
): Promise<string | undefined> {
  if (!key) return isRequired ? fail('DPOP_INVALID', PROOF_REQUIRED) : undefined;
  await key.requireUnused(fail);
  return key.jkt;
}

/** Whether this client must prove a key to get this token. */
export function needsKey(
  tenant: Tenant,
  client: KnownClient,
  resource: Resource | undefined,
): boolean {
  const isOfClient = client.dpop_bound_access_tokens || isFapi2Client(tenant, client);
  return isOfClient || resource?.isDpopRequired === true;
}

const PROOF_REQUIRED_BY_FAPI2 = {
  detail: 'Under the profile fapi2 each token is bound to a key: a DPoP proof is required.',
  internal: 'fapi2: no proof',
};

/** FAPI 2.0 Security Profile §5.3.2.1 item 4: a grant must not return a bearer token. */
export function requireProofUnderFapi2(
  tenant: Tenant,
  key: ProvenKey | undefined,
  fail: Fail<'DPOP_INVALID'>,
): void {
  if (!key && isUnderFapi2(tenant)) fail('DPOP_INVALID', PROOF_REQUIRED_BY_FAPI2);
}

/** Returns the target for minting a session's access token for a resource. */
export function targetOf(resource: Resource): SessionTarget {
  const { uri, tokenTtlSeconds, algorithm, typ, detailsTypes } = resource;
  return {
    uri,
    tokenTtlSeconds,
    algorithm,
    typ,
    detailsFor: (granted) =>
      granted.filter(({ type }) => detailsTypes.some((one) => one.type === type)),
    scopesFor: (granted, held) => scopesAt(resource, granted, held),
  };
}

/**
 * Returns the authorization details of a token: those requested, out of those that the user granted and the client
 * can still have; all of these if the request names none (RFC 9396 §6).
 * @throws AppError AUTHORIZATION_DETAILS_INVALID for details that were not granted, even narrower ones, which only
 * their resource could recognize
 */
export function chooseDetails(
  { authorization_details_types: types }: Pick<KnownClient, 'authorization_details_types'>,
  granted: readonly AuthorizationDetail[] = [],
  requested: string | undefined,
  fail: RefuseGrant,
): readonly AuthorizationDetail[] {
  const left = granted.filter(({ type }) => types.includes(type));
  if (requested === undefined) return left;
  const listed = listIn(requested);
  if ('flaw' in listed) return fail('AUTHORIZATION_DETAILS_INVALID');
  return listed.list.map((one) => {
    // Two granted payments can be equal, so each matches only once.
    const index = left.findIndex((known) => isDeepStrictEqual(known, one));
    const [chosen] = index === -1 ? [] : left.splice(index, 1);
    return chosen ?? fail('AUTHORIZATION_DETAILS_INVALID');
  });
}

const MAX_SCOPES = 128;

/**
 * Returns the scopes of a token for the tenant, which are permissions: those requested, if all can be granted; all
 * that can be granted, if the request names none (RFC 6749 §3.3).
 * @param requested as in a request: joined by spaces
 */
export function choosePermissions(
  held: readonly string[],
  requested: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  const scopes = [...new Set((requested ?? '').split(' ').filter(Boolean))];
  const permissions = held.filter(isPermission);
  if (scopes.length === 0) return permissions;
  if (scopes.length > MAX_SCOPES || !scopes.every(isPermission)) {
    fail('SCOPE_INVALID', {
      detail:
        'Expected scopes of the form <action>:<resource>, separated by spaces. Scopes with other names need the resource that has them.',
    });
  }
  const missing = missingScopes(permissions, scopes);
  if (missing.length > 0) {
    fail('SCOPE_INVALID', { detail: `These scopes cannot be granted: ${missing.join(', ')}.` });
  }
  return scopes;
}

/** Returns the scopes of an agent's token for a resource, among those that the resource has and the agent can have. */
export function chooseScopesOfAgent(
  resource: Resource,
  held: readonly string[],
  requested: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  return chooseScopes(scopesOfAgentAt(resource, held), requested, fail);
}

/** Returns the requested scopes if all are possible; all possible scopes if none is requested. */
export function chooseScopes(
  possible: readonly string[],
  requested: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  const scopes = [...new Set((requested ?? '').split(' ').filter(Boolean))];
  if (scopes.length === 0) return possible;
  const permissions = possible.filter(isCommonPermission);
  const isPossible = (scope: string) =>
    isCommonPermission(scope)
      ? missingScopes(permissions, [scope]).length === 0
      : possible.includes(scope);
  return scopes.length <= MAX_SCOPES && scopes.every(isPossible) ? scopes : fail('SCOPE_INVALID');
}
