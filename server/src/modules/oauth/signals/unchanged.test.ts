import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { SignalClient } from '@keywright/tests/harness/signals';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('signals');
});
after(() => keywright.close());

test('A request that changes nothing, of the receiver or of an administrator, leaves a stream as it is', async () => {
  const client = await SignalClient.register(tenant);
  const stream = await client.stream();
  const { stream_id, events_requested } = stream;
  const path = `/clients/${client.client.id}/signal-streams/${stream_id}`;
  const token = await tenant.adminToken();
  const entries = async () => {
    const [row] = await keywright.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM audit_entries WHERE tenant_id = $1 AND action = 'signals.stream_updated'`,
      [tenant.id],
    );
    return row?.n ?? 0;
  };
  const past = await entries();
  for (const body of [{ stream_id, events_requested }, { ...stream }]) {
    assert.deepEqual(expectStatus(200, await client.call('PATCH', '/streams', body)), stream);
  }
  const body = { status: 'enabled' };
  const status = await client.call('POST', '/status', { stream_id, ...body });
  assert.deepEqual(expectStatus(200, status), { stream_id, ...body });
  expectStatus(200, await tenant.request('PATCH', path, { token, body }));
  assert.equal(await entries(), past);
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { status: 'paused' } }));
  expectStatus(200, await client.call('PATCH', '/streams', { stream_id, description: 'Mine' }));
  assert.equal(await entries(), past + 2);
  expectStatus(200, await client.call('POST', '/status', { stream_id, ...body }));
  assert.equal(await entries(), past + 3);
});

test('A stream record that is sent back unchanged to the route for administrators keeps its reason', async () => {
  const client = await SignalClient.register(tenant);
  const { stream_id } = await client.stream();
  const path = `/clients/${client.client.id}/signal-streams/${stream_id}`;
  const token = await tenant.adminToken();
  const body = { status: 'paused', reason: 'Maintenance' };
  expectStatus(200, await tenant.request('PATCH', path, { token, body }));
  const record = expectStatus(200, await tenant.request('GET', path, { token }));
  assert.equal(record['status_reason'], 'Maintenance');
  const again = await tenant.request('PATCH', path, { token, body: record });
  assert.deepEqual(expectStatus(200, again), record);
});
