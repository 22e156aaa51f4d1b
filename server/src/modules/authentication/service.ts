import type { AccessTokenClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { fail as failWith } from '@keywright/contract/errors';
import { DEFAULT_TENANT, type UserId } from '@keywright/contract/ids';
import type { Clock } from '../../platform/clock.ts';
import type { Authenticate } from '../../tenancy/router.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { SYSTEM_ADMIN } from '../roles/index.ts';
import type { IsAlive } from '../sessions/index.ts';
import type { AccessTokens } from '../tokens/index.ts';

/** Accepts a token that verifies and whose session is alive. */
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
    // The session of a visiting administrator is one of their own tenant.
    const home = claims.act?.tenant_id ?? tenant.id;
    const session = { tenantId: home, sessionId: claims.sid, version: claims.ver };
    return (await isAlive(session)) ? claims : fail('TOKEN_INVALID');
  };
}

/** Who calls, as the router asks it for every route that needs a caller. */
export function createAuthenticate(verify: VerifyCredential): Authenticate {
  return async (tenant, token) => {
    const claims = await verify(tenant, token, failWith);
    return {
      userId: claims.sub as UserId,
      sessionId: claims.sid,
      roles: claims.roles,
      scopes: claims.scopes,
      isSystemAdministrator: tenant.id === DEFAULT_TENANT && claims.roles.includes(SYSTEM_ADMIN),
      isVisiting: claims.act !== undefined,
      claims,
    };
  };
}
