import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { GRANT_TYPE, TOKEN_TYPE, type issueToken } from '@keywright/contract/routes/token';
import type { Call } from '../../../tenancy/call.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { AgentExchange } from './agent-exchange.ts';
import type { AuthorizationCodeGrant } from './authorization-code-grant.ts';
import type { ClientAuthentication } from './client-authentication.ts';
import type { ClientCredentialsGrant } from './client-credentials-grant.ts';
import {
  type RefuseGrant,
  type TokenRequest,
  isFromOAuthClient,
  requireParameter,
  requireProofUnderFapi2,
  requireTenantAudience,
} from './token-request.ts';
import type { DeviceCodeGrant } from './device-code-grant.ts';
import type { IdentityAssertionGrant } from './identity-assertion-grant.ts';
import type { RefreshTokenGrant } from './refresh-token-grant.ts';
import type { TokenExchangeGrant } from './token-exchange.ts';

type TokenCall = Pick<Call<typeof issueToken>, 'tenant' | 'body' | 'headers' | 'from' | 'proof'>;

/** The token endpoint (RFC 6749 §3.2), with one grant for each `grant_type`. */
export class TokenEndpoint {
  readonly #dpop: Dpop;
  readonly #authentication: ClientAuthentication;
  readonly #authorizationCode: AuthorizationCodeGrant;
  readonly #refreshToken: RefreshTokenGrant;
  readonly #deviceCode: DeviceCodeGrant;
  readonly #clientCredentials: ClientCredentialsGrant;
  readonly #tokenExchange: TokenExchangeGrant;
  readonly #agentExchange: AgentExchange;
  readonly #identityAssertion: IdentityAssertionGrant;

  constructor(
    dpop: Dpop,
    authentication: ClientAuthentication,
    authorizationCode: AuthorizationCodeGrant,
    refreshToken: RefreshTokenGrant,
    deviceCode: DeviceCodeGrant,
    clientCredentials: ClientCredentialsGrant,
    tokenExchange: TokenExchangeGrant,
    agentExchange: AgentExchange,
    identityAssertion: IdentityAssertionGrant,
  ) {
    this.#dpop = dpop;
    this.#authentication = authentication;
    this.#authorizationCode = authorizationCode;
    this.#refreshToken = refreshToken;
    this.#deviceCode = deviceCode;
    this.#clientCredentials = clientCredentials;
    this.#tokenExchange = tokenExchange;
    this.#agentExchange = agentExchange;
    this.#identityAssertion = identityAssertion;
  }

  /** The handler of the routes. */
  readonly issue = async (
    { tenant, body: parameters, headers, from, proof }: TokenCall,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> => {
    const key = await this.#dpop.prove(tenant, proof, fail);
    const request = { tenant, parameters, authorization: headers.authorization, from, key };
    const { grant_type: type, authorization_details: details } = parameters;
    requireProofUnderFapi2(tenant, key, fail);
    if (type !== GRANT_TYPE.tokenExchange) requireTenantAudience(tenant, parameters.audience, fail);
    if (!SUPPORTED.has(type)) fail('GRANT_TYPE_UNSUPPORTED');
    if (details !== undefined && !mayHaveDetails(request, fail)) {
      fail('AUTHORIZATION_DETAILS_INVALID');
    }
    switch (type) {
      case GRANT_TYPE.authorizationCode:
        return this.#authorizationCode.issue(request, fail);
      case GRANT_TYPE.refreshToken:
        return this.#refreshToken.issue(request, fail);
      case GRANT_TYPE.deviceCode:
        return this.#deviceCode.issue(request, fail);
      case GRANT_TYPE.clientCredentials:
        return this.#clientCredentials.issue(request, fail);
      case GRANT_TYPE.tokenExchange:
        return isFromOAuthClient(request, fail)
          ? this.#tokenExchange.issue(request, fail)
          : this.#agentExchange.issue(request, fail);
      default:
        return isFromOAuthClient(request, fail)
          ? this.#identityAssertion.issue(request, fail)
          : this.#issueToWorkload(request, fail);
    }
  };

  /** RFC 7523 §2.1: exchanges the token of an issuer that the agent trusts for a token of the agent. */
  async #issueToWorkload(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    const token = request.parameters.assertion ?? requireParameter('assertion', fail);
    const agent = await this.#authentication.workload(request, token, 'GRANT_INVALID', fail);
    return this.#clientCredentials.issueToAgent(request, agent, fail);
  }
}

const SUPPORTED: ReadonlySet<string> = new Set(Object.values(GRANT_TYPE));

/**
 * Whether the grant can have authorization details, which only users grant, on a page in their own browser. An agent,
 * an identity provider, and the person who types a device code cannot grant them.
 */
function mayHaveDetails(request: TokenRequest, fail: RefuseGrant): boolean {
  const { grant_type: type, requested_token_type: requested } = request.parameters;
  if (type === GRANT_TYPE.tokenExchange) {
    return requested !== TOKEN_TYPE.idJag && isFromOAuthClient(request, fail);
  }
  return type === GRANT_TYPE.authorizationCode || type === GRANT_TYPE.refreshToken;
}
