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

  kw_finish_deliveries: async ({ own, foreign, value, rows }) => {
    const finish = (tenant: Seeded, delivery: Seeded, attempts: number) =>
      rows(
        `kw_finish_deliveries($1, $2, $3, $4, '{delivered}', $5, '{200}', '{ok}', $6, $7)`,
        [tenant.tenantId],
        [delivery.webhookId],
        [delivery.deliveryId],
        [attempts],
        [null],
        [null],
        NOW,
      );
    const delivered = `(SELECT count(*)::integer FROM webhook_deliveries WHERE status = 'delivered')`;
    await finish(own, foreign, 0);
    // An attempt that somebody has taken over meanwhile is not the last word.
    await finish(own, own, 7);
    assert.equal(await value(delivered), 0);
    await finish(own, own, 0);
    assert.equal(await value(delivered), 1);
  },
};
