import type { AccessTokenClaims, CredentialClaims } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { fail as failWith } from '@keywright/contract/errors';
import type { Clock } from '../../platform/clock.ts';
import type { Authenticate } from '../../tenancy/router.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { type ApiKeys, looksLikeApiKey } from '../api-keys/index.ts';
import { grantsOf, type IsAlive } from '../grants/index.ts';
import type { AccessTokens } from '../tokens/index.ts';
import { callerOf } from './caller-of.ts';

type Refuse = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>;

/** Accepts a token that verifies and whose grants are all alive. */
export type VerifyToken = (
  tenant: Tenant,
  token: string,
  fail: Refuse,
) => Promise<AccessTokenClaims>;

export function createVerifyToken(
  tokens: AccessTokens,
  isAlive: IsAlive,
  clock: Clock,
): VerifyToken {
  return async (tenant, token, fail) => {
    const claims = await tokens.verify(tenant, token, clock.now(), fail);
    const grants = grantsOf(claims);
    const alive = await Promise.all(grants.map(isAlive));
    return alive.length > 0 && alive.every(Boolean) ? claims : fail('TOKEN_INVALID');
  };
}

/** Accepts a token as above, or an API key that is good, wherever it is presented from. */
export type VerifyCredential = (
  tenant: Tenant,
  credential: string,
  fail: Refuse,
) => Promise<CredentialClaims>;

export function createVerifyCredential(verify: VerifyToken, keys: ApiKeys): VerifyCredential {
  return async (tenant, credential, fail) =>
    looksLikeApiKey(credential)
      ? ((await keys.findClaims(tenant, credential)) ?? fail('TOKEN_INVALID'))
      : verify(tenant, credential, fail);
}

/** Who calls, as the router asks it for every route that needs a caller. */
export function createAuthenticate(verify: VerifyToken, keys: ApiKeys): Authenticate {
  return async (tenant, credential, from) => {
    if (looksLikeApiKey(credential)) {
      return (await keys.authenticate(tenant, credential, from)) ?? failWith('TOKEN_INVALID');
    }
    const claims = await verify(tenant, credential, failWith);
    return callerOf(claims, from) ?? failWith('TOKEN_INVALID');
  };
}
