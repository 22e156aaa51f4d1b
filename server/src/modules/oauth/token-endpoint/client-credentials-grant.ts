import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { Notes } from '../../events/journal/index.ts';
import { tokenTypeOf } from '../../tokens/access-tokens/index.ts';
import type { LoadedClient } from '../clients/index.ts';
import type { ResourceDirectory } from '../resources/index.ts';
import { SIGNAL_SCOPES, type SignalScope, type SignalTokens } from '../signals/index.ts';
import { agentActor, type ClientAuthentication } from './client-authentication.ts';
import {
  type Grant,
  type RefuseGrant,
  type TokenRequest,
  bindToKey,
  choosePermissions,
  chooseScopesOfAgent,
  isFromOAuthClient,
  requireGrantType,
} from './token-request.ts';
import type { AuthenticatedAgent } from './agent-verification.ts';
import { type AccessTokenMint, agentSubject } from './token-response.ts';

/** RFC 6749 §4.4: issues a token to an agent or an OAuth client for itself. */
export class ClientCredentialsGrant implements Grant {
  readonly #authentication: ClientAuthentication;
  readonly #resources: ResourceDirectory;
  readonly #mint: AccessTokenMint;
  readonly #signalTokens: SignalTokens;
  readonly #notes: Notes;

  constructor(
    authentication: ClientAuthentication,
    resources: ResourceDirectory,
    mint: AccessTokenMint,
    signalTokens: SignalTokens,
    notes: Notes,
  ) {
    this.#authentication = authentication;
    this.#resources = resources;
    this.#mint = mint;
    this.#signalTokens = signalTokens;
    this.#notes = notes;
  }

  async issue(request: TokenRequest, fail: RefuseGrant): Promise<ClientTokenAnswer> {
    if (isFromOAuthClient(request, fail)) {
      return this.#issueToClient(request, await this.#authentication.client(request, fail), fail);
    }
    return this.issueToAgent(request, await this.#authentication.agent(request, fail), fail);
  }

  /** Issues a token with which an agent acts for itself, also after authenticating with another issuer's token. */
  async issueToAgent(
    { tenant, parameters, from, key }: TokenRequest,
    agent: AuthenticatedAgent,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> {
    const { scope, resource } = parameters;
    const target = await this.#resources.chooseTarget(tenant, undefined, resource, fail);
    const scopes = target
      ? chooseScopesOfAgent(target, agent.scopes, scope, fail)
      : choosePermissions(agent.scopes, scope, fail);
    const jkt = await bindToKey(key, target?.isDpopRequired === true, fail);
    const subject = { ...agentSubject(tenant, agent, scopes), jkt };
    const response = await this.#mint.mint(tenant, subject, tenant.config.session_timeout, target);
    this.#notes.note(tenant.id, agentActor(agent, from), {
      action: 'auth.token_issued',
      target: { kind: 'agent', id: agent.agentId },
      details: { ...agent.grounds },
    });
    return response;
  }

  /** Issues a token that an OAuth client can use only to manage its streams of shared signals. */
  async #issueToClient(
    { tenant, parameters, from, key }: TokenRequest,
    client: LoadedClient,
    fail: RefuseGrant,
  ): Promise<ClientTokenAnswer> {
    requireGrantType(client, 'client_credentials', fail);
    if (client.shared_signals === 'none') fail('CLIENT_UNAUTHORIZED');
    const requested = new Set((parameters.scope ?? '').split(' ').filter(Boolean));
    const scopes = SIGNAL_SCOPES.filter((scope) => requested.size === 0 || requested.has(scope));
    const hasUnknown = [...requested].some((scope) => !scopes.includes(scope as SignalScope));
    if (hasUnknown) fail('SCOPE_INVALID');
    const jkt = await bindToKey(key, client.dpop_bound_access_tokens, fail);
    const token = await this.#signalTokens.issue(tenant, client, scopes, jkt);
    this.#notes.note(
      tenant.id,
      { kind: 'client', clientId: client.id, from },
      {
        action: 'auth.token_issued',
        target: { kind: 'client', id: client.id },
        details: { by: client.token_endpoint_auth_method },
      },
    );
    return { ...token, token_type: tokenTypeOf(jkt), scope: scopes.join(' ') };
  }
}
