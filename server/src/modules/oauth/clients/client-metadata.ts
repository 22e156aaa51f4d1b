import type {
  ClientInformation,
  ClientMetadata,
} from '@keywright/contract/records/client-metadata';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { BodyOf } from '@keywright/contract/route';
import type { createClient } from '@keywright/contract/routes/clients';
import {
  isCommonPermission,
  missingScopes,
  isOpenIdScope,
  OPENID_SCOPES,
} from '@keywright/contract/scopes';
import type { Resource } from '../resources/index.ts';
import { type ClientFields, hasSecrets, isLoopback, usualAuthentication } from './client-rules.ts';

/** The default OpenID Connect scopes of a client. */
const USUAL_SCOPES: readonly string[] = ['openid', 'profile', 'email'];

/** The fields of a client that an administrator creates, with defaults that depend on whether the profile is fapi2. */
export function fieldsOf(
  { kind, token_endpoint_auth_method: authentication, ...body }: BodyOf<typeof createClient>,
  profile: ClientFields['profile'],
): ClientFields {
  const isStrict = profile === 'fapi2';
  return {
    first_party: false,
    post_logout_redirect_uris: [],
    initiate_login_uri: null,
    backchannel_logout_uri: null,
    backchannel_logout_session_required: false,
    require_pushed_authorization_requests: false,
    grant_types: ['authorization_code'],
    scopes: [...USUAL_SCOPES],
    jwks: null,
    jwks_uri: null,
    id_token_signed_response_alg: isStrict ? 'ES256' : 'RS256',
    userinfo_signed_response_alg: null,
    subject_type: 'public',
    sector_identifier_uri: null,
    id_token_claims: true,
    client_uri: null,
    logo_uri: null,
    policy_uri: null,
    tos_uri: null,
    contacts: [],
    default_max_age: null,
    require_pkce: null,
    dpop_bound_access_tokens: false,
    require_signed_request_object: false,
    profile: 'none',
    authorization_details_types: [],
    refresh_token_policy: isStrict ? 'fixed' : 'rotate',
    identity_assertions: { audiences: [], providers: [] },
    shared_signals: 'none',
    in_app_login: false,
    is_active: true,
    ...body,
    kind,
    token_endpoint_auth_method: authentication ?? usualAuthentication(kind, profile),
  };
}

type Authentication = OAuthClientRecord['token_endpoint_auth_method'];

/** The metadata of a client, including the default authentication method. */
export interface CompleteMetadata extends Omit<
  ClientMetadata,
  'token_endpoint_auth_method' | 'response_types' | 'first_party' | 'scope'
> {
  readonly token_endpoint_auth_method: Authentication;
}

/** Converts members of RFC 7591 §2 to the fields of a record. */
export function fieldsFrom(
  { client_name: name, application_type: type, ...metadata }: CompleteMetadata,
  scopes: readonly string[],
  profile: ClientFields['profile'] = 'none',
): ClientFields {
  const isStrict = profile === 'fapi2';
  const { redirect_uris: uris = [], token_endpoint_auth_method: authentication } = metadata;
  return {
    name: name ?? hostIn(uris),
    kind: kindOf(type, authentication, uris),
    first_party: false,
    token_endpoint_auth_method: authentication,
    redirect_uris: uris,
    post_logout_redirect_uris: metadata.post_logout_redirect_uris ?? [],
    initiate_login_uri: metadata.initiate_login_uri ?? null,
    backchannel_logout_uri: metadata.backchannel_logout_uri ?? null,
    backchannel_logout_session_required: metadata.backchannel_logout_session_required ?? false,
    require_pushed_authorization_requests: metadata.require_pushed_authorization_requests ?? false,
    grant_types: metadata.grant_types ?? ['authorization_code'],
    scopes: [...scopes],
    jwks: metadata.jwks ?? null,
    jwks_uri: metadata.jwks_uri ?? null,
    id_token_signed_response_alg:
      metadata.id_token_signed_response_alg ?? (isStrict ? 'ES256' : 'RS256'),
    userinfo_signed_response_alg: metadata.userinfo_signed_response_alg ?? null,
    subject_type: metadata.subject_type ?? 'public',
    sector_identifier_uri: metadata.sector_identifier_uri ?? null,
    id_token_claims: true,
    client_uri: metadata.client_uri ?? null,
    logo_uri: metadata.logo_uri ?? null,
    policy_uri: metadata.policy_uri ?? null,
    tos_uri: metadata.tos_uri ?? null,
    contacts: metadata.contacts ?? [],
    default_max_age: metadata.default_max_age ?? null,
    require_pkce: null,
    dpop_bound_access_tokens: metadata.dpop_bound_access_tokens ?? false,
    require_signed_request_object: metadata.require_signed_request_object ?? false,
    profile: 'none',
    authorization_details_types: [],
    refresh_token_policy: isStrict ? 'fixed' : 'rotate',
    identity_assertions: { audiences: [], providers: [] },
    shared_signals: 'none',
    in_app_login: false,
    is_active: true,
  };
}

/**
 * RFC 8252 §8.4: a client that registered itself on a device can have its own secret. Any program on the device can
 * listen at the loopback address, so its port is variable only for a client without a secret.
 */
function kindOf(
  type: CompleteMetadata['application_type'],
  authentication: Authentication,
  uris: readonly string[],
): OAuthClientRecord['kind'] {
  if (hasSecrets(authentication)) return 'web';
  const isOnDevice = uris.some((uri) => !uri.startsWith('https:'));
  if (type === 'native' || (type === undefined && isOnDevice)) return 'native';
  return authentication === 'none' ? 'spa' : 'web';
}

/** The default name of a client: the host of its first redirect URI. */
function hostIn([uri = '']: readonly string[]): string {
  const host = URL.canParse(uri) ? new URL(uri).host : '';
  return (host || 'Application').slice(0, 128);
}

/** Whether a redirect URI is at one of these hosts. `localhost` stands for the loopback address. */
export function isAtHost(uri: string, hosts: readonly string[]): boolean {
  if (isLoopback(uri)) return hosts.includes('localhost');
  return URL.canParse(uri) && hosts.includes(new URL(uri).hostname);
}

/** A client as presented by RFC 7591 §3.2.1, without unset fields. */
export function metadataOf(client: Omit<OAuthClientRecord, 'secrets'>) {
  const { kind, name, scopes } = client;
  return {
    redirect_uris: client.redirect_uris,
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    grant_types: client.grant_types,
    response_types: client.grant_types.includes('authorization_code') ? ['code' as const] : [],
    client_name: name,
    scope: scopes.join(' '),
    contacts: client.contacts,
    application_type: kind === 'native' ? 'native' : 'web',
    subject_type: client.subject_type,
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    post_logout_redirect_uris: client.post_logout_redirect_uris,
    backchannel_logout_session_required: client.backchannel_logout_session_required,
    require_pushed_authorization_requests: client.require_pushed_authorization_requests,
    require_signed_request_object: client.require_signed_request_object,
    dpop_bound_access_tokens: client.dpop_bound_access_tokens,
    ...withoutNull({
      client_uri: client.client_uri,
      logo_uri: client.logo_uri,
      policy_uri: client.policy_uri,
      tos_uri: client.tos_uri,
      jwks: client.jwks,
      jwks_uri: client.jwks_uri,
      sector_identifier_uri: client.sector_identifier_uri,
      userinfo_signed_response_alg: client.userinfo_signed_response_alg,
      default_max_age: client.default_max_age,
      initiate_login_uri: client.initiate_login_uri,
      backchannel_logout_uri: client.backchannel_logout_uri,
    }),
  } satisfies Partial<ClientInformation>;
}

type NotNull<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

function withoutNull<Fields extends object>(fields: Fields): NotNull<Fields> {
  const set = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(set) as NotNull<Fields>;
}

/** The possible scopes that a client gets if it names none. */
function usualScopesOf(
  { grant_types: grants = [] }: Pick<ClientMetadata, 'grant_types'>,
  possible: readonly string[],
): string[] {
  const offline = grants.includes('refresh_token') ? ['offline_access'] : [];
  const usual = [...USUAL_SCOPES, ...offline];
  return possible.filter((scope) => !isOpenIdScope(scope) || usual.includes(scope));
}

/** The maximum number of scopes per client. */
const MOST_SCOPES = 64;

/** The scopes that a client can request if no administrator registered it. */
export interface ScopePolicy {
  /** Undefined for the scopes of OpenID Connect and of the resources, and permissions to read. */
  readonly most: readonly string[] | undefined;
  /** Whether the client can also request write and delete permissions, because the registering caller holds them. */
  readonly mayWrite: boolean;
  /** The resources whose scopes the client can request. */
  readonly resources: readonly Pick<Resource, 'scopes'>[];
}

interface JudgedScopes {
  readonly scopes: readonly string[];
  /** Requested scopes that exist but are not allowed. */
  readonly refused: readonly string[];
}

/**
 * Selects the scopes of a client from those that it requests. Unknown scopes are left out, because clients write their
 * lists for many servers.
 */
export function judgeScopes(
  requested: readonly string[],
  metadata: Parameters<typeof usualScopesOf>[0],
  policy: ScopePolicy,
): JudgedScopes {
  const names = namesAt(policy);
  const recognized = requested.filter(
    (scope) => isCommonPermission(scope) || isOpenIdScope(scope) || names.includes(scope),
  );
  const refused = recognized.filter((scope) => !isAllowed(scope, policy));
  const possible = policy.most ?? [...OPENID_SCOPES, ...names];
  const usual = policy.most ? [...policy.most] : usualScopesOf(metadata, possible);
  const allowed = recognized.filter((scope) => !refused.includes(scope));
  const scopes = allowed.length > 0 ? [...allowed, ...furtherAt(allowed, policy)] : usual;
  return { scopes: [...new Set(scopes)].slice(0, MOST_SCOPES), refused };
}

/**
 * The further scopes of each resource from which the client requests a scope. MCP clients register with the scopes of
 * the first challenge, and request more when a tool requires them; users consent to each.
 */
function furtherAt(requested: readonly string[], policy: ScopePolicy): string[] {
  const named = policy.resources.filter(({ scopes }) =>
    scopes.some(({ name }) => !isCommonPermission(name) && requested.includes(name)),
  );
  return namesAt({ resources: named }).filter((name) => isAllowed(name, policy));
}

/** The scopes of resources that are not permissions. */
function namesAt({ resources }: Pick<ScopePolicy, 'resources'>): string[] {
  const all = resources.flatMap(({ scopes }) => scopes.map(({ name }) => name));
  return [...new Set(all)].filter((name) => !isCommonPermission(name));
}

function isAllowed(scope: string, { most, mayWrite }: ScopePolicy): boolean {
  if (!isCommonPermission(scope)) return most === undefined || most.includes(scope);
  if (most !== undefined)
    return missingScopes(most.filter(isCommonPermission), [scope]).length === 0;
  return mayWrite || scope.startsWith('read:');
}
