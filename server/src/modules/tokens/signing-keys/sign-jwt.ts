import type { TenantId } from '@keywright/contract/ids';
import type { KeyAlgorithm } from '@keywright/contract/records/signing-key';
import { signToken, unsignedToken } from '../../../platform/crypto/jws.ts';
import { signByOpenssl } from '../../../platform/crypto/openssl-key.ts';
import type { ApplicationKeys } from './application-keys.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * What applications get, and verify with the key set. It is none of the service's own tokens: an access token is for a
 * resource, which its audience says.
 */
interface ForApplications {
  readonly alg: KeyAlgorithm;
  readonly typ:
    | 'JWT'
    | 'logout+jwt'
    | 'token-introspection+jwt'
    | 'at+jwt'
    | 'oauth-id-jag+jwt'
    | 'secevent+jwt';
  readonly claims: object;
}

/** Signs a JWT with the tenant's key of that algorithm. */
export type SignJwt = (tenantId: TenantId, jwt: ForApplications) => Promise<string>;

export function createSignJwt(ring: KeyRing, others: ApplicationKeys): SignJwt {
  return async (tenantId, { alg, typ, claims }) => {
    if (alg === 'EdDSA') return signToken(await ring.signer(tenantId), typ, claims);
    const { kid, privateKey } = await others.signer(tenantId, alg);
    const input = unsignedToken({ alg, typ, kid }, claims);
    const signature = await signByOpenssl(alg, privateKey, Buffer.from(input));
    return `${input}.${signature.toString('base64url')}`;
  };
}
