import * as contract from '@keywright/contract/routes/logout';
import { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { requireIssuer } from '../../../tenancy/tenant.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { clientsModule } from '../clients/module.ts';
import { grantsModule } from '../grants/module.ts';
import { idTokensModule } from '../id-tokens/module.ts';
import { BackchannelLogout, type LogoutQueue } from './backchannel-logout.ts';
import { LogoutService, SealedLogouts } from './logout-service.ts';

const RETAINED_SECONDS = 30 * DAY_SECONDS;

interface Offer {
  readonly queue: LogoutQueue;
}

export const logoutModule = defineModule<Offer>('logout', (core, use) => {
  const { jwts } = use(signingKeysModule);
  const { clients } = use(clientsModule);
  const { subjects } = use(idTokensModule);
  const backchannel = new BackchannelLogout(core, clients, subjects, jwts);
  const { queue } = backchannel;
  return {
    offer: { queue },
    sweeps: [expiring('logout_deliveries', 'created_at', RETAINED_SECONDS)],
    routes(router) {
      const service = new LogoutService(
        core,
        clients,
        use(sessionsModule).browserLogins,
        new SealedLogouts(use(grantsModule).seals),
        subjects,
        jwts,
        use(brandModule).looks,
      );
      bindLogoutRoutes(router, service);
      router.add(listLogoutDeliveries, ({ tenant, params, query }, fail) =>
        backchannel.listDeliveries(tenant, params.client_id, query, fail),
      );
    },
    start: () => queue.start(),
    stop: () => queue.stop(),
  };
});

function bindLogoutRoutes(router: Router, service: LogoutService): void {
  router.addAll(
    [contract.endSession, contract.endSessionByIssuer],
    async ({ tenant, query: parameters, cookies, from, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return service.start({ tenant, parameters, cookies, from, wishes });
    },
  );
  router.replay(contract.endSessionForm);
  router.replay(contract.endSessionFormByIssuer);

  router.addAll(
    [contract.showLogoutPage, contract.showLogoutPageByIssuer],
    async ({ tenant, query: { request }, cookies, form, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return service.showConfirmation({ tenant, request, cookies, wishes }, form.field, fail);
    },
  );
  router.addAll(
    [contract.confirmLogout, contract.confirmLogoutByIssuer],
    async ({ tenant, body: { request, action }, cookies, from, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return service.confirm({ tenant, request, cookies, wishes }, { action, from }, fail);
    },
  );
  router.addAll(
    [contract.showLoggedOut, contract.showLoggedOutByIssuer],
    async ({ tenant, query: { request }, cookies, wishes, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      return service.showLoggedOut({ tenant, request, cookies, wishes }, fail);
    },
  );
}
