import * as contract from '@keywright/contract/routes/logout';
import type { Router } from '../../../tenancy/router.ts';
import { requireIssuer } from '../authorize/index.ts';
import { decideLogout, showLogout, tellWhoKnows } from './confirm.ts';
import { beginLogout, type LogoutDependencies } from './service.ts';

export function bindLogoutRoutes(router: Router, dependencies: LogoutDependencies): void {
  const asked = [contract.endSession, contract.endSessionByIssuer];
  router.addAll(
    asked,
    async ({ tenant, query: parameters, cookies, from, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return beginLogout(dependencies, tenant, { parameters, cookies, from, wishes });
    },
  );
  router.replay(contract.endSessionForm);
  router.replay(contract.endSessionFormByIssuer);

  const pages = [contract.askToLogOut, contract.askToLogOutByIssuer];
  router.addAll(pages, async ({ tenant, query, cookies, form, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const visit = { tenant, request: query.request, cookies, wishes };
    return showLogout(dependencies, visit, form.field, fail);
  });

  const answers = [contract.confirmLogout, contract.confirmLogoutByIssuer];
  router.addAll(answers, async ({ tenant, body, cookies, from, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const visit = { tenant, request: body.request, cookies, wishes };
    return decideLogout(dependencies, visit, { action: body.action, from }, fail);
  });

  const ends = [contract.showLoggedOut, contract.showLoggedOutByIssuer];
  router.addAll(ends, async ({ tenant, query, cookies, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const visit = { tenant, request: query.request, cookies, wishes };
    return tellWhoKnows(dependencies, visit, fail);
  });
}
