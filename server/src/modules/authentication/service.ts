import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { fail as failWith } from '@keywright/contract/errors';
import type { Clock } from '../../platform/clock.ts';
import type { Authenticate } from '../../tenancy/router.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { grantsOf, type IsAlive } from '../grants/index.ts';
import type { AccessTokens } from '../tokens/index.ts';
import { callerOf } from './caller-of.ts';

/** Accepts a token that verifies and whose grants are all alive. */
export type VerifyCredential = (
  tenant: Tenant,
  token: string,
  fail: Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>,
) => Promise<AccessTokenClaims>;

export function createVerifyCredential(
  tokens: AccessTokens,
  isAlive: IsAlive,
  clock: Clock,
): VerifyCredential {
  return async (tenant, token, fail) => {
    const claims = await tokens.verify(tenant, token, clock.now(), fail);
    const grants = grantsOf(claims);
    const alive = await Promise.all(grants.map(isAlive));
    return alive.length > 0 && alive.every(Boolean) ? claims : fail('TOKEN_INVALID');
  };
}

/** Who calls, as the router asks it for every route that needs a caller. */
export function createAuthenticate(verify: VerifyCredential): Authenticate {
  return async (tenant, token, from) => {
    const claims = await verify(tenant, token, failWith);
    return callerOf(claims, from) ?? failWith('TOKEN_INVALID');
  };
}
