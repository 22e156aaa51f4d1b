import assert from 'node:assert/strict';
import { type Check, NOW } from './function-check.ts';
import type { Seeded } from './seed.ts';

/** The functions that deliveries go through. */
export const WEBHOOK_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_claim_deliveries: async ({ own, foreign, rows, deleteOwn }) => {
    const claim = async (webhooks: readonly Seeded[], limits: readonly number[] = [9, 9]) => {
      const tenants = [own.tenantId, own.tenantId].slice(0, webhooks.length);
      const ids = webhooks.map((one) => one.webhookId);
      const values = [tenants, ids, limits, NOW, 60];
      const found = await rows('kw_claim_deliveries($1, $2, $3, $4, $5)', ...values);
      return found.map((row) => row['id']);
    };
    assert.deepEqual(await claim([foreign]), []);
    assert.deepEqual(await claim([own], [0]), []);
    assert.deepEqual(await claim([foreign, own]), [own.deliveryId]);
    assert.deepEqual(await claim([own]), [], 'until the lease ends, nobody else gets it');
    await deleteOwn();
  },

  kw_hold_deliveries: async ({ own, foreign, value }) => {
    const later = new Date(NOW.getTime() + 60_000);
    const hold = async (tenant: Seeded, { webhookId, deliveryId }: Seeded, takes: number) => {
      const held = JSON.stringify([{ webhook_id: webhookId, id: deliveryId, takes }]);
      await value('kw_hold_deliveries($1, $2, $3)', [tenant.tenantId], [held], later);
      return value(
        '(SELECT count(*)::integer FROM webhook_deliveries WHERE held_until = $1)',
        later,
      );
    };
    assert.equal(await hold(own, foreign, 0), 0);
    assert.equal(await hold(own, own, 7), 0, 'what somebody has taken over stays with them');
    assert.equal(await hold(own, own, 0), 1);
  },

  kw_finish_deliveries: async ({ own, foreign, value, rows }) => {
    const finish = (
      tenant: Seeded,
      delivery: Seeded,
      takes: number,
      outcome = 'delivered',
      hopelessSince = NOW,
    ) => {
      const { webhookId, deliveryId } = delivery;
      const finished = [{ webhook_id: webhookId, id: deliveryId, takes, outcome, status: 200 }];
      const values = [[tenant.tenantId], [JSON.stringify(finished)], NOW, hopelessSince];
      return rows('kw_finish_deliveries($1, $2, $3, $4)', ...values);
    };
    const delivered = `(SELECT count(*)::integer FROM webhook_deliveries WHERE status = 'delivered')`;
    await finish(own, foreign, 0);
    // An attempt that somebody has taken over meanwhile is not the last word.
    await finish(own, own, 7);
    assert.equal(await value(delivered), 0);
    const before = new Date(NOW.getTime() - 1);
    assert.deepEqual(await finish(own, own, 0, 'retry', before), [], 'it fails from now on');
    const hopeless = { tenant_id: own.tenantId, webhook_id: own.webhookId };
    assert.deepEqual(await finish(own, own, 0, 'retry'), [hopeless]);
    await finish(own, own, 0);
    assert.equal(await value(delivered), 1);
  },
};
