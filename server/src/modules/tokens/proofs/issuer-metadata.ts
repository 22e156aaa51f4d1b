import type { Egress } from '../../../platform/egress/egress.ts';
import { type Call, fetchJson, fetchKeySet } from './key-set.ts';
import type { FetchedKeys } from './remote-keys.ts';

/** Far above what issuers have. */
const MAX_KEYS = 50;

/**
 * Fetches the public keys of an issuer by OpenID Connect Discovery §4. Its document has to name the very issuer that
 * was asked for, or one issuer could speak for another. Neither call follows a redirect.
 */
export async function fetchIssuerKeys(
  egress: Egress,
  issuer: string,
  call: Call,
): Promise<FetchedKeys> {
  const base = issuer.replace(/\/$/, '');
  const found = await fetchJson(egress, `${base}/.well-known/openid-configuration`, call);
  if (!found.json) return { refusal: `discovery: ${found.refusal}` };
  const { issuer: named, jwks_uri: address } = found.json;
  if (named !== issuer) return { refusal: 'discovery: another issuer' };
  if (typeof address !== 'string' || isDowngrade(issuer, address)) {
    return { refusal: 'discovery: jwks_uri' };
  }
  return fetchKeySet(egress, address, call, MAX_KEYS);
}

/** An https issuer has an https key set. */
function isDowngrade(issuer: string, address: string): boolean {
  return issuer.startsWith('https:') && !address.startsWith('https:');
}
