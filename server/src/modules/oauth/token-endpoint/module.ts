import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import { type Core, defineModule, type Use } from '../../../tenancy/module.ts';
import { bearerModule } from '../../authentication/bearer/module.ts';
import { journalModule } from '../../events/journal/module.ts';
import { agentsModule } from '../../machines/agents/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { proofsModule } from '../../tokens/proofs/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { statusListsModule } from '../../tokens/status-lists/module.ts';
import { clientsModule } from '../clients/module.ts';
import { grantsModule } from '../grants/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { signalsModule } from '../signals/module.ts';
import { AgentExchange } from './agent-exchange.ts';
import { AuthorizationCodeGrant } from './authorization-code-grant.ts';
import { ClientAuthentication } from './client-authentication.ts';
import { ClientCredentialsGrant } from './client-credentials-grant.ts';
import { AgentVerifier, ClientSigningKeys, ClientVerifier } from './client-verification.ts';
import { DeviceCodeGrant } from './device-code-grant.ts';
import { IdentityAssertionGrant } from './identity-assertion-grant.ts';
import { IdentityAssertions } from './identity-assertions.ts';
import { RefreshTokenGrant } from './refresh-token-grant.ts';
import { TokenEndpoint } from './token-endpoint.ts';
import { TokenExchangeGrant } from './token-exchange.ts';
import { AccessTokenMint, GrantRedemption } from './token-response.ts';

export const tokenEndpointModule = defineModule('token endpoint', (core, use) => {
  const { clients } = use(clientsModule);
  const { spentStatements } = use(proofsModule);
  const signingKeys = new ClientSigningKeys(core);
  const authentication = new ClientAuthentication(
    core,
    clients,
    spentStatements,
    use(journalModule).notes,
    new AgentVerifier(core, spentStatements, use(agentsModule).apiKeys, use(bearerModule).bearer),
    new ClientVerifier(core, spentStatements, clients, signingKeys),
  );
  return {
    offer: { clientAuthentication: authentication, clientSigningKeys: signingKeys },
    routes(router) {
      const { dpop } = use(accessTokensModule);
      const endpoint = createTokenEndpoint(core, use, authentication);
      router.addAll(
        [issueToken, issueTokenByIssuer],
        async ({ tenant, body, headers, from, proof }, fail) => {
          const { authorization } = headers;
          const key = await dpop.prove(tenant, proof, fail);
          return endpoint.issue({ tenant, parameters: body, authorization, from, key }, fail);
        },
      );
    },
  };
});

function createTokenEndpoint(
  core: Core,
  use: Use,
  authentication: ClientAuthentication,
): TokenEndpoint {
  const { notes } = use(journalModule);
  const { bearer } = use(bearerModule);
  const { keys, jwts } = use(signingKeysModule);
  const { noteClientUse } = use(clientsModule);
  const { resources } = use(resourcesModule);
  const { spentStatements } = use(proofsModule);
  const { signalTokens } = use(signalsModule);
  const { bits } = use(statusListsModule);
  const mint = new AccessTokenMint(keys, jwts, bits, core.clock);
  const clientCredentials = new ClientCredentialsGrant(
    authentication,
    resources,
    mint,
    signalTokens,
    notes,
  );
  return new TokenEndpoint(
    authentication,
    ...createUserGrants(core, use, authentication),
    clientCredentials,
    new TokenExchangeGrant(
      core,
      authentication,
      bearer,
      resources,
      mint,
      new IdentityAssertions(core, jwts, noteClientUse),
      noteClientUse,
      notes,
    ),
    new AgentExchange(core, authentication, clientCredentials, bearer, mint, notes),
    new IdentityAssertionGrant(
      core,
      authentication,
      keys,
      spentStatements,
      resources,
      mint,
      noteClientUse,
      notes,
    ),
  );
}

/** The grants of clients that log users in. */
function createUserGrants(core: Core, use: Use, authentication: ClientAuthentication) {
  const { gate, clock } = core;
  const { sessions, refreshes } = use(sessionsModule);
  const { noteClientUse } = use(clientsModule);
  const { resources } = use(resourcesModule);
  const { idTokens } = use(idTokensModule);
  const { codes, deviceGrants } = use(grantsModule);
  const redemption = new GrantRedemption(sessions, idTokens, resources, noteClientUse);
  const refreshToken = new RefreshTokenGrant(
    authentication,
    gate,
    refreshes,
    idTokens,
    resources,
    noteClientUse,
  );
  return [
    new AuthorizationCodeGrant(authentication, codes, redemption, clock),
    refreshToken,
    new DeviceCodeGrant(authentication, deviceGrants, redemption),
  ] as const;
}
