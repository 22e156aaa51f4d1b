import { type AccessTokenClaims, type ActorClaim, MAX_ACTORS } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import { parseDelegationId, parseOAuthClientId, parseUserId } from '@keywright/contract/ids';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { intersectScopes } from '@keywright/contract/scopes';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type Acting, findActing, type Given } from '../../machines/agents/index.ts';
import { record } from '../../events/journal/index.ts';
import { countActors } from '../../tokens/grants/index.ts';
import { customClaimsOf } from '../../tokens/sessions/index.ts';
import type { Client } from './client.ts';
import type { Unmarked } from './mint.ts';
import { findGoodClaims } from './presented-token.ts';
import { clientActor } from './audit.ts';
import { grantScopes } from './scope.ts';

/** Maximum lifetime of a delegated token, whatever the tenant's setting is. */
export const LONGEST_DELEGATED_SECONDS = 15 * 60;

type Refuse = Fail<'EXCHANGE_REFUSED' | 'DELEGATION_REQUIRED' | 'SCOPE_INVALID'>;

/** The request of an agent to act for a user. */
interface Wanted {
  /** A token of the user, or the id of their delegation, according to `type`. */
  readonly subject: string;
  readonly type: typeof TOKEN_TYPE.accessToken | typeof TOKEN_TYPE.delegation;
  readonly scope: string | undefined;
  readonly from: Origin;
}

/** Decides the contents of a token with which an agent acts for a user (RFC 8693 §2, §4.1). */
export type ActFor = (
  tenant: Tenant,
  client: Client,
  wanted: Wanted,
  fail: Refuse,
) => Promise<Unmarked>;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly bearer: BearerService;
}

export function createActFor(dependencies: Dependencies): ActFor {
  const { gate } = dependencies;
  return async (tenant, client, wanted, fail) => {
    const { subject, type } = wanted;
    const claims =
      type === TOKEN_TYPE.accessToken
        ? await readSubject(dependencies, tenant, subject, fail)
        : undefined;
    const given = (claims ? givenBy(claims) : namedBy(subject)) ?? fail('DELEGATION_REQUIRED');
    const { acting, scopes } = await gate
      .into(tenant.id)
      .transaction((tx) => decide(tx, client, given, claims, wanted, fail));
    return {
      sub: acting.user_id,
      workspaceId: claims?.workspace_id ?? acting.workspace_id,
      roles: [],
      scopes,
      grant: {
        client_id: client.agentId,
        ver: acting.access_version,
        act: actorClaim(acting, client, claims?.act),
      },
      grantEndsAt: earliest(acting.expires_at, client.endsAt, claims && endOf(claims)),
      customClaims: await customClaimsOf(gate, tenant, acting.user_id),
    };
  };
}

/** Finds the delegation, decides its scopes, and records it: no token without an audit entry. */
async function decide(
  tx: TenantTx,
  client: Client,
  given: Given,
  claims: AccessTokenClaims | undefined,
  { scope, from }: Wanted,
  fail: Fail<'DELEGATION_REQUIRED' | 'SCOPE_INVALID'>,
) {
  const acting = (await findActing(tx, client.agentId, given)) ?? fail('DELEGATION_REQUIRED');
  const scopes = grantScopes(commonScopes(acting, client, claims), scope, fail);
  if (scopes.length === 0) fail('SCOPE_INVALID', NOTHING_IN_COMMON);
  await record(tx, clientActor(client, from), {
    action: 'auth.token_exchanged',
    target: { kind: 'user', id: acting.user_id },
    details: { delegation_id: acting.id, scopes, ...client.grounds },
  });
  return { acting, scopes };
}

const NOTHING_IN_COMMON = {
  detail: 'The user, the agent and the delegation have no scope in common.',
};

/** The user's own token, or one with which another agent already acts for them. */
async function readSubject(
  { clock, bearer }: Dependencies,
  tenant: Tenant,
  token: string,
  fail: Fail<'EXCHANGE_REFUSED'>,
): Promise<AccessTokenClaims> {
  const claims = await findGoodClaims(bearer, tenant, token);
  const isOver = claims && endOf(claims) <= clock.now();
  const isUsers = claims && parseUserId(claims.sub) && !isImpersonation(claims) && !isOfApp(claims);
  if (!isUsers || isOver) {
    return fail('EXCHANGE_REFUSED', { internal: 'subject_token' });
  }
  if (countActors(claims.act) >= MAX_ACTORS) {
    fail('EXCHANGE_REFUSED', { detail: `A chain of delegation has at most ${MAX_ACTORS} agents.` });
  }
  return claims;
}

function endOf({ exp }: AccessTokenClaims): Date {
  return new Date(exp * 1000);
}

/** An impersonation token does not belong to a user of this tenant, so no agent may act for its subject. */
function isImpersonation({ act, sid }: AccessTokenClaims): boolean {
  return act ? act.delegation_id === undefined : sid === undefined;
}

/** What a user consented to for an application is not for an agent too. */
function isOfApp({ client_id: clientId }: AccessTokenClaims): boolean {
  return parseOAuthClientId(clientId) !== undefined;
}

function givenBy({ sub }: AccessTokenClaims): Given | undefined {
  const by = parseUserId(sub);
  return by && { by };
}

function namedBy(text: string): Given | undefined {
  const id = parseDelegationId(text);
  return id && { id };
}

/** The current permissions that all parties have in common: no token grants more than one of them has. */
function commonScopes(
  acting: Acting,
  client: Client,
  claims: AccessTokenClaims | undefined,
): readonly string[] {
  return [
    acting.user_scopes,
    acting.agent_scopes,
    client.scopes,
    ...(claims ? [claims.scopes] : []),
  ].reduce<readonly string[]>(intersectScopes, acting.scopes);
}

/** The newest actor outermost, previous ones nested. */
function actorClaim(acting: Acting, client: Client, before: ActorClaim | undefined): ActorClaim {
  return {
    sub: client.agentId,
    delegation_id: acting.id,
    ...(client.keyId === undefined ? {} : { key_id: client.keyId }),
    ver: acting.access_version,
    ...(before === undefined ? {} : { act: before }),
  };
}

function earliest(...dates: readonly (Date | undefined)[]): Date {
  return new Date(Math.min(...dates.map((date) => date?.getTime() ?? Infinity)));
}
