import * as authorize from '@keywright/contract/routes/authorize';
import * as device from '@keywright/contract/routes/device';
import * as loginReturns from '@keywright/contract/routes/login-returns';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { PageForm } from '../../../tenancy/pages.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { LookService } from '../../branding/brand/index.ts';
import type { AuthorizationEndpoint } from './authorization-endpoint.ts';
import type { DeviceAuthorizationEndpoint, DeviceLogin } from './device-login.ts';
import type { InteractionService } from './interaction-service.ts';
import type { PageRequest } from './interaction.ts';
import type { LoginReturns } from './login-returns.ts';
import type { PushedRequestEndpoint } from './pushed-endpoint.ts';
import { toParameters } from './request-parameters.ts';

export function bindAuthorizationRoutes(router: Router, endpoint: AuthorizationEndpoint): void {
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

export function bindInteractionRoutes(
  router: Router,
  interactions: InteractionService,
  returns: LoginReturns,
  looks: LookService,
): void {
  const toPageRequest = createToPageRequest(looks);
  router.addAll(
    [authorize.continueAuthorization, authorize.continueAuthorizationByIssuer],
    async ({ tenant, query, cookies, device: from, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const call = { tenant, cookies, device: from, wishes, form };
      return interactions.show(await toPageRequest(call, query.request), fail);
    },
  );
  router.addAll(
    [authorize.submitStep, authorize.submitStepByIssuer],
    async ({ tenant, body, cookies, device: from, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const call = { tenant, cookies, device: from, wishes, form };
      return interactions.submit(await toPageRequest(call, body.request), body, fail);
    },
  );
  router.addAll(
    [loginReturns.returnFromProvider, loginReturns.returnFromProviderByIssuer],
    async ({ tenant, query, cookies, device: from, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const call = { tenant, cookies, device: from, wishes, form };
      return returns.returnFromProvider(await toPageRequest(call, query.request), query, fail);
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
export function bindDeviceRoutes(
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
export function bindPushRoutes(router: Router, endpoint: PushedRequestEndpoint, dpop: Dpop): void {
  router.addAll(PUSHED_REQUEST_ROUTES, async ({ tenant, body, headers, from, proof }, fail) => {
    const { authorization } = headers;
    const key = await dpop.prove(tenant, proof, fail);
    return endpoint.push({ tenant, parameters: body, authorization, from, key }, fail);
  });
}

/** Adds the look of the page to a request. */
function createToPageRequest(looks: LookService) {
  return async (
    {
      form,
      ...call
    }: Omit<PageRequest, 'request' | 'token' | 'look'> & { readonly form: PageForm },
    request: string,
  ): Promise<PageRequest> => {
    const here = { action: 'continue', fields: { request } };
    const look = await looks.find(call.tenant, call.wishes, here);
    return { ...call, request, token: form.field, look };
  };
}
