import type { Fail } from '@keywright/contract/errors';
import type { OutsideToken } from '../../../platform/crypto/outside-jws.ts';
import { isUnderFapi2, WEAK_ALGORITHM } from '../../../tenancy/oauth-profile.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';

/** FAPI 2.0 Security Profile §5.3.2.1 items 6 and 8, §5.4.1: why an assertion does not authenticate a client. */
export function fapi2Objection(
  { issuer }: Pick<Tenant, 'issuer'>,
  { alg, claims }: Pick<OutsideToken, 'alg' | 'claims'>,
): string | undefined {
  if (alg === WEAK_ALGORITHM) return 'fapi2: alg';
  return claims['aud'] === issuer ? undefined : 'fapi2: aud';
}

const UNPROVEN = {
  detail: 'Under the profile fapi2 each token is bound to a key: a DPoP proof is required.',
  internal: 'fapi2: no proof',
};

/** FAPI 2.0 Security Profile §5.3.2.1 item 4: whatever the grant, there is no bearer token. */
export function requireProofUnderFapi2(
  tenant: Tenant,
  key: ProvenKey | undefined,
  fail: Fail<'DPOP_INVALID'>,
): void {
  if (!key && isUnderFapi2(tenant)) fail('DPOP_INVALID', UNPROVEN);
}
