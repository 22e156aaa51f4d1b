import assert from 'node:assert/strict';
import type { Check } from './function-check.ts';
import type { Seeded } from './seed.ts';

/** The database function that loads a tenant into a node. */
export const TENANT_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_load_tenant_and_providers: async ({ local, foreign, rows, asOwner, deleteTenant }) => {
    const load = async (id: string | null, domain: string | null) => {
      const loaded = await rows('kw_load_tenant_and_providers($1, $2)', id, domain);
      return loaded.map((row) => [row['tenant_id'], row['id'], row['wrapped_key']]);
    };
    const whole = ({ tenantId, subject }: Seeded) => [[tenantId, `key_${tenantId}`, subject]];
    for (const tenant of [local, foreign]) {
      assert.deepEqual(await load(tenant.tenantId, null), whole(tenant));
      assert.deepEqual(await load(null, tenant.domain), whole(tenant));
    }
    // If both are given, the ID decides.
    assert.deepEqual(await load('org_nobody', foreign.domain), []);
    assert.deepEqual(await load(null, 'unknown.example.com'), []);
    await asOwner(`DELETE FROM signing_keys WHERE tenant_id = '${local.tenantId}'`);
    assert.deepEqual(await load(local.tenantId, null), [[local.tenantId, null, local.subject]]);
    // A tenant that is being deleted is not found by its ID or its domain.
    await deleteTenant();
    assert.deepEqual(await load(local.tenantId, null), []);
    assert.deepEqual(await load(null, local.domain), []);
  },
};
