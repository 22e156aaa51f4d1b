// GET /events/stream: what it sends, where it starts, and when it ends.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { EventRecord } from '@keywright/contract/events';
import { followEvents, type Tail } from '@keywright/tests/harness/event-tail';
import { expectStatus } from '@keywright/tests/harness/http';
import { settledEvents } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`tail-${tenants}`);
}

interface FollowOptions {
  readonly token: string;
  readonly query?: string;
  readonly lastId?: string;
  readonly node?: number;
}

function follow(
  tenant: TestTenant,
  { token, query = '', lastId, node = 0 }: FollowOptions,
): Promise<Tail> {
  const url = keywright.nodes[node]?.url ?? '';
  return followEvents(url, `/api/sso/v1/events/stream${query}`, {
    authorization: `Bearer ${token}`,
    'x-tenant-id': tenant.id,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  });
}

async function makeRoom(tenant: TestTenant, name: string, node = 0): Promise<void> {
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/workspaces', { token, node, body: { name } }));
}

function typesOf(events: readonly EventRecord[]): string[] {
  return events.map(({ type }) => type);
}

test('An event stream sends new events from any node, as in the log, and none of another tenant', async () => {
  const [tenant, other] = [await freshTenant(), await freshTenant()];
  const token = await tenant.adminToken();
  await settledEvents(tenant);
  const tail = await follow(tenant, { token });
  assert.equal(tail.status, 200);
  await makeRoom(other, 'Elsewhere');
  await makeRoom(tenant, 'Attic');
  await makeRoom(tenant, 'Loft', 1);
  await until('both are there', () => tail.events().length >= 2);
  assert.deepEqual(typesOf(tail.events()), ['workspace.created', 'workspace.created']);
  const logged = (await settledEvents(tenant)).slice(-3, -1);
  assert.deepEqual(tail.events().slice(0, 2), logged);
  const ids = [...tail.text().matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  assert.deepEqual(
    ids.slice(0, 2),
    logged.map(({ id }) => id),
  );
  tail.close();
});

test('An event stream resumes after a given event, and sends more than one page of missed events', async () => {
  const tenant = await freshTenant();
  const token = await tenant.adminToken();
  const [first] = await settledEvents(tenant);
  const missed = 105;
  for (let room = 0; room < missed; room += 1) await makeRoom(tenant, `Room ${room}`);
  const logged = await settledEvents(tenant);
  const tail = await follow(tenant, { token, lastId: first?.id ?? '', node: 1 });
  await until('all are there', () => tail.events().length >= logged.length - 1);
  assert.deepEqual(tail.events(), logged.slice(1));
  tail.close();
  for (const lastId of ['evt_00000000000000000000000000', 'nonsense']) {
    assert.equal((await follow(tenant, { token, lastId })).status, 400);
  }
});

test('An event stream sends only the events that its filter admits', async () => {
  const tenant = await freshTenant();
  const token = await tenant.adminToken();
  await settledEvents(tenant);
  const tail = await follow(tenant, { token, query: '?type=user.created' });
  await makeRoom(tenant, 'Attic');
  const { user } = await tenant.createUser();
  await until('it is there', () => tail.events().length > 0);
  assert.deepEqual(
    tail.events().map(({ type, data }) => [type, Reflect.get(data, 'user_id')]),
    [['user.created', user.id]],
  );
  tail.close();
});

test('An event stream ends when the session ends, the key is revoked, or the scope is taken away', async () => {
  const tenant = await freshTenant();
  const token = await tenant.adminToken();
  const user = await tenant.createUser({ roles: ['admin'] });
  const { agent, record, key } = await tenant.createAgent({ scopes: ['read:events'] });
  const second = await tenant.createAgent({ scopes: ['read:events'] });
  const tails = [
    await follow(tenant, { token: user.token }),
    await follow(tenant, { token: key, node: 1 }),
    await follow(tenant, { token: second.key }),
  ];
  const remaining = await follow(tenant, { token });
  assert.deepEqual(
    tails.map(({ status }) => status),
    [200, 200, 200],
  );
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: user.token }));
  expectStatus(200, await tenant.request('DELETE', `/apikeys/${record.id}`, { token }));
  const lesser = { token, body: { scopes: ['read:users'] } };
  expectStatus(200, await tenant.request('PATCH', `/agents/${second.agent.id}`, lesser));
  await until('all are over', () => tails.every((tail) => tail.isOver()));
  await makeRoom(tenant, 'Attic');
  await until('the other one continues', () =>
    typesOf(remaining.events()).includes('workspace.created'),
  );
  for (const tail of tails) assert.ok(!typesOf(tail.events()).includes('workspace.created'));
  assert.equal(agent.tenant_id, tenant.id);
  remaining.close();
});

test('An event stream ends when the tenant is deactivated', async () => {
  const tenant = await freshTenant();
  const tail = await follow(tenant, { token: await tenant.adminToken() });
  const off = { token: await keywright.adminToken(), body: { is_active: false } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, off));
  await until('it is over', () => tail.isOver());
});

test('An event stream ends when the node stops, which does not wait for its readers', async () => {
  const dedicated = await startKeywright({ nodes: 1 });
  const there = await dedicated.tenant('leaving');
  const tail = await followEvents(dedicated.url, '/api/sso/v1/events/stream', {
    authorization: `Bearer ${await there.adminToken()}`,
    'x-tenant-id': there.id,
  });
  await dedicated.close();
  await until('it is over', () => tail.isOver());
  assert.ok(tail.isWhole(), 'the node itself ended it');
});

test('An address can open a limited number of event streams, and another one when one is closed', async () => {
  const tenant = await freshTenant();
  const token = await tenant.adminToken();
  const tails: Tail[] = [];
  for (;;) {
    const tail = await follow(tenant, { token });
    if (tail.status === 503) break;
    tails.push(tail);
    assert.ok(tails.length <= 50);
  }
  assert.ok(tails.length > 1);
  tails.pop()?.close();
  await until('a place is free', async () => {
    const tail = await follow(tenant, { token });
    if (tail.status === 200) tails.push(tail);
    return tail.status === 200;
  });
  for (const tail of tails) tail.close();
});
