import type { Tenant } from './tenant.ts';

/** FAPI 2.0 Security Profile §5.4.1: RSASSA-PKCS1-v1_5 is not among its algorithms. */
export const WEAK_ALGORITHM = 'RS256';

type Configured = { readonly config: Pick<Tenant['config'], 'oauth_profile'> };

/** Whether the FAPI 2.0 Security Profile holds for everything of a tenant. */
export function isUnderFapi2({ config }: Configured): boolean {
  return config.oauth_profile === 'fapi2';
}

/** Whether DPoP proofs need a nonce of the service (RFC 9449 §8). */
export function demandsNonces({
  config,
}: Configured & { readonly config: Pick<Tenant['config'], 'oauth_dpop_nonces'> }): boolean {
  return config.oauth_dpop_nonces || isUnderFapi2({ config });
}
