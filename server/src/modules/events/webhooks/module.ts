import { defineModule } from '../../../tenancy/module.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { createDeliveryQueue } from './queue.ts';
import { bindWebhookRoutes } from './routes.ts';

const DELIVERIES_KEPT_SECONDS = 30 * DAY_SECONDS;

export const webhooksModule = defineModule('webhooks', (core) => {
  const queue = createDeliveryQueue(core);
  return {
    offer: { queue },
    routes: (router) => bindWebhookRoutes(router, core),
    sweeps: [expiring('webhook_deliveries', 'created_at', DELIVERIES_KEPT_SECONDS)],
    start: queue.start,
    stop: queue.stop,
  };
});
