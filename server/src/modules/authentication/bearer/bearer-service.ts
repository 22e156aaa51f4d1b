import {
  type AccessTokenClaims,
  type CredentialClaims,
  DIRECT_CLIENT,
} from '@keywright/contract/claims';
import { AppError, type ErrorCode, type Fail, fail as failWith } from '@keywright/contract/errors';
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
import { type ApiKeys, looksLikeApiKey } from '../../machines/agents/index.ts';
import type { AccessTokens, Dpop } from '../../tokens/access-tokens/index.ts';
import { grantsOf, type Liveness } from '../../tokens/grants/index.ts';

type Refuse = Fail<'TOKEN_INVALID' | 'TENANT_MISMATCH'>;

/** Verifies access tokens and API keys. */
export class BearerService {
  readonly #tokens: AccessTokens;
  readonly #apiKeys: ApiKeys;
  readonly #dpop: Dpop;
  readonly #liveness: Liveness;
  readonly #clock: Clock;

  constructor(
    tokens: AccessTokens,
    apiKeys: ApiKeys,
    dpop: Dpop,
    liveness: Liveness,
    clock: Clock,
  ) {
    this.#tokens = tokens;
    this.#apiKeys = apiKeys;
    this.#dpop = dpop;
    this.#liveness = liveness;
    this.#clock = clock;
  }

  /** Authenticates the caller of a route. */
  async authenticate(
    tenant: Tenant,
    credential: Parameters<Authenticate>[1],
    from: Origin,
  ): ReturnType<Authenticate> {
    const { token, scheme } = credential;
    if (looksLikeApiKey(token)) {
      const agent = scheme === 'bearer' && (await this.#apiKeys.authenticate(tenant, token, from));
      return { claimed: agent || failWith('TOKEN_INVALID'), alive: undefined };
    }
    const claims = await this.readClaims(tenant, token, failWith);
    const alive = this.#startLivenessCheck(claims);
    const claimed = callerOf(claims, from) ?? failWith('TOKEN_INVALID');
    // The DPoP proof was accepted when the request first used it, and cannot be used again.
    if (credential.isAgain) return { claimed, alive };
    const bound = this.#dpop.requireBinding(tenant, claims, credential, failWith);
    return { claimed, alive: bound ? bothOf(bound, alive) : alive };
  }

  /** Verifies a token. The caller must check whether its grants are active. */
  readClaims(tenant: Tenant, token: string, fail: Refuse): Promise<AccessTokenClaims> {
    return this.#tokens.verify(tenant, token, this.#clock.now(), fail);
  }

  /** Verifies a token and requires all of its grants to be active. */
  async verifyToken(tenant: Tenant, token: string, fail: Refuse): Promise<AccessTokenClaims> {
    const claims = await this.readClaims(tenant, token, fail);
    return (await this.isUsable(claims)) ? claims : fail('TOKEN_INVALID');
  }

  /**
   * Returns the claims of a currently valid token or API key. The reason for a rejection is not reported (RFC 7662
   * §2.2).
   */
  findActive(tenant: Tenant, credential: string): Promise<CredentialClaims | undefined> {
    return unlessInvalid(async () => {
      if (!looksLikeApiKey(credential)) return this.verifyToken(tenant, credential, failWith);
      const claims = await this.#apiKeys.findClaims(tenant, credential);
      return claims ?? failWith('TOKEN_INVALID');
    });
  }

  /**
   * Returns the claims of an unexpired token that the tenant issued to any client and for any audience. They describe
   * the token to its client, and must never authenticate a caller.
   */
  findIssued(tenant: Tenant, token: string): Promise<AccessTokenClaims | undefined> {
    return unlessInvalid(() =>
      this.#tokens.verifyIssued(tenant, token, this.#clock.now(), failWith),
    );
  }

  /** Whether all grants that a verified token depends on are alive. */
  async isUsable(claims: Parameters<typeof grantsOf>[0]): Promise<boolean> {
    const alive = await Promise.all(grantsOf(claims).map(this.#liveness.isAlive));
    return alive.length > 0 && alive.every(Boolean);
  }

  /** A caller that awaits the check sees its failure. An unawaited failure is ignored. */
  #startLivenessCheck(claims: AccessTokenClaims): Promise<boolean> {
    const alive = this.isUsable(claims);
    alive.catch(() => undefined);
    return alive;
  }
}

/** Combines both checks: the caller sees the failure of either. An unawaited failure is ignored. */
function bothOf(bound: Promise<void>, alive: Promise<boolean>): Promise<boolean> {
  const both = Promise.all([alive, bound]).then(([isAlive]) => isAlive);
  both.catch(() => undefined);
  return both;
}

const NOT_ACTIVE: ReadonlySet<ErrorCode> = new Set(['TOKEN_INVALID', 'TENANT_MISMATCH']);

/** @returns undefined if the credential is rejected */
async function unlessInvalid<Claims>(verify: () => Promise<Claims>): Promise<Claims | undefined> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof AppError && NOT_ACTIVE.has(error.code)) return undefined;
    throw error;
  }
}

/** The caller that a verified token identifies; undefined if its claims are inconsistent. */
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
  // An application that exchanged another application's token also has `act`.
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
