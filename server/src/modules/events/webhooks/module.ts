import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  retryDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@keywright/contract/routes/webhooks';
import type { Clock } from '../../../platform/clock.ts';
import { newWebhookId } from '../../../platform/crypto/ids.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { once } from '../../../tenancy/idempotency.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { DAY_SECONDS, expiring } from '../../../tenancy/sweep-store.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import { listDeliveriesPage, replay, retry, sendTest } from './delivery-service.ts';
import {
  changeWebhook,
  getWebhookById,
  listWebhooksPage,
  removeWebhook,
  requireCallable,
  rotateSecret,
  writeWebhook,
} from './endpoint-service.ts';
import { newWebhookSecret } from './webhook-signature.ts';

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

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly clock: Clock;
}

function bindWebhookRoutes(router: Router, dependencies: Dependencies): void {
  bindEndpoints(router, dependencies);
  bindSecrets(router, dependencies);
  bindDeliveries(router, dependencies.gate);
}

function bindEndpoints(router: Router, { gate, dataKeys, egress, clock }: Dependencies): void {
  router.add(listWebhooks, ({ tenant, query }, fail) =>
    listWebhooksPage(gate.into(tenant.id), query, fail),
  );
  router.add(createWebhook, async ({ tenant, caller, body, repeatable }, fail) => {
    requireCallable(egress, body.url, fail);
    const secret = body.secret ?? newWebhookSecret();
    const id = newWebhookId(clock.now());
    const made = await dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, (tx) =>
        writeWebhook(tx, caller, dataKey, { ...body, id, secret }, fail),
      ),
    );
    // A repeated answer has the same id, and lacks the secret, which is shown once.
    return made.id === id ? { ...made, secret } : made;
  });
  router.add(getWebhook, ({ tenant, params }, fail) =>
    getWebhookById(gate.into(tenant.id), params.webhook_id, fail),
  );
  router.add(updateWebhook, ({ tenant, caller, params, body }, fail) => {
    requireCallable(egress, body.url, fail);
    return dataKeys.use(tenant.id, (dataKey) =>
      changeWebhook(gate.into(tenant.id), caller, dataKey, params.webhook_id, body, fail),
    );
  });
  router.add(deleteWebhook, async ({ tenant, caller, params }, fail) => ({
    id: await removeWebhook(gate.into(tenant.id), caller, params.webhook_id, fail),
    deleted: true as const,
  }));
}

function bindSecrets(router: Router, { gate, dataKeys }: Dependencies): void {
  router.add(rotateWebhookSecret, async ({ tenant, caller, params, body, repeatable }, fail) => {
    const { secret = newWebhookSecret(), overlap_hours: overlapHours } = body;
    const rotation = { id: params.webhook_id, secret, overlapHours };
    let fresh: unknown;
    const rotated = await dataKeys.use(tenant.id, (dataKey) =>
      once(gate.into(tenant.id), repeatable, async (tx) => {
        const answer = await rotateSecret(tx, caller, dataKey, rotation, fail);
        fresh = answer;
        return answer;
      }),
    );
    return rotated === fresh ? { ...rotated, secret } : rotated;
  });
}

function bindDeliveries(router: Router, gate: Gate): void {
  router.add(listDeliveries, ({ tenant, params, query }, fail) =>
    listDeliveriesPage(gate.into(tenant.id), params.webhook_id, query, fail),
  );
  router.add(testWebhook, ({ tenant, caller, params, repeatable }, fail) =>
    once(gate.into(tenant.id), repeatable, (tx) => sendTest(tx, caller, params.webhook_id, fail)),
  );
  router.add(retryDelivery, ({ tenant, caller, params, repeatable }, fail) =>
    once(gate.into(tenant.id), repeatable, (tx) =>
      retry(tx, caller, params.webhook_id, params.delivery_id, fail),
    ),
  );
  router.add(replayWebhook, ({ tenant, caller, params, body, repeatable }, fail) =>
    once(gate.into(tenant.id), repeatable, (tx) =>
      replay(tx, caller, params.webhook_id, body, fail),
    ),
  );
}
