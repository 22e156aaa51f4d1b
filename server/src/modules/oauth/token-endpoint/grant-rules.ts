// Decisions that several grants share. Each throws the error of its RFC.

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
  /** The key that the token is bound to. */
  readonly key: ProvenKey | undefined;
}

export type RefuseGrant = Fail<ErrorsOf<typeof issueToken>>;

/** One of the grants that a request names with `grant_type`. */
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

/** RFC 8693 §2.1: the token that an exchange requests is an access token, which is a JWT here. */
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

/** RFC 8693 §2.1: a token that is not for a resource is for the audience of the tenant. */
export function requireTenantAudience(
  { audience, issuer }: Tenant,
  requested: TokenParameters['audience'],
  fail: Fail<'TARGET_INVALID'>,
): void {
  const targets = [requested ?? []].flat();
  if (!targets.every((target) => target === audience || target === issuer)) fail('TARGET_INVALID');
}

/** Whether the client authenticates, by a secret or a key of its own (RFC 6749 §2.1). */
export function isConfidential({ token_endpoint_auth_method: method }: KnownClient): boolean {
  return method !== 'none';
}

/**
 * Whether a refresh token stays the same: only for a client that authenticates and proves a key also. Its refresh token
 * alone is worth nothing.
 * @param jkt of the key that the refresh token is bound to
 */
export function hasFixedRefreshToken(client: KnownClient, jkt: string | undefined): boolean {
  return client.refresh_token_policy === 'fixed' && isConfidential(client) && jkt !== undefined;
}

/** OpenID Connect Core §11: other clients cannot say that they work while the user is away. */
export function mayRefresh(
  { grant_types: grants, first_party: isFirstParty }: KnownClient,
  scopes: readonly string[],
): boolean {
  const isOpenId = scopes.includes('openid');
  const isOffline = scopes.includes('offline_access');
  return grants.includes('refresh_token') && (isOffline || isFirstParty || !isOpenId);
}

/** Whether an ID token can contain metadata that administrators wrote about the user, or when it last changed. */
export function needsMetadata(scopes: readonly string[], claims: readonly string[] = []): boolean {
  return scopes.includes('openid') && (scopes.includes('profile') || claims.length > 0);
}

const PROOF_REQUIRED = {
  detail: 'This token needs a DPoP proof: RFC 9449 §5.',
  internal: 'no proof',
};

/**
 * Uses up the proof of the key that a token is bound to. @returns its thumbprint; undefined for a bearer token (RFC 9449 §5)
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

/** Whether this client gets this token only with a proof. */
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

/** FAPI 2.0 Security Profile §5.3.2.1 item 4: no grant returns a bearer token. */
export function requireProofUnderFapi2(
  tenant: Tenant,
  key: ProvenKey | undefined,
  fail: Fail<'DPOP_INVALID'>,
): void {
  if (!key && isUnderFapi2(tenant)) fail('DPOP_INVALID', PROOF_REQUIRED_BY_FAPI2);
}

/** A resource, as the access token of a session is minted for it. */
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
 * The authorization details of a token: of those that the user granted and the client may still have, the requested ones;
 * all of them if the request names none (RFC 9396 §6).
 * @throws AppError AUTHORIZATION_DETAILS_INVALID for one that was not granted, even a narrower one: only its resource could
 * tell
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
    // Two payments may be equal: each is taken once.
    const index = left.findIndex((known) => isDeepStrictEqual(known, one));
    const [chosen] = index === -1 ? [] : left.splice(index, 1);
    return chosen ?? fail('AUTHORIZATION_DETAILS_INVALID');
  });
}

const MAX_SCOPES = 128;

/**
 * The scopes of a token for the tenant, which are permissions: the requested ones, if all of them can be granted; all that
 * can be granted, if none is requested (RFC 6749 §3.3).
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

/** The scopes of an agent's token for a resource, of those that the resource has and the agent may have. */
export function chooseScopesOfAgent(
  resource: Resource,
  held: readonly string[],
  requested: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  return chooseScopes(scopesOfAgentAt(resource, held), requested, fail);
}

/** The requested scopes, if all of them are possible; all possible ones, if none is requested. */
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
