import * as authorize from '@keywright/contract/routes/authorize';
import * as device from '@keywright/contract/routes/device';
import * as loginReturns from '@keywright/contract/routes/login-returns';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { type Core, type Use, defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { requireIssuer } from '../../../tenancy/tenant.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { upstreamLoginsModule } from '../../authentication/upstream-logins/module.ts';
import type { LookService } from '../../branding/brand/index.ts';
import { brandModule } from '../../branding/brand/module.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import { accessTokensModule } from '../../tokens/access-tokens/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { clientsModule } from '../clients/module.ts';
import { grantsModule } from '../grants/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { resourcesModule } from '../resources/module.ts';
import { tokenEndpointModule } from '../token-endpoint/module.ts';
import { AuthorizationContexts, Interactions } from './interaction.ts';
import { AuthorizationEndpoint, PushedRequestEndpoint } from './authorization-endpoint.ts';
import { AuthorizationGrants, AuthorizationResponder } from './authorization-response.ts';
import { DeviceAuthorizationEndpoint, DeviceLogin } from './device-login.ts';
import { InteractionPages } from './interaction-pages.ts';
import { InteractionService } from './interaction-service.ts';
import { LoginReturns } from './login-returns.ts';
import { FactorPages, LoginSteps } from './login-steps.ts';
import { PageLogins } from './page-logins.ts';
import { toParameters } from './request-parameters.ts';
import { RequestObjects, RequestReader } from './request-reader.ts';

export const authorizeModule = defineModule('authorize', (core, use) => {
  const shared = createSharedServices(core, use);
  const { interactions, reader, contexts, grants } = shared;
  return {
    offer: { pageLogins: new PageLogins(interactions), interactions, reader, contexts, grants },
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
  const { seals, codes, pushedRequests } = use(grantsModule);
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
  const { deviceGrants, userCodeGuesses } = use(grantsModule);
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
  const { deviceGrants, pushedRequests } = use(grantsModule);
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

function bindAuthorizationRoutes(router: Router, endpoint: AuthorizationEndpoint): void {
  router.addAll(
    [authorize.authorize, authorize.authorizeByIssuer],
    async ({ tenant, query, cookies, from, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const parameters = toParameters(query);
      return endpoint.authorize(tenant, { parameters, cookies, from, wishes }, fail);
    },
  );
  router.replay(authorize.authorizeForm);
  router.replay(authorize.authorizeFormByIssuer);
}

function bindInteractionRoutes(
  router: Router,
  interactions: InteractionService,
  returns: LoginReturns,
  looks: LookService,
): void {
  router.addAll(
    [authorize.continueAuthorization, authorize.continueAuthorizationByIssuer],
    interactions.show,
  );
  router.addAll([authorize.submitStep, authorize.submitStepByIssuer], interactions.submit);
  router.addAll(
    [loginReturns.returnFromProvider, loginReturns.returnFromProviderByIssuer],
    async ({ query, ...call }, fail) => {
      const page = await interactions.pageRequest(call, query.request, fail);
      return returns.returnFromProvider(page, query, fail);
    },
  );
  router.addAll(
    [loginReturns.openLink, loginReturns.openLinkByIssuer],
    async ({ tenant, query, cookies, form: { field }, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const look = await looks.find(tenant, wishes);
      const link = { token: query.link_token, flowCookie: cookies.flow, field, look };
      return returns.showLink(tenant, link);
    },
  );
}

/** Logins that start on devices without a browser (RFC 8628). */
function bindDeviceRoutes(
  router: Router,
  endpoint: DeviceAuthorizationEndpoint,
  devices: DeviceLogin,
): void {
  router.addAll(
    device.DEVICE_AUTHORIZATION_ROUTES,
    ({ tenant, body, headers: { authorization }, from }, fail) =>
      endpoint.start({ tenant, parameters: body, authorization, from }, fail),
  );
  router.addAll(
    [device.showDevice, device.showDeviceByIssuer],
    async ({ tenant, query, form: { field }, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return devices.showCodePage({ tenant, wishes, field }, query.user_code, fail);
    },
  );
  router.addAll(
    [device.enterDevice, device.enterDeviceByIssuer],
    async ({ tenant, body, form: { field }, cookies, wishes, from, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return devices.submitCode({ tenant, cookies, wishes, from, field }, body.user_code, fail);
    },
  );
}

/** Pushed authorization requests (RFC 9126). */
function bindPushRoutes(router: Router, endpoint: PushedRequestEndpoint, dpop: Dpop): void {
  router.addAll(PUSHED_REQUEST_ROUTES, async ({ tenant, body, headers, from, proof }, fail) => {
    const { authorization } = headers;
    const key = await dpop.prove(tenant, proof, fail);
    return endpoint.push({ tenant, parameters: body, authorization, from, key }, fail);
  });
}
