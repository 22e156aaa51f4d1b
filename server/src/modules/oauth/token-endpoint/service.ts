import { AppError, type Fail } from '@keywright/contract/errors';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import { chooseTarget, type FindResources } from '../resources/index.ts';
import type { TokenEndpointRequest, IssueToken, Refuse } from './request.ts';
import type { Client } from './client.ts';
import type { TokenRequest } from './client-proof.ts';
import { type ActFor, LONGEST_DELEGATED_SECONDS } from './delegated.ts';
import type { Identify } from './identify.ts';
import { boundTo } from './bound-to.ts';
import { type Mint, ownSubject } from './mint.ts';
import { noteDenied, noteIssued } from './audit.ts';
import { grantScopes, grantScopesAt } from './scope.ts';

interface Dependencies {
  readonly identify: Identify;
  readonly actFor: ActFor;
  readonly mint: Mint;
  readonly notes: Notes;
  readonly codeGrant: IssueToken;
  readonly refreshGrant: IssueToken;
  readonly deviceGrant: IssueToken;
  readonly findResources: FindResources;
}

const EXCHANGED = { issued_token_type: TOKEN_TYPE.accessToken };

export function createIssueToken(dependencies: Dependencies): IssueToken {
  const { identify, codeGrant, refreshGrant, deviceGrant } = dependencies;
  const exchange = createExchange(dependencies);

  const grants = new Map<string, IssueToken>([
    [GRANT_TYPE.authorizationCode, codeGrant],
    [GRANT_TYPE.refreshToken, refreshGrant],
    [GRANT_TYPE.deviceCode, deviceGrant],
    [
      GRANT_TYPE.clientCredentials,
      async (request, fail) =>
        issueOwn(dependencies, request, await identify.client(request, fail), fail),
    ],
    [GRANT_TYPE.tokenExchange, exchange],
    [
      GRANT_TYPE.jwtBearer,
      async (request, fail) => {
        const token = request.parameters.assertion ?? refuseField('assertion', 'is required', fail);
        const client = await identify.workload(request, token, 'GRANT_INVALID', fail);
        return issueOwn(dependencies, request, client, fail);
      },
    ],
  ]);

  return async (request, fail) => {
    const { tenant, parameters } = request;
    requireOwn(tenant, parameters.audience, fail);
    const grant = grants.get(parameters.grant_type) ?? fail('GRANT_TYPE_UNSUPPORTED');
    return grant(request, fail);
  };
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

function requireAccessTokenWanted(parameters: TokenRequest, fail: Fail<'VALIDATION_FAILED'>): void {
  const { requested_token_type: wanted = TOKEN_TYPE.accessToken } = parameters;
  if (wanted !== TOKEN_TYPE.accessToken && wanted !== TOKEN_TYPE.jwt) {
    refuseField(
      'requested_token_type',
      `must be ${TOKEN_TYPE.accessToken} or ${TOKEN_TYPE.jwt}`,
      fail,
    );
  }
}

function refuseField(name: string, message: string, fail: Fail<'VALIDATION_FAILED'>): never {
  return fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message }] });
}
