import { isIP } from 'node:net';
import type { Tenant } from '../../../tenancy/tenant.ts';

/** What the passkeys of a tenant are bound to. */
export interface RelyingParty {
  /** A domain. */
  readonly id: string;
  /** Of the pages and apps that may use them. */
  readonly origins: readonly string[];
}

type Named = Pick<Tenant, 'issuer' | 'config'>;

const known = new WeakMap<Tenant['config'], Map<string, RelyingParty | undefined>>();

/** Undefined: browsers have no passkeys for such an issuer, which is an IP address or not secure. */
export function relyingPartyOf({ issuer, config }: Named): RelyingParty | undefined {
  let byIssuer = known.get(config);
  if (!byIssuer) known.set(config, (byIssuer = new Map()));
  if (!byIssuer.has(issuer)) byIssuer.set(issuer, partyOf({ issuer, config }));
  return byIssuer.get(issuer);
}

/** Whether a login may begin with one. */
export function offersPasskeys(tenant: Named): boolean {
  return (
    tenant.config.allowed_login_methods.includes('passkey') && relyingPartyOf(tenant) !== undefined
  );
}

function partyOf({ issuer, config }: Named): RelyingParty | undefined {
  const { passkey_rp_id: named, passkey_origins: others } = config;
  const { hostname, origin } = new URL(issuer);
  const origins = [...(isSecure(issuer) ? [origin] : []), ...others];
  const id = named ?? hostname;
  const isDomain = isIP(id.replaceAll(/^\[|\]$/g, '')) === 0;
  return isDomain && origins.length > 0 ? { id, origins } : undefined;
}

/** Whether browsers treat it as secure (W3C Secure Contexts §3.1). */
function isSecure(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}
