import type { Fail, FieldError } from '@keywright/contract/errors';
import {
  ASSERTION_GRANT,
  DEVICE_GRANT,
  EXCHANGE_GRANT,
} from '@keywright/contract/records/client-grants';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';
import { isCommonPermission, isOpenIdScope } from '@keywright/contract/scopes';
import type { Egress } from '../../../platform/egress/egress.ts';
import { type Tenant, WEAK_ALGORITHM, isUnderFapi2 } from '../../../tenancy/tenant.ts';

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
    add('/token_endpoint_auth_method', `cannot be ${authentication}: it cannot keep secrets`);
  }
  if (kind === 'spa' && authentication === 'private_key_jwt') {
    add('/token_endpoint_auth_method', 'must be none: it cannot keep secrets');
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
  if (keySources > 1) add('/jwks_uri', 'cannot be combined with jwks');
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
    if (uri !== null && !isPage(uri)) add(`/${name}`, 'must be the https URL of a page');
  }
  if (hasBrowser && client.redirect_uris.length === 0) {
    add('/redirect_uris', 'must have at least one URL');
  }
  // Native apps only: the client sees passwords, and in a web page so do other scripts.
  if (client.in_app_login && !(client.first_party && kind === 'native' && hasBrowser)) {
    add('/in_app_login', 'requires a native client with first_party and authorization_code');
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
    const grantNames = ['authorization_code', DEVICE_GRANT, ...PROVEN_GRANTS].join(', ');
    add('/grant_types', `must include one of ${grantNames}`);
  }
  if (authentication === 'none') {
    for (const grant of proven) {
      add('/grant_types', `cannot include ${grant}: the client does not authenticate`);
    }
  }
  if (grants.includes('client_credentials') !== (signals !== 'none')) {
    add(
      '/shared_signals',
      'requires the grant client_credentials, which is only used for shared signals',
    );
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
    if (isPlain) add(`/redirect_uris/${index}`, 'must start with https://');
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

/** http to the loopback address, with its port: RFC 8252 §7.3. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?<port>:\d{1,5})?(?=\/|$)/;
/** A reversed domain: RFC 8252 §7.1. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/;

/**
 * Returns why an address cannot be a redirect URI. @returns undefined if it can
 *
 * Only addresses in the form that browsers write are allowed: parsers disagree about other forms.
 */
export function objectionToRedirectUri(uri: string, kind: Kind): string | undefined {
  if (uri.includes('#')) return 'must not have a fragment';
  // Some servers treat `*` as a pattern.
  if (uri.includes('*')) return 'must not contain *: URLs are compared character by character';
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || url.username !== '' || url.password !== '') {
    return 'must be a URL without a user name';
  }
  if (url.href !== uri && url.href !== `${uri}/`) {
    return `must be written as ${JSON.stringify(url.href)}`;
  }
  if (url.protocol === 'https:' || LOOPBACK.test(uri)) return undefined;
  if (kind !== 'native')
    return 'must start with https://, or with http://localhost, http://127.0.0.1 or http://[::1]';
  return PRIVATE_SCHEME.test(uri)
    ? undefined
    : 'must start with https://, http://localhost, http://127.0.0.1 or http://[::1], or have a scheme that contains a dot';
}

/**
 * Whether a request names a registered address. Addresses are compared character by character (RFC 9700 §4.1.3),
 * except the port of the loopback address, which the operating system assigns to a native client (RFC 8252 §7.3).
 */
export function matchesRedirectUri(
  registered: readonly string[],
  kind: Kind,
  requested: string,
): boolean {
  if (registered.includes(requested)) return true;
  if (kind !== 'native') return false;
  const address = withoutPort(requested);
  return address !== undefined && registered.some((uri) => withoutPort(uri) === address);
}

/** Whether the URI is http to the loopback address, on any port. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/**
 * Returns the destination of a redirect URI as users know it: the origin of an https address, the loopback address on
 * any port, or the app that has the scheme.
 */
export function redirectOriginOf(uri: string): string {
  if (isLoopback(uri)) return 'http://localhost';
  const { origin, protocol } = new URL(uri);
  return protocol === 'https:' ? origin : protocol;
}

/** Returns a loopback http URI without its port; undefined for any other URI. */
function withoutPort(uri: string): string | undefined {
  const found = LOOPBACK.exec(uri);
  if (!found || objectionToRedirectUri(uri, 'native') !== undefined) return undefined;
  const { port = '' } = found.groups ?? {};
  const start = found[0].length;
  return uri.slice(0, start - port.length) + uri.slice(start);
}

/** The fields with addresses that the service calls. */
const CALLED = ['backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri'] as const;

/** Rejects addresses that can never be called. Host names are resolved at each call. */
export function requireCallable(
  egress: Pick<Egress, 'findObjection'>,
  client: Partial<Pick<OAuthClientRecord, (typeof CALLED)[number]>>,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = CALLED.flatMap((name): FieldError[] => {
    const objection = objectionTo(egress, client[name] ?? undefined);
    const message = `cannot be called. ${objection}`;
    return objection === undefined ? [] : [{ path: `/${name}`, message }];
  });
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/**
 * OpenID Connect Back-Channel Logout §2.2: the URI must not have a fragment, since an HTTP request cannot contain it.
 */
function objectionTo(
  egress: Pick<Egress, 'findObjection'>,
  uri: string | undefined,
): string | undefined {
  if (uri === undefined) return undefined;
  return uri.includes('#') ? 'It must not have a fragment.' : egress.findObjection(uri)?.detail;
}

/**
 * The address of a client's metadata document, which is its ID (draft-ietf-oauth-client-id-metadata-document §3).
 * @returns undefined unless the text is such an address, written as browsers write it
 */
export function documentAddress(named: string): URL | undefined {
  if (!named.startsWith('https://') || named.length > 512 || !URL.canParse(named)) return undefined;
  const url = new URL(named);
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  // Parsing resolves dot segments and normalizes hosts, so a text that differs from the result is not an ID.
  const isExact = url.href === named && !/[?#@\\]|%2e/i.test(named);
  const isHost = !url.hostname.endsWith('.');
  return isBare && isExact && isHost && url.pathname !== '/' ? url : undefined;
}

/** Whether clients at this host are allowed to log in users of the tenant. */
export function isHostListed(
  { oauth_client_domains: domains }: Pick<TenantConfig, 'oauth_client_domains'>,
  { hostname }: URL,
): boolean {
  return domains.includes(hostname);
}

type Policy = Pick<TenantConfig, 'oauth_metadata_documents' | 'oauth_client_domains'>;

/** Whether the tenant's policy allows a client: registered clients always, documents depending on their address. */
export function isAllowed(config: Policy, id: string): boolean {
  if (!id.startsWith('https://')) return true;
  const url = documentAddress(id);
  if (!url || config.oauth_metadata_documents === 'off') return false;
  return config.oauth_metadata_documents === 'any' || isHostListed(config, url);
}
