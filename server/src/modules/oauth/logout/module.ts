import * as contract from '@keywright/contract/routes/logout';
import { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import { clientsModule } from '../clients/module.ts';
import { codesModule } from '../codes/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import {
  listLogoutDeliveriesPage,
  createLogoutToken,
  createLogoutQueue,
  type LogoutQueue,
  createTell,
} from './backchannel-logout.ts';
import { decideLogout, showLogout, tellWhoKnows } from './logout-confirmation.ts';
import { beginLogout, type LogoutDependencies } from './logout-service.ts';
import { createSealedLogouts } from './sealed-logouts.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

interface Offer {
  readonly queue: LogoutQueue;
}

export const logoutModule = defineModule<Offer>('logout', (core, use) => {
  const { jwts } = use(signingKeysModule);
  const { subjects } = use(idTokensModule);
  const logoutToken = createLogoutToken({ ...core, jwts, subjects });
  const queue = createLogoutQueue(
    core,
    createTell({ ...core, ...use(clientsModule), logoutToken }),
  );
  return {
    offer: { queue },
    sweeps: [expiring('logout_deliveries', 'created_at', KEPT_SECONDS)],
    routes(router) {
      const logouts = createSealedLogouts(use(codesModule).seals);
      const { browserLogins } = use(sessionsModule);
      const given = { ...core, ...use(clientsModule), ...use(brandModule), browserLogins };
      bindLogoutRoutes(router, { ...given, logouts, subjects, jwts });
      router.add(listLogoutDeliveries, ({ tenant, params, query }, fail) =>
        listLogoutDeliveriesPage(core.gate.into(tenant.id), params.client_id, query, fail),
      );
    },
    start: () => queue.start(),
    stop: () => queue.stop(),
  };
});

function bindLogoutRoutes(router: Router, dependencies: LogoutDependencies): void {
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
