import * as contract from '@keywright/contract/routes/authorize';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import {
  openLink,
  openLinkByIssuer,
  returnFromProvider,
  returnFromProviderByIssuer,
} from '@keywright/contract/routes/login-returns';
import type { Router } from '../../../tenancy/router.ts';
import type { Identify } from '../token-endpoint/index.ts';
import { requireIssuer } from './addresses.ts';
import { enter } from './entry.ts';
import type { JourneyDependencies } from './dependencies.ts';
import { showLink } from './link.ts';
import { show, submit } from './journey.ts';
import { parametersOf } from './parameters.ts';
import { createPush } from './push.ts';
import { comeBack } from './returned.ts';

interface Dependencies extends JourneyDependencies {
  readonly identify: Identify;
}

export function bindAuthorizeRoutes(router: Router, dependencies: Dependencies): void {
  const { findLook } = dependencies;
  const atHost = [contract.authorize, contract.authorizeByIssuer];
  router.addAll(atHost, async ({ tenant, query, cookies, from, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const parameters = parametersOf(query);
    return enter(dependencies, tenant, { parameters, cookies, from }, fail);
  });
  router.replay(contract.authorizeForm);
  router.replay(contract.authorizeFormByIssuer);

  const pages = [contract.continueAuthorization, contract.continueAuthorizationByIssuer];
  router.addAll(pages, async ({ tenant, query, cookies, device, form, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await findLook(tenant);
    const visit = { tenant, request: query.request, cookies, device, token: form.field, look };
    return show(dependencies, visit, fail);
  });

  const steps = [contract.submitStep, contract.submitStepByIssuer];
  router.addAll(steps, async ({ tenant, body, cookies, device, form, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await findLook(tenant);
    const visit = { tenant, request: body.request, cookies, device, token: form.field, look };
    return submit(dependencies, visit, body, fail);
  });
  bindReturnRoutes(router, dependencies);

  const push = createPush(dependencies);
  router.addAll(PUSHED_REQUEST_ROUTES, ({ tenant, body, headers, from }, fail) => {
    const { authorization } = headers;
    return push({ tenant, parameters: body, authorization, from }, fail);
  });
}

function bindReturnRoutes(router: Router, dependencies: JourneyDependencies): void {
  const { findLook } = dependencies;
  const returns = [returnFromProvider, returnFromProviderByIssuer];
  router.addAll(returns, async ({ tenant, query, cookies, device, form, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await findLook(tenant);
    const visit = { tenant, request: query.request, cookies, device, token: form.field, look };
    return comeBack(dependencies, visit, query, fail);
  });

  const links = [openLink, openLinkByIssuer];
  router.addAll(links, async ({ tenant, query, cookies, form, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await findLook(tenant);
    const opened = { token: query.link_token, cookie: cookies.flow, field: form.field, look };
    return showLink(dependencies, tenant, opened);
  });
}
