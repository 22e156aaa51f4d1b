import { type AccessTokenClaims, CLOCK_SKEW_SECONDS, TOKEN_TYP } from '@keywright/contract/claims';
import { epochSeconds } from '../../../platform/clock.ts';
import { parseToken, signatureIsValid } from '../../../platform/crypto/jws.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { KeyRing } from '../signing-keys/index.ts';
import { areAccessTokenClaims } from './access-token.ts';

/** What is wrong with a token, whatever its grants say. */
type TokenFlaw =
  | 'token_malformed'
  | 'token_tenant_mismatch'
  | 'signature_invalid'
  | 'token_type_mismatch'
  | 'token_audience_mismatch'
  | 'token_expired';

/** The claims of a genuine access token of the tenant, and what is wrong with the token nevertheless. */
interface Inspected {
  readonly claims?: AccessTokenClaims;
  readonly flaw?: TokenFlaw;
}

/** Inspects a token for a caller who may know why it is invalid. The result never authenticates anybody. */
export type InspectToken = (tenant: Tenant, token: string, now: Date) => Promise<Inspected>;

export function createInspectToken(keys: KeyRing): InspectToken {
  return async (tenant, token, now) => {
    const parsed = parseToken(token);
    if (!parsed) return { flaw: 'token_malformed' };
    const { claims } = parsed;
    if (claims['tenant_id'] !== tenant.id) return { flaw: 'token_tenant_mismatch' };
    const key = await keys.verifier(tenant.id, parsed.kid);
    if (!key || !signatureIsValid(parsed, key)) return { flaw: 'signature_invalid' };
    if (parsed.typ !== TOKEN_TYP.access || !areAccessTokenClaims(claims)) {
      return { flaw: 'token_type_mismatch' };
    }
    if (claims.iss !== tenant.issuer || claims.aud !== tenant.audience) {
      return { claims, flaw: 'token_audience_mismatch' };
    }
    const isOver = claims.exp + CLOCK_SKEW_SECONDS <= epochSeconds(now);
    return isOver ? { claims, flaw: 'token_expired' } : { claims };
  };
}
