import assert from 'node:assert/strict';
import type { Check } from './function-check.ts';
import type { Seeded } from './seed.ts';

/** What a node loads of a tenant at its first request. */
export async function checkLoading(
  name: string,
  { own, foreign, rows, asOwner, deleteOwn }: Parameters<Check>[0],
): Promise<void> {
  const load = async (id: string | null, domain: string | null) => {
    const loaded = await rows(`${name}($1, $2)`, id, domain);
    return loaded.map((row) => [row['tenant_id'], row['id'], row['wrapped_key']]);
  };
  const whole = ({ tenantId, subject }: Seeded) => [[tenantId, `key_${tenantId}`, subject]];
  for (const one of [own, foreign]) {
    assert.deepEqual(await load(one.tenantId, null), whole(one));
    assert.deepEqual(await load(null, one.domain), whole(one));
  }
  // A given id is decisive.
  assert.deepEqual(await load('org_nobody', foreign.domain), []);
  assert.deepEqual(await load(null, 'nobody.example.com'), []);
  await asOwner(`DELETE FROM signing_keys WHERE tenant_id = '${own.tenantId}'`);
  assert.deepEqual(await load(own.tenantId, null), [[own.tenantId, null, own.subject]]);
  // A tenant being deleted is gone, however it is named.
  await deleteOwn();
  assert.deepEqual(await load(own.tenantId, null), []);
  assert.deepEqual(await load(null, own.domain), []);
}
