import { listLogoutDeliveries } from '@keywright/contract/routes/logout-deliveries';
import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createSubjectFor } from '../claims/index.ts';
import { clientsModule } from '../clients/module.ts';
import { listLogoutDeliveriesPage } from './list.ts';
import { createLogoutToken } from './logout-token.ts';
import { createLogoutQueue, type LogoutQueue } from './queue.ts';
import { createTell } from './telling.ts';

const KEPT_SECONDS = 30 * DAY_SECONDS;

interface BackchannelLogout {
  readonly queue: LogoutQueue;
}

export const backchannelLogoutModule = defineModule<BackchannelLogout>(
  'back-channel logout',
  (core, use) => {
    const { keys, signJwt } = use(signingKeysModule);
    const subjectFor = createSubjectFor(keys);
    const logoutToken = createLogoutToken({ ...core, signJwt, subjectFor });
    const queue = createLogoutQueue(
      core,
      createTell({ ...core, ...use(clientsModule), logoutToken }),
    );
    return {
      offer: { queue },
      sweeps: [expiring('logout_deliveries', 'created_at', KEPT_SECONDS)],
      routes: (router) =>
        router.add(listLogoutDeliveries, ({ tenant, params, query }, fail) =>
          listLogoutDeliveriesPage(core.gate.into(tenant.id), params.client_id, query, fail),
        ),
      start: queue.start,
      stop: queue.stop,
    };
  },
);
