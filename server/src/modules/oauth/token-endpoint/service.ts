import { AppError, type Fail } from '@keywright/contract/errors';
import { parseOAuthClientId } from '@keywright/contract/ids';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { chooseTarget, type FindResources } from '../resources/index.ts';
import type { TokenEndpointRequest, IssueToken, Refuse } from './request.ts';
import type { Client } from './client.ts';
import { type ClientGrantDependencies, issueToClient } from './client-grant.ts';
import { readClient, type TokenRequest } from './client-proof.ts';
import { type ActFor, LONGEST_DELEGATED_SECONDS } from './delegated.ts';
import type { Identify } from './identify.ts';
import { boundTo } from './bound-to.ts';
import { type Mint, ownSubject } from './mint.ts';
import { noteDenied, noteIssued } from './audit.ts';
import { refuseField, requireAccessTokenWanted } from './exchange-parameters.ts';
import { grantScopes, grantScopesAt } from './scope.ts';

interface Dependencies extends ClientGrantDependencies {
  readonly identify: Identify;
  readonly actFor: ActFor;
  readonly mint: Mint;
  readonly codeGrant: IssueToken;
  readonly refreshGrant: IssueToken;
  readonly deviceGrant: IssueToken;
  readonly applicationExchange: IssueToken;
  readonly assertionGrant: IssueToken;
  readonly findResources: FindResources;
}

const EXCHANGED = { issued_token_type: TOKEN_TYPE.accessToken };

export function createIssueToken(dependencies: Dependencies): IssueToken {
  const { identify, codeGrant, refreshGrant, deviceGrant } = dependencies;
  const exchange = createExchange(dependencies);
  const { applicationExchange, assertionGrant } = dependencies;

  const grants = new Map<string, IssueToken>([
    [GRANT_TYPE.authorizationCode, codeGrant],
    [GRANT_TYPE.refreshToken, refreshGrant],
    [GRANT_TYPE.deviceCode, deviceGrant],
    [
      GRANT_TYPE.clientCredentials,
      async (request, fail) =>
        isByApplication(request, fail)
          ? issueToClient(dependencies, request, await identify.application(request, fail), fail)
          : issueOwn(dependencies, request, await identify.client(request, fail), fail),
    ],
    [
      GRANT_TYPE.tokenExchange,
      (request, fail) =>
        isByApplication(request, fail)
          ? applicationExchange(request, fail)
          : exchange(request, fail),
    ],
    [
      GRANT_TYPE.jwtBearer,
      async (request, fail) => {
        if (isByApplication(request, fail)) return assertionGrant(request, fail);
        const token = request.parameters.assertion ?? refuseField('assertion', 'is required', fail);
        const client = await identify.workload(request, token, 'GRANT_INVALID', fail);
        return issueOwn(dependencies, request, client, fail);
      },
    ],
  ]);

  return async (request, fail) => {
    const { tenant, parameters } = request;
    const { grant_type: type, authorization_details: details } = parameters;
    if (type !== GRANT_TYPE.tokenExchange) requireOwn(tenant, parameters.audience, fail);
    const grant = grants.get(type) ?? fail('GRANT_TYPE_UNSUPPORTED');
    if (details !== undefined && !mayHaveDetails(request, fail)) {
      fail('AUTHORIZATION_DETAILS_INVALID');
    }
    return grant(request, fail);
  };
}

/**
 * Only users allow something in particular, on a page of their own browser: not an agent, nor an identity provider, and
 * not whoever types the code of a device.
 */
function mayHaveDetails(request: TokenEndpointRequest, fail: Refuse): boolean {
  const { grant_type: type, requested_token_type: wanted } = request.parameters;
  if (type === GRANT_TYPE.tokenExchange) {
    return wanted !== TOKEN_TYPE.idJag && isByApplication(request, fail);
  }
  return type === GRANT_TYPE.authorizationCode || type === GRANT_TYPE.refreshToken;
}

/** Whether a request with a grant of agents, too, is one of an application. */
function isByApplication(
  { parameters, authorization }: TokenEndpointRequest,
  fail: Refuse,
): boolean {
  const { clientId } = readClient(parameters, authorization, fail);
  return parseOAuthClientId(clientId) !== undefined;
}

/** A token of an agent for itself. */
async function issueOwn(
  { mint, notes, findResources }: Dependencies,
  { tenant, parameters, from, key }: TokenEndpointRequest,
  client: Client,
  fail: Refuse,
): Promise<ClientTokenAnswer> {
  const { scope, resource: asked } = parameters;
  const target = await chooseTarget(findResources, tenant, undefined, asked, fail);
  const scopes = target
    ? grantScopesAt(target, client.scopes, scope, fail)
    : grantScopes(client.scopes, scope, fail);
  const jkt = await boundTo(key, target?.isDpopRequired === true, fail);
  const subject = { ...ownSubject(tenant, client, scopes), jkt };
  const answer = await mint(tenant, subject, tenant.config.session_timeout, target);
  noteIssued(notes, tenant, client, from);
  return answer;
}

/**
 * RFC 8693 §2: exchanges the token of a workload for one of its agent, or that of a user for one that acts for them.
 */
function createExchange(dependencies: Dependencies): IssueToken {
  const { identify, actFor, mint, notes } = dependencies;
  return async (request, fail) => {
    const { tenant, parameters, from, key } = request;
    requireOwn(tenant, parameters.audience, fail);
    const { subject_token_type: type, scope } = parameters;
    const subject = parameters.subject_token ?? refuseField('subject_token', 'is required', fail);
    requireAccessTokenWanted(parameters, fail);
    if (type === TOKEN_TYPE.jwt || type === TOKEN_TYPE.idToken) {
      const client = await identify.workload(request, subject, 'EXCHANGE_REFUSED', fail);
      return { ...(await issueOwn(dependencies, request, client, fail)), ...EXCHANGED };
    }
    if (type !== TOKEN_TYPE.accessToken && type !== TOKEN_TYPE.delegation) {
      return refuseField(
        'subject_token_type',
        `must be one of ${Object.values(TOKEN_TYPE).join(', ')}`,
        fail,
      );
    }
    // What a user delegated is for the tenant itself.
    requireOwn(tenant, parameters.resource, fail);
    const client = await identify.client(request, fail);
    const wanted = { subject, type, scope, from };
    const acting = await actFor(tenant, client, wanted, fail).catch((error: unknown) => {
      if (error instanceof AppError) noteDenied(notes, tenant, client, from, error);
      throw error;
    });
    const bound = { ...acting, jkt: await boundTo(key, false, fail) };
    const longest = Math.min(LONGEST_DELEGATED_SECONDS, tenant.config.session_timeout);
    return { ...(await mint(tenant, bound, longest)), ...EXCHANGED };
  };
}

/** RFC 8693 §2.1: a token that is not for a resource is for the audience of the tenant. */
function requireOwn(
  { audience, issuer }: Tenant,
  asked: TokenRequest['audience'],
  fail: Fail<'TARGET_INVALID'>,
): void {
  const targets = [asked ?? []].flat();
  if (!targets.every((target) => target === audience || target === issuer)) fail('TARGET_INVALID');
}
