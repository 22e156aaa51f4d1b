import {
  INTROSPECTION_ROUTES,
  SIGNED_INTROSPECTION,
} from '@keywright/contract/routes/introspection';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import { previewTokens } from '@keywright/contract/routes/token-previews';
import {
  getUserinfo,
  getUserinfoByIssuer,
  postUserinfo,
  postUserinfoByIssuer,
} from '@keywright/contract/routes/userinfo';
import { acceptsType } from '../../../platform/http/accept.ts';
import { OtherFormat, preparedOf } from '../../../platform/http/replies.ts';
import { describeMissing } from '../../../tenancy/caller.ts';
import { type Core, type Use, defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
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
import { ClientAuthentication, ClientVerifier } from './client-authentication.ts';
import { ClientCredentialsGrant } from './client-credentials-grant.ts';
import { AgentVerifier, ClientSigningKeys } from './agent-verification.ts';
import { DeviceCodeGrant } from './device-code-grant.ts';
import { IdentityAssertionGrant } from './identity-assertion-grant.ts';
import { IdentityAssertions } from './identity-assertions.ts';
import { IntrospectionService, RevocationService } from './introspection-service.ts';
import { RefreshTokenGrant } from './refresh-token-grant.ts';
import { TokenEndpoint } from './token-endpoint.ts';
import { TokenExchangeGrant } from './token-exchange.ts';
import { TokenPreviewService } from './token-preview-service.ts';
import { AccessTokenMint, GrantRedemption } from './token-response.ts';
import { UserinfoService } from './userinfo-service.ts';

/** The endpoints at which clients get, inspect and revoke tokens. */
export const tokenEndpointModule = defineModule('token endpoint', (core, use) => {
  const { clients } = use(clientsModule);
  const { spentStatements, issuerKeys } = use(proofsModule);
  const signingKeys = new ClientSigningKeys(core);
  const authentication = new ClientAuthentication(
    core,
    clients,
    spentStatements,
    issuerKeys,
    use(journalModule).notes,
    new AgentVerifier(core, spentStatements, use(agentsModule).apiKeys, use(bearerModule).bearer),
    new ClientVerifier(core, spentStatements, clients, signingKeys),
  );
  return {
    offer: { clientAuthentication: authentication, clientSigningKeys: signingKeys },
    routes(router) {
      const tokens = createTokenEndpoint(core, use, authentication);
      router.addAll([issueToken, issueTokenByIssuer], tokens.issue);
      bindIntrospectionRoutes(router, core, use, authentication);
      bindUserinfoRoutes(router, core, use);
      const previews = new TokenPreviewService(core.gate, core.clock, clients);
      router.add(previewTokens, ({ tenant, caller, body }, fail) =>
        previews.preview(tenant, caller, body, fail),
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
  const { spentStatements, issuerKeys } = use(proofsModule);
  const { signalTokens } = use(signalsModule);
  const { bits } = use(statusListsModule);
  const { refreshes } = use(sessionsModule);
  const mint = new AccessTokenMint(keys, jwts, bits, core.clock);
  const clientCredentials = new ClientCredentialsGrant(
    authentication,
    resources,
    mint,
    signalTokens,
    notes,
  );
  return new TokenEndpoint(
    use(accessTokensModule).dpop,
    authentication,
    ...createUserGrants(core, use, authentication),
    clientCredentials,
    new TokenExchangeGrant(
      core,
      authentication,
      bearer,
      resources,
      mint,
      new IdentityAssertions(core, refreshes, jwts, noteClientUse),
      noteClientUse,
      notes,
    ),
    new AgentExchange(core, authentication, clientCredentials, bearer, mint, notes),
    new IdentityAssertionGrant(
      core,
      authentication,
      spentStatements,
      issuerKeys,
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

/** Introspection (RFC 7662) and revocation (RFC 7009) of tokens. */
function bindIntrospectionRoutes(
  router: Router,
  core: Core,
  use: Use,
  authentication: ClientAuthentication,
): void {
  const { bearer } = use(bearerModule);
  const { refreshes } = use(sessionsModule);
  const introspection = new IntrospectionService(
    core,
    authentication,
    bearer,
    refreshes,
    use(resourcesModule).resources,
    use(signingKeysModule).jwts,
  );
  router.addAll(INTROSPECTION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
    const { authorization, accept } = headers;
    const request = { tenant, parameters: body, authorization, from };
    const { introspector, status } = await introspection.introspect(request, fail);
    if (!acceptsType(accept, SIGNED_INTROSPECTION)) return preparedOf(status);
    const jwt = await introspection.sign(tenant, introspector, status);
    return new OtherFormat(SIGNED_INTROSPECTION, jwt);
  });

  const revocation = new RevocationService(core.gate, authentication, bearer, refreshes);
  router.addAll(REVOCATION_ROUTES, async ({ tenant, body, headers, from }, fail) => {
    const { authorization } = headers;
    await revocation.revoke({ tenant, parameters: body, authorization, from }, fail);
    return {};
  });
}

function bindUserinfoRoutes(router: Router, { gate }: Core, use: Use): void {
  const { jwts } = use(signingKeysModule);
  const { bearer } = use(bearerModule);
  const { dpop } = use(accessTokensModule);
  const { subjects } = use(idTokensModule);
  const service = new UserinfoService(gate, bearer, dpop, subjects, jwts);
  router.addAll([getUserinfo, getUserinfoByIssuer], ({ tenant, headers, credential }, fail) =>
    service.read(tenant, credential ?? fail('TOKEN_INVALID', describeMissing(headers)), fail),
  );
  router.addAll(
    [postUserinfo, postUserinfoByIssuer],
    ({ tenant, headers, body, credential }, fail) => {
      const { access_token: token } = body;
      if (token === undefined) {
        const presented = credential ?? fail('TOKEN_INVALID', describeMissing(headers));
        return service.read(tenant, presented, fail);
      }
      // RFC 6750 §2: one method at a time.
      if (headers.authorization !== undefined) {
        const message = 'must not be sent together with the header Authorization';
        fail('VALIDATION_FAILED', { errors: [{ path: '/access_token', message }] });
      }
      return service.read(tenant, { token, scheme: 'bearer', proof: undefined }, fail);
    },
  );
}
