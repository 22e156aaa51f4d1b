import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { MessageChannel } from '@keywright/contract/messages';
import type { PublicProvider } from '@keywright/contract/records/identity-provider';
import type { TenantConfig } from '@keywright/contract/records/tenant';

/** The number of a tenant's users whose passwords were hashed elsewhere, while there are any. */
export interface ForeignHashes {
  /** Base64. Determines which unknown identifiers get responses as slow as those of such users. */
  readonly key: string;
  /** Users with a password. */
  readonly total: number;
  /** Number of users by hash scheme. */
  readonly schemes: Readonly<Record<string, number>>;
  readonly counted_at: string;
}

/** An active identity provider. */
interface LoadedProvider extends Omit<PublicProvider, 'tenant_id'> {
  /** Email domains whose users can log in only at this provider. */
  readonly captures?: readonly string[];
  /** Whether two factors at the provider count as two factors here. */
  readonly trusts_mfa?: boolean;
}

/** The tenant of a request. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly config: TenantConfig;
  /** `iss` of the tenant's tokens: fixed, never taken from a request. */
  readonly issuer: string;
  /** `aud` of the tenant's access tokens. */
  readonly audience: string;
  readonly isActive: boolean;
  /** Whether email can be sent for the tenant, by its own mail server or the service's. */
  readonly sendsMail: boolean;
  readonly foreignHashes: ForeignHashes | undefined;
  /** The active identity providers. */
  readonly providers: readonly LoadedProvider[];
}

const MAX_DOMAIN = 253;
const MAX_LABEL = 63;
/** Rejects characters that a URL parser would truncate, drop or decode, so that two texts would be the same host. */
const NAME = /^(?:[\w.-]|\P{ASCII})+$/u;

/**
 * Returns a host name in its normalized form: without port and trailing dot, lowercase, punycode.
 * @returns undefined if it is not a host name
 */
export function normalizeDomain(host: string): string | undefined {
  const name = host
    .trim()
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '');
  if (name === '' || name.length > MAX_DOMAIN) return undefined;
  if (name.startsWith('[')) return normalizeAddress(name);
  if (!NAME.test(name)) return undefined;
  const ascii = domainToASCII(name).toLowerCase();
  // 127.1 and 0x7f.1 are spellings of the address 127.0.0.1, not its normal form.
  if (isIPv4(ascii) && ascii !== name) return undefined;
  const isName = ascii.length <= MAX_DOMAIN && ascii.split('.').every(isLabel);
  return isName ? ascii : undefined;
}

/** RFC 1035 §2.3.4. */
function isLabel(text: string): boolean {
  return text !== '' && text.length <= MAX_LABEL;
}

/** An IPv6 address in brackets, in the normal form of URLs. */
function normalizeAddress(name: string): string | undefined {
  const isAddress = name.endsWith(']') && !name.includes('%') && isIPv6(name.slice(1, -1));
  return isAddress ? new URL(`http://${name}`).hostname : undefined;
}

/** Returns the issuer's path for a path of the host. */
export function pathAtIssuer({ issuer }: Tenant, path: string): `/${string}` {
  const { pathname } = new URL(issuer);
  const base = pathname === '/' ? '' : pathname;
  return `/${`${base}${path}`.slice(1)}`;
}

/**
 * Requires a login to be at the issuer's origin: cookies and passwords of another origin would be outside the tenant's
 * control.
 * @throws AppError ISSUER_ELSEWHERE
 */
export function requireIssuer(
  { issuer }: Tenant,
  { host, params }: { readonly host: string; readonly params: object },
  fail: Fail<'ISSUER_ELSEWHERE'>,
): void {
  const issuerUrl = new URL(issuer);
  const tenantId = 'tenant_id' in params ? String(params.tenant_id) : undefined;
  const path = tenantId === undefined ? '/' : `/t/${tenantId}`;
  const isThere =
    issuerUrl.pathname === path && [issuerUrl.host, issuerUrl.hostname].includes(host);
  if (!isThere) fail('ISSUER_ELSEWHERE');
}

// The login methods that a tenant's settings make available.

/** The domain that a tenant's passkeys are bound to, and the origins that can use them. */
export interface RelyingParty {
  /** A domain. */
  readonly id: string;
  /** The pages and apps that can use the passkeys. */
  readonly origins: readonly string[];
}

type PasskeySettings = Pick<Tenant, 'issuer' | 'config'>;

const parties = new WeakMap<Tenant['config'], Map<string, RelyingParty | undefined>>();

/** Returns undefined if browsers support no passkeys for the issuer: it is an IP address, or not secure. */
export function relyingPartyOf({ issuer, config }: PasskeySettings): RelyingParty | undefined {
  let byIssuer = parties.get(config);
  if (!byIssuer) parties.set(config, (byIssuer = new Map()));
  if (!byIssuer.has(issuer)) byIssuer.set(issuer, partyOf({ issuer, config }));
  return byIssuer.get(issuer);
}

function partyOf({ issuer, config }: PasskeySettings): RelyingParty | undefined {
  const { passkey_rp_id: domain, passkey_origins: others } = config;
  const { hostname, origin } = new URL(issuer);
  const origins = [...(isSecure(issuer) ? [origin] : []), ...others];
  const id = domain ?? hostname;
  const isDomain = isIP(id.replaceAll(/^\[|\]$/g, '')) === 0;
  return isDomain && origins.length > 0 ? { id, origins } : undefined;
}

/** Whether browsers treat the address as secure (W3C Secure Contexts §3.1). */
function isSecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** Whether a login can start with a passkey. */
export function offersPasskeys(tenant: PasskeySettings): boolean {
  return (
    tenant.config.allowed_login_methods.includes('passkey') && relyingPartyOf(tenant) !== undefined
  );
}

/** Whether a login can start at an identity provider. */
export function offersUpstream({
  config,
  providers,
}: Pick<Tenant, 'config' | 'providers'>): boolean {
  return config.allowed_login_methods.includes('oauth') && providers.length > 0;
}

/** Returns the channel of messages to an identifier. The local part of an address can also start with a plus. */
export function channelOf(identifier: string): MessageChannel {
  return /^\+[0-9]+$/.test(identifier) ? 'sms' : 'email';
}

/**
 * Whether messages to the identifier could reach a user. `.localhost` has no owner and no mail exchanger (RFC 6761
 * §6.3).
 */
export function isDeliverable(identifier: string): boolean {
  return !/[@.]localhost$/.test(identifier);
}

/** Whether text messages can be sent: countries are set only then. */
export function sendsSms(config: Pick<TenantConfig, 'sms_countries'>): boolean {
  return config.sms_countries.length > 0;
}

/** Returns the channels that a tenant can send messages by. */
export function channelsOf({ sendsMail, config }: Pick<Tenant, 'sendsMail' | 'config'>) {
  return [
    ...(sendsMail ? (['email'] as const) : []),
    ...(sendsSms(config) ? (['sms'] as const) : []),
  ];
}

/** Returns the location that a secret of the messaging settings is sealed for. */
export function messagingPlace(tenantId: TenantId, group: string, field: string): string {
  return `tenants/${tenantId}/messaging/${group}/${field}`;
}

/** The FAPI 2.0 Security Profile does not allow RSASSA-PKCS1-v1_5 (§5.4.1). */
export const WEAK_ALGORITHM = 'RS256';

type Configured = { readonly config: Pick<Tenant['config'], 'oauth_profile'> };

/** Whether the FAPI 2.0 Security Profile applies to the whole tenant. */
export function isUnderFapi2({ config }: Configured): boolean {
  return config.oauth_profile === 'fapi2';
}

/** Whether DPoP proofs need a nonce issued by the service (RFC 9449 §8). */
export function requiresNonces({
  config,
}: Configured & { readonly config: Pick<Tenant['config'], 'oauth_dpop_nonces'> }): boolean {
  return config.oauth_dpop_nonces || isUnderFapi2({ config });
}
