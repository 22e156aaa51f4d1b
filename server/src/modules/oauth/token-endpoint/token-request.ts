import { isDeepStrictEqual } from 'node:util';
import type { Fail } from '@keywright/contract/errors';
import { parseOAuthClientId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { BodyOf, ErrorsOf } from '@keywright/contract/route';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE, TOKEN_TYPE, type issueToken } from '@keywright/contract/routes/token';
import { isCommonPermission, isPermission, missingScopes } from '@keywright/contract/scopes';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { type Tenant, isUnderFapi2 } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import type { SessionTarget } from '../../tokens/sessions/index.ts';
import { type LoadedClient, isFapi2Client } from '../clients/index.ts';
import { type Resource, listIn, scopesAt, scopesOfAgentAt } from '../resources/index.ts';

export type TokenParameters = BodyOf<typeof issueToken>;

/** The parameters with which a client authenticates at any endpoint. */
export type ClientParameters = Partial<
  Pick<
    TokenParameters,
    | 'grant_type'
    | 'client_id'
    | 'client_secret'
    | 'client_assertion'
    | 'client_assertion_type'
    | 'actor_token'
    | 'actor_token_type'
  >
>;

/** A request of a client that must authenticate. */
export interface ClientRequest<Parameters = ClientParameters> {
  readonly tenant: Tenant;
  readonly parameters: Parameters;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  readonly from: Origin;
}

/** The errors of failed client authentication. */
export type RefuseClient = Fail<
  'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'OAUTH_OFF' | 'TOO_MANY_ATTEMPTS'
>;

/** How a client authenticates. */
export type ClientProof =
  | { readonly by: 'secret'; readonly clientId: string; readonly secret: string }
  | {
      readonly by: 'assertion' | 'actor_token';
      readonly clientId: string | undefined;
      readonly token: string;
    };

/** The client that a request names, not yet verified. */
export interface PresentedClient {
  /** Empty if the request names no client. */
  readonly clientId: string;
  /** Undefined if the client only names itself, as public clients do. */
  readonly proof: ClientProof | undefined;
}

/** Reads the client of a request and its authentication (RFC 6749 §2.3: only one method at a time). */
export function readClient(
  request: ClientParameters,
  authorization: string | undefined,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID'>,
): PresentedClient {
  const { client_secret: secret, client_assertion: assertion } = request;
  const basic = readBasic(authorization, request.client_id, fail);
  // Some public clients name themselves with Basic. As in the body, an empty password is not a secret.
  const isNameAlone = basic?.secret === '';
  const clientId = isNameAlone ? basic.clientId : request.client_id;
  const proofs: ClientProof[] = [];
  if (basic && !isNameAlone) proofs.push(basic);
  if (secret !== undefined) proofs.push({ by: 'secret', clientId: clientId ?? '', secret });
  if (assertion !== undefined) {
    requireType(request, 'client_assertion_type', CLIENT_ASSERTION_TYPE, fail);
    proofs.push({ by: 'assertion', clientId, token: assertion });
  }
  const { actor_token: actor, grant_type: grantType } = request;
  if (actor !== undefined && grantType === GRANT_TYPE.tokenExchange) {
    requireType(request, 'actor_token_type', TOKEN_TYPE.accessToken, fail);
    proofs.push({ by: 'actor_token', clientId, token: actor });
  }
  const [proof, ...others] = proofs;
  if (others.length > 0) {
    fail('VALIDATION_FAILED', {
      detail: 'Expected one client authentication method, got several.',
    });
  }
  return { clientId: (proof ? claimedClient(proof) : clientId) ?? '', proof };
}

/** Whether the request names an OAuth client, for grants that agents also use. */
export function isFromOAuthClient(
  { parameters, authorization }: Pick<ClientRequest, 'parameters' | 'authorization'>,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID'>,
): boolean {
  const { clientId } = readClient(parameters, authorization, fail);
  return parseOAuthClientId(clientId) !== undefined;
}

function claimedClient(proof: ClientProof): string | undefined {
  if (proof.clientId !== undefined || proof.by !== 'assertion') return proof.clientId;
  const { sub } = parseOutsideToken(proof.token)?.claims ?? {};
  return typeof sub === 'string' ? sub : undefined;
}

/**
 * RFC 6749 §2.3.1: both parts are form-encoded, so the colon of an ID is `%3A`. Many clients omit the encoding,
 * which is unambiguous here.
 */
function readBasic(
  authorization: string | undefined,
  clientId: string | undefined,
  fail: Fail<'CLIENT_INVALID'>,
): Extract<ClientProof, { readonly by: 'secret' }> | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const [, raw, rawSecret] = /^(service:[^:]*):(.*)$/s.exec(text) ?? [];
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const named = raw ?? decodeForm(id);
  if (clientId !== undefined && clientId !== named) fail('CLIENT_INVALID');
  return { by: 'secret', clientId: named, secret: decodeForm(rawSecret ?? secret) };
}

function decodeForm(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
}

function requireType(
  request: ClientParameters,
  name: 'client_assertion_type' | 'actor_token_type',
  type: string,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (request[name] === type) return;
  fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message: `must be ${type}` }] });
}

// Decisions that several grants share. Each throws the error that its RFC defines.

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
  { grant_types: grants }: LoadedClient,
  type: LoadedClient['grant_types'][number],
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
export function isConfidential({ token_endpoint_auth_method: method }: LoadedClient): boolean {
  return method !== 'none';
}

/**
 * Whether a refresh token does not rotate: only if the client both authenticates and proves a key, so that a stolen
 * refresh token is useless.
 * @param jkt of the key that the refresh token is bound to
 */
export function hasFixedRefreshToken(client: LoadedClient, jkt: string | undefined): boolean {
  return client.refresh_token_policy === 'fixed' && isConfidential(client) && jkt !== undefined;
}

/**
 * OpenID Connect Core §11: with the `openid` scope, a client needs `offline_access` to act while the user is absent,
 * unless it is first-party.
 */
export function mayRefresh(
  { grant_types: grants, first_party: isFirstParty }: LoadedClient,
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
  client: LoadedClient,
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
      granted.filter(({ type }) => detailsTypes.some((candidate) => candidate.type === type)),
    scopesFor: (granted, callerScopes) => scopesAt(resource, granted, callerScopes),
  };
}

/**
 * Returns the authorization details of a token: those requested, out of those that the user granted and the client
 * can still have; all of these if the request names none (RFC 9396 §6).
 * @throws AppError AUTHORIZATION_DETAILS_INVALID for details that were not granted, even narrower ones, which only
 * their resource could recognize
 */
export function chooseDetails(
  { authorization_details_types: types }: Pick<LoadedClient, 'authorization_details_types'>,
  granted: readonly AuthorizationDetail[] = [],
  requested: string | undefined,
  fail: RefuseGrant,
): readonly AuthorizationDetail[] {
  const left = granted.filter(({ type }) => types.includes(type));
  if (requested === undefined) return left;
  const listed = listIn(requested);
  if ('flaw' in listed) return fail('AUTHORIZATION_DETAILS_INVALID');
  return listed.list.map((detail) => {
    // Two granted payments can be equal, so each matches only once.
    const index = left.findIndex((candidate) => isDeepStrictEqual(candidate, detail));
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
  callerScopes: readonly string[],
  requested: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  const scopes = [...new Set((requested ?? '').split(' ').filter(Boolean))];
  const permissions = callerScopes.filter(isPermission);
  if (scopes.length === 0) return permissions;
  if (scopes.length > MAX_SCOPES || !scopes.every(isPermission)) {
    fail('SCOPE_INVALID', {
      detail:
        'Expected scopes of the form <action>:<resource>, separated by spaces. Scopes with other names require the resource that defines them.',
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
  callerScopes: readonly string[],
  requested: string | undefined,
  fail: Fail<'SCOPE_INVALID'>,
): readonly string[] {
  return chooseScopes(scopesOfAgentAt(resource, callerScopes), requested, fail);
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
