import { type AccessTokenClaims, type ActorClaim, MAX_ACTORS } from '@keywright/contract/claims';
import { AppError, type Fail } from '@keywright/contract/errors';
import { parseDelegationId, parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { intersectScopes } from '@keywright/contract/scopes';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { Core } from '../../../tenancy/module.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import { type Acting, type DelegationSelector, findActing } from '../../machines/agents/index.ts';
import { countActors } from '../../tokens/grants/index.ts';
import { customClaimsOf } from '../../tokens/sessions/index.ts';
import { agentActor, type ClientAuthentication } from './client-authentication.ts';
import { type AuthenticatedAgent, findUsableClaims } from './agent-verification.ts';
import type { ClientCredentialsGrant } from './client-credentials-grant.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  choosePermissions,
  refuseParameter,
  requireAccessTokenRequested,
  requireParameter,
  requireTenantAudience,
} from './token-request.ts';
import type { AccessTokenMint, NewTokenSubject } from './token-response.ts';

/** Maximum lifetime of a delegated token, regardless of the tenant's setting. */
export const LONGEST_DELEGATED_SECONDS = 15 * 60;

const EXCHANGED = { issued_token_type: TOKEN_TYPE.accessToken };

/** A user's token, or the ID of the user's delegation. */
type DelegatedType = typeof TOKEN_TYPE.accessToken | typeof TOKEN_TYPE.delegation;

/**
 * RFC 8693 §2 for agents: exchanges a workload's token for a token of its agent, or a user's token for one with
 * which an agent acts for the user.
 */
export class AgentExchange implements Grant {
  readonly #core: Core;
  readonly #authentication: ClientAuthentication;
  readonly #clientCredentials: ClientCredentialsGrant;
  readonly #bearer: BearerService;
  readonly #mint: AccessTokenMint;
  readonly #notes: Notes;

  constructor(
    core: Core,
    authentication: ClientAuthentication,
    clientCredentials: ClientCredentialsGrant,
    bearer: BearerService,
    mint: AccessTokenMint,
    notes: Notes,
  ) {
    this.#core = core;
    this.#authentication = authentication;
    this.#clientCredentials = clientCredentials;
    this.#bearer = bearer;
    this.#mint = mint;
    this.#notes = notes;
  }

  async issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    const { tenant, parameters } = request;
    requireTenantAudience(tenant, parameters.audience, fail);
    const { subject_token_type: type } = parameters;
    const token = parameters.subject_token ?? requireParameter('subject_token', fail);
    requireAccessTokenRequested(parameters, fail);
    if (type === TOKEN_TYPE.jwt || type === TOKEN_TYPE.idToken) {
      const agent = await this.#authentication.workload(request, token, 'EXCHANGE_REFUSED', fail);
      const response = await this.#clientCredentials.issueToAgent(request, agent, fail);
      return { ...response, ...EXCHANGED };
    }
    if (type !== TOKEN_TYPE.accessToken && type !== TOKEN_TYPE.delegation) {
      return refuseParameter(
        'subject_token_type',
        `must be one of ${Object.values(TOKEN_TYPE).join(', ')}`,
        fail,
      );
    }
    // Delegated permissions are for the tenant itself.
    requireTenantAudience(tenant, parameters.resource, fail);
    return this.#issueDelegated(request, { token, type }, fail);
  }

  async #issueDelegated(
    request: TokenRequest,
    subjectToken: { readonly token: string; readonly type: DelegatedType },
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> {
    const { tenant, from, key } = request;
    const agent = await this.#authentication.agent(request, fail);
    const subject = await this.#delegatedSubject(request, agent, subjectToken, fail).catch(
      (error: unknown) => {
        if (error instanceof AppError) {
          this.#notes.note(tenant.id, agentActor(agent, from), {
            action: 'auth.token_exchanged',
            target: { kind: 'agent', id: agent.agentId },
            outcome: 'denied',
            details: { code: error.code },
          });
        }
        throw error;
      },
    );
    const bound = { ...subject, jkt: await bindToKey(key, false, fail) };
    const longest = Math.min(LONGEST_DELEGATED_SECONDS, tenant.config.session_timeout);
    return { ...(await this.#mint.mint(tenant, bound, longest)), ...EXCHANGED };
  }

  /** Returns the subject of a token with which the agent acts for a user (RFC 8693 §2, §4.1). */
  async #delegatedSubject(
    request: TokenRequest,
    agent: AuthenticatedAgent,
    { token, type }: { readonly token: string; readonly type: DelegatedType },
    fail: RefuseGrant,
  ): Promise<NewTokenSubject> {
    const { tenant } = request;
    const claims =
      type === TOKEN_TYPE.accessToken
        ? await this.#readSubjectToken(tenant, token, fail)
        : undefined;
    const named = (claims ? byUser(claims) : byDelegation(token)) ?? fail('DELEGATION_REQUIRED');
    const { acting, scopes } = await this.#core.gate
      .into(tenant.id)
      .transaction((tx) => decideDelegation(tx, request, agent, named, claims, fail));
    return {
      sub: acting.user_id,
      workspaceId: claims?.workspace_id ?? acting.workspace_id,
      roles: [],
      scopes,
      grant: {
        client_id: agent.agentId,
        ver: acting.access_version,
        act: actorClaim(acting, agent, claims?.act),
      },
      grantEndsAt: earliest(acting.expires_at, agent.endsAt, claims && endOf(claims)),
      customClaims: await customClaimsOf(this.#core.gate, tenant, acting.user_id),
    };
  }

  /** Returns the claims of the user's own token, or of a token with which another agent already acts for the user. */
  async #readSubjectToken(
    tenant: Tenant,
    token: string,
    fail: Fail<'EXCHANGE_REFUSED'>,
  ): Promise<AccessTokenClaims> {
    const claims = await findUsableClaims(this.#bearer, tenant, token);
    const isOver = claims && endOf(claims) <= this.#core.clock.now();
    const isUsers =
      claims && parseUserId(claims.sub) && !isImpersonation(claims) && !isOfOAuthClient(claims);
    if (!isUsers || isOver) {
      return fail('EXCHANGE_REFUSED', { internal: 'subject_token' });
    }
    if (countActors(claims.act) >= MAX_ACTORS) {
      fail('EXCHANGE_REFUSED', {
        detail: `A delegation chain has at most ${MAX_ACTORS} agents.`,
      });
    }
    return claims;
  }
}

/** Finds the delegation, decides its scopes, and records the exchange, so that every token has an audit entry. */
async function decideDelegation(
  tx: TenantTx,
  { parameters, from }: TokenRequest,
  agent: AuthenticatedAgent,
  named: DelegationSelector,
  claims: AccessTokenClaims | undefined,
  fail: Fail<'DELEGATION_REQUIRED' | 'SCOPE_INVALID'>,
) {
  const acting = (await findActing(tx, agent.agentId, named)) ?? fail('DELEGATION_REQUIRED');
  const scopes = choosePermissions(commonScopes(acting, agent, claims), parameters.scope, fail);
  if (scopes.length === 0) fail('SCOPE_INVALID', NOTHING_IN_COMMON);
  await record(tx, agentActor(agent, from), {
    action: 'auth.token_exchanged',
    target: { kind: 'user', id: acting.user_id },
    details: { delegation_id: acting.id, scopes, ...agent.grounds },
  });
  return { acting, scopes };
}

const NOTHING_IN_COMMON = {
  detail: 'The user, the agent and the delegation share no scope.',
};

function endOf({ exp }: AccessTokenClaims): Date {
  return new Date(exp * 1000);
}

/** An impersonation token does not belong to a user of this tenant, so an agent cannot act for its subject. */
function isImpersonation({ act, sid }: AccessTokenClaims): boolean {
  return act ? act.delegation_id === undefined : sid === undefined;
}

/** A user's consent to a client does not extend to agents. */
function isOfOAuthClient({ client_id: clientId }: AccessTokenClaims): boolean {
  return parseOAuthClientId(clientId) !== undefined;
}

function byUser({ sub }: AccessTokenClaims): DelegationSelector | undefined {
  const by = parseUserId(sub);
  return by && { by };
}

function byDelegation(text: string): DelegationSelector | undefined {
  const id = parseDelegationId(text);
  return id && { id };
}

/** Returns the current permissions that all parties share: a token never grants more than any of them has. */
function commonScopes(
  acting: Acting,
  agent: AuthenticatedAgent,
  claims: AccessTokenClaims | undefined,
): readonly string[] {
  return [
    acting.user_scopes,
    acting.agent_scopes,
    agent.scopes,
    ...(claims ? [claims.scopes] : []),
  ].reduce<readonly string[]>(intersectScopes, acting.scopes);
}

/** Returns the actors, the newest outermost and previous ones nested. */
function actorClaim(
  acting: Acting,
  agent: AuthenticatedAgent,
  before: ActorClaim | undefined,
): ActorClaim {
  return {
    sub: agent.agentId,
    delegation_id: acting.id,
    ...(agent.keyId === undefined ? {} : { key_id: agent.keyId }),
    ver: acting.access_version,
    ...(before === undefined ? {} : { act: before }),
  };
}

function earliest(...dates: readonly (Date | undefined)[]): Date {
  return new Date(Math.min(...dates.map((date) => date?.getTime() ?? Infinity)));
}
