import { type AccessTokenClaims, type ActorClaim, MAX_ACTORS } from '@keywright/contract/claims';
import { AppError } from '@keywright/contract/errors';
import { EXCHANGE_GRANT } from '@keywright/contract/records/client-grants';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import type { Gate } from '../../../tenancy/gate.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import { findUsableRolesOf } from '../../identity/roles/index.ts';
import { customClaimsOf } from '../../tokens/sessions/index.ts';
import {
  commonScopes,
  type FindResources,
  isTooWeak,
  type KnownResources,
  OWN,
  type Resource,
  scopesAt,
  targetsNamed,
} from '../resources/index.ts';
import { requireField, requireGrant } from './application-answer.ts';
import type { Application } from './application.ts';
import { noteDeniedApplication } from './audit.ts';
import { boundTo, needsKey } from './bound-to.ts';
import { LONGEST_DELEGATED_SECONDS } from './delegated.ts';
import { chooseDetails } from './details.ts';
import {
  type AppSubject,
  appSubjectOf,
  chainWith,
  isBoundElsewhere,
  mayExchange,
} from './exchange-rules.ts';
import type { Identify } from './identify.ts';
import { type IssueDependencies, issueAssertion } from './issue-assertion.ts';
import type { Mint, Unmarked } from './mint.ts';
import { refuseField, requireAccessTokenWanted } from './exchange-parameters.ts';
import type { IssueToken, Refuse, TokenEndpointRequest } from './request.ts';
import { chooseScopes } from './scope.ts';
import { targetOf } from './target.ts';

interface Dependencies extends IssueDependencies {
  readonly identify: Identify;
  readonly bearer: BearerService;
  readonly findResources: FindResources;
  readonly mint: Mint;
  readonly notes: Notes;
}

/** An access token that the client may exchange, and who acts in the new one. */
interface Exchangeable {
  readonly claims: AccessTokenClaims;
  readonly subject: AppSubject;
  readonly act: ActorClaim | undefined;
}

/**
 * RFC 8693 §2: an application exchanges the access token of a user, its own or one that was sent to the service that it
 * is, for a narrower one for a resource. The new one depends on the session of the first; there is no refresh token.
 */
export function createApplicationExchange(dependencies: Dependencies): IssueToken {
  const { identify, notes } = dependencies;
  return async (request, fail) => {
    const client = await identify.application(request, fail);
    requireGrant(client, EXCHANGE_GRANT, fail);
    const isAssertion = request.parameters.requested_token_type === TOKEN_TYPE.idJag;
    const action = isAssertion ? 'auth.identity_asserted' : 'auth.token_exchanged';
    const issue = isAssertion ? issueAssertion : exchange;
    return issue(dependencies, request, client, fail).catch((error: unknown) => {
      if (error instanceof AppError) noteDeniedApplication(notes, request, client, action, error);
      throw error;
    });
  };
}

async function exchange(
  dependencies: Dependencies,
  request: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer> {
  const { gate, mint, noteClientUse } = dependencies;
  const { tenant, parameters, key } = request;
  requireAccessTokenWanted(parameters, fail);
  if (parameters.subject_token_type !== TOKEN_TYPE.accessToken) {
    refuseField('subject_token_type', `must be ${TOKEN_TYPE.accessToken}`, fail);
  }
  const resources = await dependencies.findResources(tenant.id);
  const resource = resourceAskedFor(request, resources, fail);
  const given = await read(dependencies, request, client, resources, fail);
  const { claims, subject, act } = given;
  // Exchanged for one without a key, a bound token would be worth stealing.
  const isBound = claims.cnf !== undefined || needsKey(tenant, client, resource);
  const jkt = await boundTo(key, isBound, fail);
  const { scopes, details } = await decide(gate, request, { client, given, resource }, fail);
  const { userId, sessionId } = subject;
  const unmarked = {
    sub: userId,
    workspaceId: claims.workspace_id,
    roles: [],
    scopes,
    grant: { sid: sessionId, client_id: client.id, ver: claims.ver, ...(act && { act }) },
    authentication: authenticationOf(claims),
    grantEndsAt: new Date(claims.exp * 1000),
    customClaims: await customClaimsOf(gate, tenant, userId),
    ...(details.length > 0 && { details }),
    jkt,
  };
  const longest = Math.min(LONGEST_DELEGATED_SECONDS, tenant.config.session_timeout);
  const answer = await mint(tenant, unmarked, longest, resource);
  noteClientUse(tenant.id, client.id);
  return { ...answer, issued_token_type: TOKEN_TYPE.accessToken };
}

/** The one resource that the new token is for: RFC 8693 §2.1 has two parameters for it. */
function resourceAskedFor(
  { tenant, parameters }: TokenEndpointRequest,
  resources: KnownResources,
  fail: Refuse,
): Resource {
  const uris = [parameters.resource ?? [], parameters.audience ?? []].flat();
  const [target = OWN, ...others] = targetsNamed(uris, tenant, resources) ?? [];
  const resource = target === OWN ? undefined : resources.named(target);
  const isOne = resource && others.length === 0 && !isTooWeak(tenant, resource);
  return isOne ? resource : fail('TARGET_INVALID', ONE_RESOURCE);
}

const ONE_RESOURCE = { detail: 'Name one resource of the tenant, as resource or audience.' };

/** @throws AppError EXCHANGE_REFUSED, which does not say what is wrong with the token */
async function read(
  { clock, bearer }: Dependencies,
  { tenant, parameters, key }: TokenEndpointRequest,
  client: Application,
  resources: KnownResources,
  fail: Refuse,
): Promise<Exchangeable> {
  const token = parameters.subject_token ?? requireField('subject_token', fail);
  const claims = await bearer.findIssued(tenant, token);
  const subject = claims && appSubjectOf(claims);
  const refuse = (internal: string) => fail('EXCHANGE_REFUSED', { internal });
  if (!subject || claims.exp * 1000 <= clock.now().getTime()) return refuse('subject_token');
  if (!mayExchange(claims, client.id, resources)) return refuse('subject_token_of_another');
  if (isBoundElsewhere(claims, client.id, key?.jkt)) return refuse('subject_token_bound');
  if (!(await bearer.isUsable(claims))) return refuse('subject_token_ended');
  const act = chainWith(claims, client.id);
  return act === 'full' ? fail('EXCHANGE_REFUSED', TOO_LONG) : { claims, subject, act };
}

const TOO_LONG = { detail: `At most ${MAX_ACTORS} may act one for another.` };

interface Decision {
  readonly client: Application;
  readonly given: Exchangeable;
  readonly resource: Resource;
}

/** What the new token may, recorded: no token without an audit entry. */
function decide(
  gate: Gate,
  { tenant, parameters, from }: TokenEndpointRequest,
  { client, given, resource }: Decision,
  fail: Refuse,
): Promise<Pick<Unmarked, 'scopes'> & Required<Pick<Unmarked, 'details'>>> {
  const { claims, subject } = given;
  const there = targetOf(resource).detailsFor(claims.authorization_details ?? []);
  const details = chooseDetails(client, there, parameters.authorization_details, fail);
  const { userId, sessionId, clientId } = subject;
  return gate.into(tenant.id).transaction(async (tx) => {
    const held = (await findUsableRolesOf(tx, userId)).flatMap((role) => role.scopes);
    const common = commonScopes(claims.scopes, client.scopes);
    const scopes = chooseScopes(scopesAt(resource, common, held), parameters.scope, fail);
    if (scopes.length === 0) fail('SCOPE_INVALID', NOTHING_IN_COMMON);
    const by = { kind: 'app', subject: userId, clientId: client.id, sessionId, from } as const;
    await record(tx, by, {
      action: 'auth.token_exchanged',
      target: { kind: 'user', id: userId },
      details: {
        subject_client_id: clientId,
        resource: resource.uri,
        scopes: [...scopes],
        ...(details.length > 0 && { authorization_details: details }),
      },
    });
    return { scopes, details };
  });
}

const NOTHING_IN_COMMON = {
  detail: 'The token, the application and the resource have no scope in common.',
};

function authenticationOf({ auth_time, acr, amr }: AccessTokenClaims) {
  return {
    ...(auth_time !== undefined && { auth_time }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
  };
}
