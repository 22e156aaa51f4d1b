import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { eventsFrom } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

const DAY_SECONDS = 86_400;

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});

after(() => keywright.close());

function freshTenant(config = {}): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`sweep-${tenants}`, { config });
}

function sweep(): Promise<number | undefined> {
  return Promise.resolve(keywright.nodes[0]?.housekeeping.sweep());
}

async function count(table: string, tenant: TestTenant): Promise<number | undefined> {
  const [row] = await keywright.database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM ${table} WHERE tenant_id = $1`,
    [tenant.id],
  );
  return row?.n;
}

test('Attempt counts are deleted when their window ends, and not before', async () => {
  const tenant = await freshTenant({ login_attempts_limit: 1, login_attempts_window: 60 });
  const body = { identifier: newIdentifier(), secret: newPassword() };
  expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
  // By address, network and identifier for 60 seconds, and by identifier and new network for a day.
  assert.equal(await count('login_attempts', tenant), 5);
  keywright.clock.advance(60);
  await sweep();
  assert.equal(await count('login_attempts', tenant), 5);
  keywright.clock.advance(1);
  await sweep();
  assert.equal(await count('login_attempts', tenant), 2);
  keywright.clock.advance(DAY_SECONDS);
  await sweep();
  assert.equal(await count('login_attempts', tenant), 0);
});

test('Responses kept for repeated requests are deleted after 24 hours, and not before', async () => {
  const tenant = await freshTenant();
  const options = {
    token: await tenant.adminToken(),
    headers: { 'idempotency-key': 'one' },
    body: { identifier: newIdentifier(), password: newPassword() },
  };
  expectStatus(201, await tenant.request('POST', '/users', options));
  keywright.clock.advance(DAY_SECONDS);
  await sweep();
  assert.equal(await count('idempotency_keys', tenant), 1);
  keywright.clock.advance(1);
  await sweep();
  assert.equal(await count('idempotency_keys', tenant), 0);
});

test('Sessions are deleted 30 days after their end, and others are kept', async () => {
  const tenant = await freshTenant({ refresh_token_absolute_ttl: DAY_SECONDS });
  const logIn = () => tenant.login(newIdentifier(), newPassword(), { extra: { register: true } });
  await logIn();
  keywright.clock.advance(31 * DAY_SECONDS);
  const { access_token: token } = await logIn();
  await sweep();
  assert.equal(await count('sessions', tenant), 2);
  keywright.clock.advance(1);
  await sweep();
  const rows = await keywright.database.query<{ id: string }>(
    'SELECT id FROM sessions WHERE tenant_id = $1',
    [tenant.id],
  );
  assert.deepEqual(rows, [{ id: claimsOf(token).sid }]);
  assert.equal(await count('users', tenant), 2);
  expectStatus(200, await tenant.request('GET', '/me', { token }));
});

test('A sweep ends only when nothing is left, and reports how many rows it deleted', async () => {
  const tenant = await freshTenant();
  await sweep();
  await keywright.database.query(
    `INSERT INTO login_attempts (tenant_id, subject, window_started_at, window_ends_at, attempts)
     SELECT $1, int4send(n), timestamptz '2020-01-01', timestamptz '2020-01-02', 1
       FROM generate_series(1, 2500) AS n`,
    [tenant.id],
  );
  assert.equal(await sweep(), 2500);
  assert.equal(await count('login_attempts', tenant), 0);
  assert.equal(await sweep(), 0);
});

test('Events are deleted after 30 days, and the audit log is kept', async () => {
  const tenant = await freshTenant();
  await tenant.createUser();
  const [read] = await eventsFrom(tenant, () => tenant.createUser());
  const [events, entries] = [await count('events', tenant), await count('audit_entries', tenant)];
  assert.ok(events && entries);
  keywright.clock.advance(30 * DAY_SECONDS);
  await sweep();
  assert.equal(await count('events', tenant), events);
  keywright.clock.advance(1);
  await sweep();
  assert.equal(await count('events', tenant), 0);
  assert.equal(await count('audit_entries', tenant), entries);
  // A reader that fell behind the retention gets an error instead of incomplete events.
  const path = `/events?after=${read?.id}`;
  const late = await tenant.request('GET', path, { token: await tenant.adminToken() });
  assert.equal(expectStatus(400, late)['code'], 'EVENT_UNKNOWN');
});
