import assert from 'node:assert/strict';
import { parseDeliveryId } from '@keywright/contract/ids';
import { type Check, NOW } from './function-check.ts';
import type { Seeded } from './seed.ts';
import { isForbidden } from './session.ts';

/** A delivery that was never claimed, for which no row needs to exist. */
function never({ webhookId, deliveryId }: Seeded) {
  const event = { event_id: deliveryId, event_type: 'user.deleted', created_at: NOW };
  return { webhook_id: webhookId, id: deliveryId, ...event };
}

/** The database functions of webhook deliveries. */
export const WEBHOOK_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_claim_deliveries: async ({ local, foreign, rows, deleteTenant }) => {
    const claim = async (webhooks: readonly Seeded[], limits = [9, 9], now = NOW) => {
      const tenants = [local.tenantId, local.tenantId].slice(0, webhooks.length);
      const ids = webhooks.map((webhook) => webhook.webhookId);
      const values = [tenants, ids, limits, now, 60];
      const found = await rows('kw_claim_deliveries($1, $2, $3, $4, $5)', ...values);
      return found.map((row) => row['id']);
    };
    assert.deepEqual(await claim([foreign]), []);
    assert.deepEqual(await claim([local], [0]), []);
    assert.deepEqual(await claim([foreign, local]), [local.deliveryId]);
    assert.deepEqual(await claim([local]), [], 'until the lease ends, no other node gets it');
    const later = new Date(NOW.getTime() + 60_000);
    assert.deepEqual(await claim([local], [9], later), [local.deliveryId], 'it is taken over then');
    await deleteTenant();
  },

  kw_renew_deliveries: async ({ local, foreign, value, deleteTenant }) => {
    const later = new Date(NOW.getTime() + 60_000);
    const hold = async (tenant: Seeded, delivery: Seeded, takes: number) => {
      const leased = JSON.stringify([{ ...never(delivery), takes }]);
      await value('kw_renew_deliveries($1, $2, $3)', [tenant.tenantId], [leased], later);
      return value(
        '(SELECT count(*)::integer FROM webhook_deliveries WHERE held_until = $1)',
        later,
      );
    };
    assert.equal(await hold(local, foreign, 1), 0);
    assert.equal(
      await hold(local, local, 7),
      0,
      'what another node has taken over remains with it',
    );
    assert.equal(await hold(local, local, 0), 1);
    assert.equal(await hold(local, foreign, 0), 2, 'one that has no row gets one, of this tenant');
    await deleteTenant();
    const another = { ...local, deliveryId: 'job_another' };
    assert.equal(await hold(local, another, 0), 2, 'none comes behind the end of a tenant');
  },

  kw_delivery_id: async ({ local, foreign, value }) => {
    const event = `evt_${'0'.repeat(26)}`;
    const ids = [];
    for (const { webhookId } of [local, foreign]) {
      // The function reads no table, so it cannot disclose anything.
      const id = String(await value('kw_delivery_id($1, $2)', event, webhookId));
      assert.ok(parseDeliveryId(id), id);
      assert.equal(id.slice(4, 18), event.slice(4, 18));
      ids.push(id);
    }
    assert.notEqual(ids[0], ids[1]);
  },

  kw_attempts_after: async ({ value }) => {
    // The function reads only its arguments.
    const after = (history: string | null, status: number, at: Date | null = NOW) =>
      value('kw_attempts_after($1, $2, $3, 7, NULL, $4)', history, at, status, 'x'.repeat(300));
    const first = await after(null, 200);
    assert.deepEqual(first, [
      { at: NOW.toISOString(), status: 200, duration_ms: 7, reason: null, body: 'x'.repeat(256) },
    ]);
    assert.deepEqual(await after(JSON.stringify(first), 500, null), first);
    const ten = JSON.stringify(Array.from({ length: 10 }, (_, n) => n));
    const eleventh = (await after(ten, 500)) as readonly unknown[];
    assert.deepEqual(eleventh.slice(0, -1), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  },

  kw_queue_unsent: async ({ value, entered }) => {
    // It covers all tenants in one call.
    assert.ok(await isForbidden(() => entered(() => value('kw_queue_unsent($1)', NOW))));
  },

  kw_finish_deliveries: async ({ local, foreign, value, rows, deleteTenant }) => {
    const finish = (
      tenant: Seeded,
      delivery: Seeded,
      takes: number,
      outcome = 'delivered',
      hopelessSince = NOW,
    ) => {
      const finished = [{ ...never(delivery), takes, outcome, status: 200 }];
      const values = [[tenant.tenantId], [JSON.stringify(finished)], NOW, hopelessSince];
      return rows('kw_finish_deliveries($1, $2, $3, $4)', ...values);
    };
    const delivered = `(SELECT count(*)::integer FROM webhook_deliveries WHERE status = 'delivered')`;
    await finish(local, foreign, 1);
    // An attempt that another node has taken over meanwhile does not settle the delivery.
    await finish(local, local, 7);
    assert.equal(await value(delivered), 0);
    const before = new Date(NOW.getTime() - 1);
    assert.deepEqual(await finish(local, local, 0, 'retry', before), [], 'it fails from now on');
    const hopeless = { tenant_id: local.tenantId, webhook_id: local.webhookId };
    assert.deepEqual(await finish(local, local, 0, 'retry'), [hopeless]);
    const claim = 'kw_claim_deliveries($1, $2, $3, $4, 6)';
    assert.equal((await rows(claim, [local.tenantId], [local.webhookId], [1], NOW)).length, 1);
    await finish(local, local, 0);
    assert.equal(await value(delivered), 0, 'one that was never taken, and is by now, likewise');
    await finish(local, local, 1);
    assert.equal(await value(delivered), 1);
    await finish(local, { ...local, deliveryId: 'job_another' }, 0);
    assert.equal(await value(delivered), 2, 'one that has no row gets one');
    await deleteTenant();
    await finish(local, { ...local, deliveryId: 'job_third' }, 0);
    assert.equal(await value(delivered), 2, 'none comes behind the end of a tenant');
  },
};
