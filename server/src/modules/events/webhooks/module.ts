import * as contract from '@keywright/contract/routes/webhooks';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { DeliveryService } from './delivery-service.ts';
import { EndpointService } from './endpoint-service.ts';

export const RETENTION_SECONDS = 30 * DAY_SECONDS;

export const webhooksModule = defineModule('webhooks', (core) => {
  const queue = new DeliveryQueue(core);
  const endpoints = new EndpointService(core);
  const deliveries = new DeliveryService(core.gate);
  return {
    offer: { queue },
    routes(router) {
      bindEndpoints(router, endpoints);
      bindDeliveries(router, deliveries);
    },
    sweeps: [expiring('webhook_deliveries', 'created_at', RETENTION_SECONDS)],
    start: () => queue.start(),
    stop: () => queue.stop(),
  };
});

function bindEndpoints(router: Router, endpoints: EndpointService): void {
  router.add(contract.listWebhooks, ({ tenant, query }, fail) =>
    endpoints.list(tenant.id, query, fail),
  );
  router.add(contract.createWebhook, ({ tenant, caller, body, repeatable }, fail) =>
    endpoints.create(tenant.id, caller, body, repeatable, fail),
  );
  router.add(contract.getWebhook, ({ tenant, params }, fail) =>
    endpoints.get(tenant.id, params.webhook_id, fail),
  );
  router.add(contract.updateWebhook, ({ tenant, caller, params, body }, fail) =>
    endpoints.update(tenant.id, caller, params.webhook_id, body, fail),
  );
  router.add(contract.deleteWebhook, ({ tenant, caller, params }, fail) =>
    endpoints.delete(tenant.id, caller, params.webhook_id, fail),
  );
  router.add(contract.rotateWebhookSecret, ({ tenant, caller, params, body, repeatable }, fail) =>
    endpoints.rotateSecret(tenant.id, caller, params.webhook_id, body, repeatable, fail),
  );
}

function bindDeliveries(router: Router, deliveries: DeliveryService): void {
  router.add(contract.listDeliveries, ({ tenant, params, query }, fail) =>
    deliveries.list(tenant.id, params.webhook_id, query, fail),
  );
  router.add(contract.testWebhook, ({ tenant, caller, params, repeatable }, fail) =>
    deliveries.sendTest(tenant.id, caller, params.webhook_id, repeatable, fail),
  );
  router.add(contract.retryDelivery, ({ tenant, caller, params, repeatable }, fail) => {
    const { webhook_id: id, delivery_id: delivery } = params;
    return deliveries.retry(tenant.id, caller, { id, delivery }, repeatable, fail);
  });
  router.add(contract.replayWebhook, ({ tenant, caller, params, body, repeatable }, fail) =>
    deliveries.replay(tenant.id, caller, params.webhook_id, body, repeatable, fail),
  );
}
