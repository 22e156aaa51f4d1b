import type { AccessTokenClaims } from '@keywright/contract/claims';
import { fail } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { AccessTokens } from '../../tokens/access-tokens/index.ts';
import { grantsOf, type IsAlive } from '../../tokens/grants/index.ts';
import { ifGood } from './find-active.ts';
import { areAlive } from './service.ts';

/** The claims of an access token that the tenant issued, to whomever and for whatever audience, and that has not expired. */
export type FindIssued = (tenant: Tenant, token: string) => Promise<AccessTokenClaims | undefined>;

/** Whether such a token is usable now. */
export type IsUsable = (claims: AccessTokenClaims) => Promise<boolean>;

/** For the clients of a token, and never to authenticate anybody. */
export function createFindIssued(
  tokens: AccessTokens,
  isAlive: IsAlive,
  clock: Clock,
): { readonly findIssued: FindIssued; readonly isUsable: IsUsable } {
  return {
    findIssued: (tenant, token) =>
      ifGood(() => tokens.verifyIssued(tenant, token, clock.now(), fail)),
    isUsable: (claims) => areAlive(grantsOf(claims), isAlive),
  };
}
