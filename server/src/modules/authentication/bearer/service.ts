import type { AccessTokenClaims, CredentialClaims } from '@keywright/contract/claims';
import { type Fail, fail as failWith } from '@keywright/contract/errors';
import type { Clock } from '../../../platform/clock.ts';
import type { Authenticate } from '../../../tenancy/authorization.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type ApiKeys, looksLikeApiKey } from '../../machines/api-keys/index.ts';
import { type Grant, grantsOf, type IsAlive } from '../../tokens/grants/index.ts';
import type { AccessTokens, Dpop } from '../../tokens/access-tokens/index.ts';
import { callerOf } from './caller-of.ts';

type Refuse = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>;

/** Accepts a token that verifies, whether or not its grants are alive. Whoever uses it checks that. */
export type ReadClaims = (
  tenant: Tenant,
  token: string,
  fail: Refuse,
) => Promise<AccessTokenClaims>;

export function createReadClaims(tokens: AccessTokens, clock: Clock): ReadClaims {
  return (tenant, token, fail) => tokens.verify(tenant, token, clock.now(), fail);
}

/** Accepts a token that verifies, and starts the check that all its grants are alive. */
export type ReadToken = (
  tenant: Tenant,
  token: string,
  fail: Refuse,
) => Promise<{ readonly claims: AccessTokenClaims; readonly alive: Promise<boolean> }>;

export function createReadToken(readClaims: ReadClaims, isAlive: IsAlive): ReadToken {
  return async (tenant, token, fail) => {
    const claims = await readClaims(tenant, token, fail);
    const alive = areAlive(grantsOf(claims), isAlive);
    // A caller that continues awaits it and sees the failure. Others ignore it.
    alive.catch(() => undefined);
    return { claims, alive };
  };
}

/** Whether a token that verified is alive: all that it depends on. */
export async function areAlive(grants: readonly Grant[], isAlive: IsAlive): Promise<boolean> {
  const alive = await Promise.all(grants.map(isAlive));
  return alive.length > 0 && alive.every(Boolean);
}

/** Accepts a token that verifies and whose grants are all alive. */
export type VerifyToken = (
  tenant: Tenant,
  token: string,
  fail: Refuse,
) => Promise<AccessTokenClaims>;

export function createVerifyToken(read: ReadToken): VerifyToken {
  return async (tenant, token, fail) => {
    const { claims, alive } = await read(tenant, token, fail);
    return (await alive) ? claims : fail('TOKEN_INVALID');
  };
}

/** Accepts such a token, or a valid API key that may be used from this address. */
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

/** Authentication for every route that requires a caller. */
export function createAuthenticate(read: ReadToken, keys: ApiKeys, dpop: Dpop): Authenticate {
  return async (tenant, credential, from) => {
    const { token, scheme } = credential;
    if (looksLikeApiKey(token)) {
      const agent = scheme === 'bearer' && (await keys.authenticate(tenant, token, from));
      return { claimed: agent || failWith('TOKEN_INVALID'), alive: undefined };
    }
    const { claims, alive } = await read(tenant, token, failWith);
    const claimed = callerOf(claims, from) ?? failWith('TOKEN_INVALID');
    // Its proof was accepted with the request, and is spent.
    if (credential.isAgain) return { claimed, alive };
    const bound = dpop.requireBinding(tenant, claims, credential, failWith);
    return { claimed, alive: bound ? bothOf(bound, alive) : alive };
  };
}

/** The caller sees whichever fails; others ignore it. */
function bothOf(bound: Promise<void>, alive: Promise<boolean>): Promise<boolean> {
  const both = Promise.all([alive, bound]).then(([isAlive]) => isAlive);
  both.catch(() => undefined);
  return both;
}
