import {
  type AccessTokenClaims,
  DIRECT_CLIENT,
  type CredentialClaims,
} from '@keywright/contract/claims';
import { type Fail, fail as failWith, AppError, type ErrorCode } from '@keywright/contract/errors';
import {
  DEFAULT_TENANT,
  parseAgentId,
  parseOAuthClientId,
  parseUserId,
} from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Authenticate } from '../../../tenancy/authorization.ts';
import type { Caller, Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { SYSTEM_ADMIN } from '../../identity/roles/index.ts';
import { type ApiKeys, looksLikeApiKey } from '../../machines/api-keys/index.ts';
import type { AccessTokens, Dpop } from '../../tokens/access-tokens/index.ts';
import { type Grant, grantsOf, type IsAlive } from '../../tokens/grants/index.ts';

/** The caller that a verified token identifies; undefined when its claims are inconsistent. */
export function callerOf(claims: AccessTokenClaims, from: Origin): Caller | undefined {
  const { sub, act, sid, scopes, roles, tenant_id: tenantId } = claims;
  const credential = { scopes, roles, from, claims, isSystemAdministrator: false };
  const agentId = parseAgentId(sub);
  if (agentId) return { ...credential, kind: 'agent', subject: agentId, keyId: claims.key_id };
  const userId = parseUserId(sub);
  if (!userId) return undefined;
  if (act?.delegation_id !== undefined) {
    const delegate = parseAgentId(act.sub);
    return delegate && { ...credential, kind: 'delegate', subject: userId, agentId: delegate };
  }
  if (sid === undefined) return undefined;
  // An application that exchanged the token of another one has `act`, too.
  if (claims.client_id !== DIRECT_CLIENT) {
    const clientId = parseOAuthClientId(claims.client_id);
    return clientId && { ...credential, kind: 'app', subject: userId, clientId, sessionId: sid };
  }
  if (act) return { ...credential, kind: 'impersonator', subject: userId, sessionId: sid };
  return {
    ...credential,
    kind: 'user',
    subject: userId,
    sessionId: sid,
    isSystemAdministrator: tenantId === DEFAULT_TENANT && roles.includes(SYSTEM_ADMIN),
  };
}

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
type ReadToken = (
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
async function areAlive(grants: readonly Grant[], isAlive: IsAlive): Promise<boolean> {
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
type VerifyCredential = (
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

const NOT_ACTIVE: ReadonlySet<ErrorCode> = new Set(['TOKEN_INVALID', 'TENANT_MISMATCH']);

/** The claims of a credential, if it is valid now. The reason is not reported (RFC 7662 §2.2). */
export type FindActive = (
  tenant: Tenant,
  credential: string,
) => Promise<CredentialClaims | undefined>;

export function createFindActive(verify: VerifyCredential): FindActive {
  return (tenant, credential) => ifGood(() => verify(tenant, credential, failWith));
}

/** What is verified; undefined when it is rejected. */
async function ifGood<Claims>(verify: () => Promise<Claims>): Promise<Claims | undefined> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AppError && NOT_ACTIVE.has(error.code)) return undefined;
    throw error;
  }
}

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
      ifGood(() => tokens.verifyIssued(tenant, token, clock.now(), failWith)),
    isUsable: (claims) => areAlive(grantsOf(claims), isAlive),
  };
}
