import { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { sessionsModule } from '../../tokens/sessions/module.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { listLogoutDeliveriesPage } from '../backchannel-logout/list.ts';
import { createLogoutToken } from '../backchannel-logout/logout-token.ts';
import { createLogoutQueue, type LogoutQueue } from '../backchannel-logout/queue.ts';
import { createTell } from '../backchannel-logout/telling.ts';
import { createSubjectFor } from '../claims/index.ts';
import { clientsModule } from '../clients/module.ts';
import { createSeals } from '../codes/index.ts';
import { bindLogoutRoutes } from './routes.ts';
import { createSealedLogouts } from './sealed.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

interface Offer {
  readonly queue: LogoutQueue;
}

export const logoutModule = defineModule<Offer>('logout', (core, use) => {
  const { keys, signJwt, verifyOwnJwt } = use(signingKeysModule);
  const subjectFor = createSubjectFor(keys);
  const logoutToken = createLogoutToken({ ...core, signJwt, subjectFor });
  const queue = createLogoutQueue(core, createTell({ ...core, ...use(clientsModule), logoutToken }));
  return {
    offer: { queue },
    sweeps: [expiring('logout_deliveries', 'created_at', KEPT_SECONDS)],
    routes(router) {
      const logouts = createSealedLogouts(createSeals(keys.auditKeys));
      const { browserLogins } = use(sessionsModule);
      const given = { ...core, ...use(clientsModule), ...use(brandModule), browserLogins };
      bindLogoutRoutes(router, { ...given, logouts, subjectFor, verifyOwnJwt });
      router.add(listLogoutDeliveries, ({ tenant, params, query }, fail) =>
        listLogoutDeliveriesPage(core.gate.into(tenant.id), params.client_id, query, fail),
      );
    },
    start: queue.start,
    stop: queue.stop,
  };
});
