import type { FieldError, Fail } from '@keywright/contract/errors';
import {
  ASSERTION_GRANT,
  DEVICE_GRANT,
  EXCHANGE_GRANT,
} from '@keywright/contract/records/client-grants';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { isCommonPermission, isOpenIdScope } from '@keywright/contract/scopes';
import { type Tenant, WEAK_ALGORITHM, isUnderFapi2 } from '../../../tenancy/tenant.ts';
import { objectionToRedirectUri } from './client-uris.ts';

/** The fields of a client, except its ID and secrets. */
export type ClientFields = Omit<
  OAuthClientRecord,
  'id' | 'tenant_id' | 'created_by' | 'secrets' | 'created_at' | 'last_used_at'
>;

type Authentication = OAuthClientRecord['token_endpoint_auth_method'];
type Kind = OAuthClientRecord['kind'];

/** Grants that require authentication: otherwise, anyone who finds a token or names a client could act in its name. */
const PROVEN_GRANTS = ['client_credentials', EXCHANGE_GRANT, ASSERTION_GRANT] as const;

/** The default authentication method of a client: a secret, if the client can protect one. */
export function usualAuthentication(kind: Kind, profile: ClientFields['profile']): Authentication {
  if (profile === 'fapi2') return 'private_key_jwt';
  return kind === 'web' ? 'client_secret_basic' : 'none';
}

/** Whether the client can show the login itself, which requires the permission of an administrator. */
export function mayLogInInApp({
  first_party,
  in_app_login,
}: Pick<ClientFields, 'first_party' | 'in_app_login'>): boolean {
  return first_party && in_app_login;
}

/** Whether the tenant vouches for the client: its users see no consent page, or other parties authenticate them. */
export function isTrusted({
  first_party: isFirstParty,
  in_app_login: isInApp,
  identity_assertions: { audiences, providers },
}: Pick<ClientFields, 'first_party' | 'in_app_login' | 'identity_assertions'>): boolean {
  return isFirstParty || isInApp || audiences.length > 0 || providers.length > 0;
}

export function hasSecrets(authentication: Authentication): boolean {
  return authentication === 'client_secret_basic' || authentication === 'client_secret_post';
}

/** The flaws of a client. @param profile the profile that applies to it */
export function flawsOf(
  client: ClientFields,
  profile: ClientFields['profile'] = client.profile,
): FieldError[] {
  const { kind, token_endpoint_auth_method: authentication, grant_types: grants } = client;
  const flaws = [
    ...flawsOfUris('redirect_uris', client.redirect_uris, kind),
    ...flawsOfUris('post_logout_redirect_uris', client.post_logout_redirect_uris, kind),
    ...flawsOfStart(client),
  ];
  const add = (path: string, message: string) => flaws.push({ path, message });
  // RFC 8252 §8.5: a secret that is shared by all users is not a secret.
  if (kind !== 'web' && hasSecrets(authentication)) {
    add('/token_endpoint_auth_method', `cannot be ${authentication}: it keeps no secret`);
  }
  if (kind === 'spa' && authentication === 'private_key_jwt') {
    add('/token_endpoint_auth_method', 'must be none: it keeps no key');
  }
  // The code verifier is the only proof of a client that does not authenticate.
  if (client.require_pkce === false && authentication === 'none') {
    add('/require_pkce', 'cannot be false: the client does not authenticate');
  }
  const keySources = [client.jwks, client.jwks_uri].filter((source) => source !== null).length;
  if (authentication === 'private_key_jwt' && keySources === 0) {
    add('/jwks', 'or jwks_uri is required with private_key_jwt');
  }
  // RFC 7591 §2.
  if (keySources > 1) add('/jwks_uri', 'must not be given beside jwks');
  const hasBrowser = grants.includes('authorization_code');
  flaws.push(...flawsOfGrants(client, hasBrowser));
  if (client.subject_type === 'pairwise' && sectorOf(client) === undefined) {
    add(
      '/subject_type',
      'cannot be pairwise unless all redirect_uris are https on one host, or sector_identifier_uri lists them',
    );
  }
  for (const name of ['logo_uri', 'policy_uri', 'tos_uri'] as const) {
    const uri = client[name];
    if (uri !== null && !isPage(uri)) add(`/${name}`, 'must be an https address of a page');
  }
  if (hasBrowser && client.redirect_uris.length === 0) {
    add('/redirect_uris', 'must have at least one address');
  }
  // Native apps only: the client sees passwords, and in a web page so do other scripts.
  if (client.in_app_login && !(client.first_party && kind === 'native' && hasBrowser)) {
    add('/in_app_login', 'is only for a native client with first_party and authorization_code');
  }
  return [...flaws, ...flawsOfRefresh(client, profile), ...flawsUnder(profile, client)];
}

/** RFC 9700 §2.2.2: refresh tokens of public clients must rotate or be bound to keys. Here they always rotate. */
function flawsOfRefresh(client: ClientFields, profile: ClientFields['profile']): FieldError[] {
  const isBound = client.dpop_bound_access_tokens || profile === 'fapi2';
  const mayBeFixed = client.token_endpoint_auth_method !== 'none' && isBound;
  if (client.refresh_token_policy !== 'fixed' || mayBeFixed) return [];
  const message = 'can be fixed only for a confidential client with dpop_bound_access_tokens';
  return [{ path: '/refresh_token_policy', message }];
}

function flawsOfGrants(
  {
    grant_types: grants,
    token_endpoint_auth_method: authentication,
    shared_signals: signals,
  }: ClientFields,
  hasBrowser: boolean,
): FieldError[] {
  const flaws: FieldError[] = [];
  const add = (path: string, message: string) => flaws.push({ path, message });
  const proven = PROVEN_GRANTS.filter((grant) => grants.includes(grant));
  if (!hasBrowser && !grants.includes(DEVICE_GRANT) && proven.length === 0) {
    const ways = ['authorization_code', DEVICE_GRANT, ...PROVEN_GRANTS].join(', ');
    add('/grant_types', `must include one of ${ways}`);
  }
  if (authentication === 'none') {
    for (const grant of proven) {
      add('/grant_types', `cannot include ${grant}: it does not authenticate`);
    }
  }
  if (grants.includes('client_credentials') !== (signals !== 'none')) {
    add('/shared_signals', 'needs the grant client_credentials, which is for nothing else');
  }
  return flaws;
}

/** RFC 3986 §3.2.1: text before an @ can look like the host. */
function isPage(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  return protocol === 'https:' && username === '' && password === '';
}

/** OpenID Connect Registration §2: our pages link to it in the browser, so an app's custom scheme is not allowed. */
function flawsOfStart({ initiate_login_uri: uri }: ClientFields): FieldError[] {
  const message = uri === null ? undefined : objectionToRedirectUri(uri, 'web');
  return message === undefined ? [] : [{ path: '/initiate_login_uri', message }];
}

function flawsOfUris(name: string, uris: readonly string[], kind: Kind): FieldError[] {
  return uris.flatMap((uri, index) => {
    const message = objectionToRedirectUri(uri, kind);
    return message === undefined ? [] : [{ path: `/${name}/${index}`, message }];
  });
}

/**
 * The sector of a client, which is a host. All clients of the sector know a user by the same pairwise subject (OpenID
 * Connect Core §8.1). Undefined if the addresses have several hosts, or a host without an owner.
 */
export function sectorOf({
  redirect_uris: redirectUris,
  sector_identifier_uri: list,
}: Pick<ClientFields, 'redirect_uris' | 'sector_identifier_uri'>): string | undefined {
  if (list !== null) return new URL(list).hostname;
  if (!redirectUris.every((uri) => URL.canParse(uri))) return undefined;
  const urls = redirectUris.map((uri) => new URL(uri));
  const [host, ...others] = new Set(urls.map((url) => url.hostname));
  const isOwned = others.length === 0 && urls.every((url) => url.protocol === 'https:');
  return isOwned ? host : undefined;
}

/** The scopes that are permissions of users, and belong neither to OpenID Connect nor to a resource. */
export function permissionsOf(scopes: readonly string[]): string[] {
  return scopes.filter(isCommonPermission);
}

/** The scopes that only a resource can have. */
export function scopesOfResources(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !isCommonPermission(scope) && !isOpenIdScope(scope));
}

/** The algorithms that the tenant uses to sign for the client. */
export function algorithmsOf({
  id_token_signed_response_alg: idToken,
  userinfo_signed_response_alg: userinfo,
}: Partial<ClientFields>): KeyAlgorithm[] {
  return [idToken, userinfo].flatMap((algorithm) => algorithm ?? []);
}

type Profile = ClientFields['profile'];
type Profiled = Pick<ClientFields, 'profile'>;

/** The profile that applies to a client and its requests: the tenant's or its own. */
export function profileOf(
  tenant: { readonly config: Pick<Tenant['config'], 'oauth_profile'> },
  { profile }: Profiled,
): Profile {
  return isUnderFapi2(tenant) ? 'fapi2' : profile;
}

export function isFapi2Client(tenant: Pick<Tenant, 'config'>, client: Profiled): boolean {
  return profileOf(tenant, client) === 'fapi2';
}

/** The flaws of a client under a profile. */
export function flawsUnder(profile: Profile, client: ClientFields): FieldError[] {
  return profile === 'fapi2' ? [...flawsOfFapi2(client), ...flawsOfKeys(client)] : [];
}

/** Flaws under FAPI 2.0 Security Profile §5.3.2. */
function flawsOfFapi2(client: ClientFields): FieldError[] {
  const { grant_types: grants } = client;
  const flaws: FieldError[] = [];
  const add = (path: string, message: string) =>
    flaws.push({ path, message: `${message} under the profile fapi2` });
  if (client.token_endpoint_auth_method !== 'private_key_jwt') {
    add('/token_endpoint_auth_method', 'must be private_key_jwt');
  }
  for (const name of ['id_token_signed_response_alg', 'userinfo_signed_response_alg'] as const) {
    if (client[name] === WEAK_ALGORITHM) add(`/${name}`, 'must be ES256 or EdDSA');
  }
  // The person using the device might not be the person who consents.
  if (grants.includes(DEVICE_GRANT)) add('/grant_types', `must not include ${DEVICE_GRANT}`);
  // FAPI 2.0 Security Profile §5.3.2.2: users authenticate at the authorization server.
  if (client.in_app_login) add('/in_app_login', 'must be false');
  if (grants.includes('refresh_token') && client.refresh_token_policy !== 'fixed') {
    add('/refresh_token_policy', 'must be fixed');
  }
  for (const [index, uri] of client.redirect_uris.entries()) {
    const isPlain = client.kind !== 'native' && uri.startsWith('http:');
    if (isPlain) add(`/redirect_uris/${index}`, 'must begin with https://');
  }
  return flaws;
}

/** Rejects keys whose signatures would be rejected. */
function flawsOfKeys({ jwks }: ClientFields): FieldError[] {
  return (jwks?.keys ?? []).flatMap(({ alg }, index) =>
    alg === WEAK_ALGORITHM
      ? [
          {
            path: `/jwks/keys/${index}/alg`,
            message: 'must not be RS256 under the profile fapi2',
          },
        ]
      : [],
  );
}

/** Checks that OAuth clients can use the tenant. Agents are not affected. @throws AppError OAUTH_OFF */
export function requireOAuth({ config }: Pick<Tenant, 'config'>, fail: Fail<'OAUTH_OFF'>): void {
  if (!config.oauth_enabled) fail('OAUTH_OFF');
}
