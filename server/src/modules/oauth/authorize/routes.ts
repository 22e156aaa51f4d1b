import * as contract from '@keywright/contract/routes/authorize';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import {
  openLink,
  openLinkByIssuer,
  returnFromProvider,
  returnFromProviderByIssuer,
} from '@keywright/contract/routes/login-returns';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { PageForm } from '../../../tenancy/pages.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { Identify } from '../token-endpoint/index.ts';
import { bindDeviceRoutes } from './device-routes.ts';
import { enter } from './entry.ts';
import type { JourneyDependencies } from './dependencies.ts';
import { showLink } from './link.ts';
import { show, submit } from './journey.ts';
import { parametersOf } from './parameters.ts';
import { createPush } from './push.ts';
import { comeBack } from './returned.ts';
import type { Visit } from './visit.ts';

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
