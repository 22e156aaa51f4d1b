import * as contract from '@keywright/contract/routes/authorize';
import * as deviceContract from '@keywright/contract/routes/device';
import {
  openLink,
  openLinkByIssuer,
  returnFromProvider,
  returnFromProviderByIssuer,
} from '@keywright/contract/routes/login-returns';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { PageForm } from '../../../tenancy/pages.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import { createGuesses } from '../device-grants/index.ts';
import type { Identify } from '../token-endpoint/index.ts';
import { enter } from './authorization-endpoint.ts';
import { createBeginDevice, showDevicePage, takeUserCode } from './device-login.ts';
import { showLink, comeBack } from './interaction-returns.ts';
import { type JourneyDependencies, show, submit } from './interaction-service.ts';
import type { Visit } from './interaction.ts';
import { createPush } from './pushed-endpoint.ts';
import { parametersOf } from './request-parameters.ts';

interface Dependencies extends JourneyDependencies {
  readonly identify: Identify;
  readonly dpop: Dpop;
}

export function bindAuthorizeRoutes(router: Router, dependencies: Dependencies): void {
  const visitOf = createVisitOf(dependencies);
  const atHost = [contract.authorize, contract.authorizeByIssuer];
  router.addAll(atHost, async ({ tenant, query, cookies, from, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const parameters = parametersOf(query);
    return enter(dependencies, tenant, { parameters, cookies, from, wishes }, fail);
  });
  router.replay(contract.authorizeForm);
  router.replay(contract.authorizeFormByIssuer);

  const pages = [contract.continueAuthorization, contract.continueAuthorizationByIssuer];
  router.addAll(pages, async ({ tenant, query, cookies, device, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const visit = await visitOf({ tenant, cookies, device, wishes, form }, query.request);
    return show(dependencies, visit, fail);
  });

  const steps = [contract.submitStep, contract.submitStepByIssuer];
  router.addAll(steps, async ({ tenant, body, cookies, device, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const visit = await visitOf({ tenant, cookies, device, wishes, form }, body.request);
    return submit(dependencies, visit, body, fail);
  });
  bindReturnRoutes(router, dependencies);
  bindDeviceRoutes(router, dependencies);

  const push = createPush(dependencies);
  router.addAll(PUSHED_REQUEST_ROUTES, async ({ tenant, body, headers, from, proof }, fail) => {
    const { authorization } = headers;
    const key = await dependencies.dpop.prove(tenant, proof, fail);
    return push({ tenant, parameters: body, authorization, from, key }, fail);
  });
}

function bindReturnRoutes(router: Router, dependencies: JourneyDependencies): void {
  const { findLook } = dependencies;
  const visitOf = createVisitOf(dependencies);
  const returns = [returnFromProvider, returnFromProviderByIssuer];
  router.addAll(
    returns,
    async ({ tenant, query, cookies, device, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const visit = await visitOf({ tenant, cookies, device, wishes, form }, query.request);
      return comeBack(dependencies, visit, query, fail);
    },
  );

  const links = [openLink, openLinkByIssuer];
  router.addAll(links, async ({ tenant, query, cookies, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await findLook(tenant, wishes);
    const opened = { token: query.link_token, cookie: cookies.flow, field: form.field, look };
    return showLink(dependencies, tenant, opened);
  });
}

/** What a browser sends, and how its page looks. */
function createVisitOf({ findLook }: JourneyDependencies) {
  return async (
    { form, ...from }: Omit<Visit, 'request' | 'token' | 'look'> & { readonly form: PageForm },
    request: string,
  ): Promise<Visit> => {
    const here = { action: 'continue', fields: { request } };
    const look = await findLook(from.tenant, from.wishes, here);
    return { ...from, request, token: form.field, look };
  };
}

interface DeviceRoutesDependencies extends JourneyDependencies {
  readonly identify: Identify;
}

/** Logins that start on devices without a browser. */
function bindDeviceRoutes(router: Router, dependencies: DeviceRoutesDependencies): void {
  const begin = createBeginDevice(dependencies);
  router.addAll(
    deviceContract.DEVICE_AUTHORIZATION_ROUTES,
    ({ tenant, body, headers: { authorization }, from }, fail) =>
      begin({ tenant, parameters: body, authorization, from }, fail),
  );

  const pages = [deviceContract.showDevice, deviceContract.showDeviceByIssuer];
  router.addAll(pages, async ({ tenant, query, form: { field }, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    return showDevicePage(dependencies, { tenant, wishes, field }, query.user_code, fail);
  });

  const guesses = createGuesses(dependencies.gate, dependencies.clock);
  const typed = [deviceContract.enterDevice, deviceContract.enterDeviceByIssuer];
  router.addAll(
    typed,
    async ({ tenant, body, form: { field }, cookies, wishes, from, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const at = { tenant, cookies, wishes, from, field };
      return takeUserCode({ ...dependencies, guesses }, at, body.user_code, fail);
    },
  );
}
