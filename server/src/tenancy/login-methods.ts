// The login methods that a tenant's settings make available.

import { isIP } from 'node:net';
import type { Tenant } from './tenant.ts';

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
