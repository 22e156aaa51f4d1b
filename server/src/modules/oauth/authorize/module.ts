import { type Core, defineModule, type Use } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { upstreamLoginsModule } from '../../authentication/upstream-logins/module.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { clientsModule } from '../clients/module.ts';
import { codesModule } from '../codes/module.ts';
import { deviceGrantsModule } from '../device-grants/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { AuthorizationContexts } from './authorization-context.ts';
import { AuthorizationEndpoint } from './authorization-endpoint.ts';
import { AuthorizationGrants } from './authorization-grants.ts';
import { AuthorizationResponder } from './authorization-response.ts';
import { DeviceAuthorizationEndpoint, DeviceLogin } from './device-login.ts';
import { FactorPages, LoginSteps } from './login-steps.ts';
import { InteractionPages } from './interaction-pages.ts';
import { InteractionService } from './interaction-service.ts';
import { Interactions, PageLogins } from './interaction.ts';
import { LoginReturns } from './login-returns.ts';
import { PushedRequestEndpoint } from './pushed-endpoint.ts';
import { RequestObjects } from './request-object.ts';
import { RequestReader } from './request-reader.ts';
import {
  bindAuthorizationRoutes,
  bindDeviceRoutes,
  bindInteractionRoutes,
  bindPushRoutes,
} from './routes.ts';

export const authorizeModule = defineModule('authorize', (core, use) => {
  const shared = createSharedServices(core, use);
  const { interactions, reader, contexts, grants } = shared;
  return {
    offer: { pageLogins: new PageLogins(interactions), reader, contexts, grants },
    routes(router) {
      const { responder, browserLogins } = shared;
      const endpoint = new AuthorizationEndpoint(
        core.clock,
        reader,
        contexts,
        grants,
        responder,
        interactions,
        browserLogins,
        use(signingKeysModule).jwts,
      );
      bindAuthorizationRoutes(router, endpoint);
      const devices = createDeviceLogin(core, use, shared);
      bindPages(router, core, use, shared, devices);
      bindClientRoutes(router, core, use, shared, devices);
    },
  };
});

/** The services that several endpoints share. */
function createSharedServices(core: Core, use: Use) {
  const { gate, clock } = core;
  const { clients } = use(clientsModule);
  const { resources } = use(resourcesModule);
  const { seals, codes, pushedRequests } = use(codesModule);
  const { clientSigningKeys } = use(tokenEndpointModule);
  const { browserLogins } = use(sessionsModule);
  const { jwts } = use(signingKeysModule);
  const objects = new RequestObjects(clock, clientSigningKeys);
  const { subjects } = use(idTokensModule);
  return {
    browserLogins,
    interactions: new Interactions(seals, clock),
    reader: new RequestReader(clients, resources, pushedRequests, objects),
    contexts: new AuthorizationContexts(gate, clock, clients, browserLogins, subjects, resources),
    grants: new AuthorizationGrants(gate, clients, browserLogins, codes, pushedRequests),
    responder: new AuthorizationResponder(clock, jwts),
  };
}

type Shared = ReturnType<typeof createSharedServices>;

function createDeviceLogin({ clock }: Core, use: Use, shared: Shared): DeviceLogin {
  const { interactions, grants, browserLogins } = shared;
  const { deviceGrants, userCodeGuesses } = use(deviceGrantsModule);
  const { looks } = use(brandModule);
  return new DeviceLogin(
    clock,
    deviceGrants,
    userCodeGuesses,
    interactions,
    grants,
    browserLogins,
    looks,
  );
}

/** The pages of an interaction. */
function bindPages(
  router: Router,
  { gate, clock }: Core,
  use: Use,
  { interactions, contexts, grants, responder, browserLogins }: Shared,
  devices: DeviceLogin,
): void {
  const { perform } = router;
  const { looks } = use(brandModule);
  const { challenges, flows } = use(flowsModule);
  const { upstreamLogins } = use(upstreamLoginsModule);
  const steps = new LoginSteps(perform);
  const pages = new InteractionPages(flows, interactions);
  const service = new InteractionService(
    gate,
    clock,
    browserLogins,
    flows,
    looks,
    interactions,
    contexts,
    grants,
    responder,
    devices,
    steps,
    new FactorPages(perform, interactions, steps, upstreamLogins),
    pages,
  );
  const returns = new LoginReturns(
    clock,
    perform,
    service,
    interactions,
    contexts,
    pages,
    flows,
    challenges,
  );
  bindInteractionRoutes(router, service, returns, looks);
}

/** The endpoints that clients call directly. */
function bindClientRoutes(
  router: Router,
  core: Core,
  use: Use,
  { reader }: Shared,
  devices: DeviceLogin,
): void {
  const { clientAuthentication } = use(tokenEndpointModule);
  const { clients } = use(clientsModule);
  const { resources } = use(resourcesModule);
  const { deviceGrants } = use(deviceGrantsModule);
  const { pushedRequests } = use(codesModule);
  const deviceEndpoint = new DeviceAuthorizationEndpoint(
    core,
    clientAuthentication,
    clients,
    resources,
    deviceGrants,
  );
  bindDeviceRoutes(router, deviceEndpoint, devices);
  const pushEndpoint = new PushedRequestEndpoint(
    core,
    clientAuthentication,
    clients,
    reader,
    pushedRequests,
  );
  bindPushRoutes(router, pushEndpoint, use(accessTokensModule).dpop);
}
