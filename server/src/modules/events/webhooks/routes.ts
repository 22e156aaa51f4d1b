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
import type { Fail } from '@keywright/contract/errors';
import type { Route } from '@keywright/contract/route';
import type { Clock } from '../../../platform/clock.ts';
import { newWebhookId } from '../../../platform/crypto/ids.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { type Caller, nameOf } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { once, type ReadRepeatable } from '../../operations/idempotency/index.ts';
import { newWebhookSecret } from './secret.ts';
import { listDeliveriesPage, replay, retry, sendTest } from './deliveries.ts';
import {
  changeWebhook,
  getWebhookById,
  listWebhooksPage,
  removeWebhook,
  requireCallable,
  requireUsable,
  rotateSecret,
  writeWebhook,
} from './service.ts';

interface Parts {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly egress: Egress;
  readonly readRepeatable: ReadRepeatable;
  readonly clock: Clock;
}

/** A POST, as far as it tells whether it is the same as another one. */
interface Request {
  readonly tenant: Tenant;
  readonly caller: Caller;
  readonly params: object;
  readonly body: object | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

type Refuse = Fail<'VALIDATION_FAILED' | 'IDEMPOTENCY_KEY_REUSED'>;

/** Does the work of a POST in one transaction, and once for each Idempotency-Key. */
type Repeatably = <Answer>(
  route: Route,
  request: Request,
  fail: Refuse,
  work: (tx: TenantTx) => Promise<Answer>,
) => Promise<Answer>;

export function bindWebhookRoutes(router: Router, parts: Parts): void {
  const repeatably = createRepeatably(parts);
  bindEndpoints(router, parts, repeatably);
  bindSecrets(router, parts, repeatably);
  bindDeliveries(router, parts.gate, repeatably);
}

function createRepeatably({ gate, readRepeatable }: Parts): Repeatably {
  return async (route, { tenant, caller, params, body, headers }, fail, work) => {
    // What the path names is part of what must be the same when this is repeated.
    const asked = { caller: nameOf(caller), route: route.id, body: { ...params, ...body } };
    const repeatable = await readRepeatable(tenant.id, asked, headers['idempotency-key'], fail);
    return gate
      .into(tenant.id)
      .transaction((tx) => once(tx, repeatable, tx.now, fail, () => work(tx)));
  };
}

function bindEndpoints(
  router: Router,
  { gate, dataKeys, egress, clock }: Parts,
  repeatably: Repeatably,
): void {
  router.add(listWebhooks, ({ tenant, query }, fail) =>
    listWebhooksPage(gate.into(tenant.id), query, fail),
  );
  router.add(createWebhook, async (call, fail) => {
    const { tenant, caller, body } = call;
    requireCallable(egress, body.url, fail);
    requireUsable(body.secret, fail);
    const secret = body.secret ?? newWebhookSecret();
    const dataKey = await dataKeys.get(tenant.id);
    const id = newWebhookId(clock.now());
    const made = await repeatably(createWebhook, call, fail, (tx) =>
      writeWebhook(tx, caller, dataKey, { ...body, id, secret }, fail),
    );
    // A repeated answer has the id of before, and lacks the secret: it is shown once.
    return made.id === id ? { ...made, secret } : made;
  });
  router.add(getWebhook, ({ tenant, params }, fail) =>
    getWebhookById(gate.into(tenant.id), params.webhook_id, fail),
  );
  router.add(updateWebhook, ({ tenant, caller, params, body }, fail) => {
    requireCallable(egress, body.url, fail);
    return changeWebhook(gate.into(tenant.id), caller, params.webhook_id, body, fail);
  });
  router.add(deleteWebhook, async ({ tenant, caller, params }, fail) => ({
    id: await removeWebhook(gate.into(tenant.id), caller, params.webhook_id, fail),
    deleted: true as const,
  }));
}

function bindSecrets(router: Router, { dataKeys }: Parts, repeatably: Repeatably): void {
  router.add(rotateWebhookSecret, async (call, fail) => {
    const { tenant, caller, params, body } = call;
    requireUsable(body.secret, fail);
    const dataKey = await dataKeys.get(tenant.id);
    const { secret = newWebhookSecret(), overlap_hours: overlapHours } = body;
    const rotation = { id: params.webhook_id, secret, overlapHours };
    let isRepeated = true;
    const rotated = await repeatably(rotateWebhookSecret, call, fail, (tx) => {
      isRepeated = false;
      return rotateSecret(tx, caller, dataKey, rotation, fail);
    });
    return isRepeated ? rotated : { ...rotated, secret };
  });
}

function bindDeliveries(router: Router, gate: Gate, repeatably: Repeatably): void {
  router.add(listDeliveries, ({ tenant, params, query }, fail) =>
    listDeliveriesPage(gate.into(tenant.id), params.webhook_id, query, fail),
  );
  router.add(testWebhook, (call, fail) =>
    repeatably(testWebhook, call, fail, (tx) =>
      sendTest(tx, call.caller, call.params.webhook_id, fail),
    ),
  );
  router.add(retryDelivery, (call, fail) => {
    const { webhook_id: webhookId, delivery_id: deliveryId } = call.params;
    return repeatably(retryDelivery, call, fail, (tx) =>
      retry(tx, call.caller, webhookId, deliveryId, fail),
    );
  });
  router.add(replayWebhook, (call, fail) =>
    repeatably(replayWebhook, call, fail, (tx) =>
      replay(tx, call.caller, call.params.webhook_id, call.body.after, fail),
    ),
  );
}
