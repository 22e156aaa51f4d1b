import type { AccessTokenClaims } from '@keywright/contract/claims';
import { AppError, fail } from '@keywright/contract/errors';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';

/**
 * The claims of an access token of the tenant that is valid now; undefined for any other. One that is bound to a key is no
 * proof of anything without a proof by that key, and there is none here.
 */
export async function findGoodClaims(
  bearer: BearerService,
  tenant: Tenant,
  token: string,
): Promise<AccessTokenClaims | undefined> {
  try {
    const claims = await bearer.verifyToken(tenant, token, fail);
    return claims.cnf ? undefined : claims;
  } catch (error) {
    const isRefused = error instanceof AppError && REFUSALS.includes(error.code);
    if (isRefused) return undefined;
    throw error;
  }
}

const REFUSALS: readonly AppError['code'][] = ['TOKEN_INVALID', 'TENANT_MISMATCH'];
