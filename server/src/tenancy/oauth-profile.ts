import type { Tenant } from './tenant.ts';

/** The FAPI 2.0 Security Profile does not allow RSASSA-PKCS1-v1_5 (§5.4.1). */
export const WEAK_ALGORITHM = 'RS256';

type Configured = { readonly config: Pick<Tenant['config'], 'oauth_profile'> };

/** Whether the FAPI 2.0 Security Profile applies to the whole tenant. */
export function isUnderFapi2({ config }: Configured): boolean {
  return config.oauth_profile === 'fapi2';
}

/** Whether DPoP proofs need a nonce issued by the service (RFC 9449 §8). */
export function demandsNonces({
  config,
}: Configured & { readonly config: Pick<Tenant['config'], 'oauth_dpop_nonces'> }): boolean {
  return config.oauth_dpop_nonces || isUnderFapi2({ config });
}
