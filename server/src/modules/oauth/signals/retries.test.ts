import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { withStatus } from '@keywright/tests/harness/logout-receiver';
import {
  nameOf,
  SignalClient,
  type SignalReceiver,
  startSignalReceiver,
} from '@keywright/tests/harness/signals';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const HOUR = 3600;
const DAY = 24 * HOUR;

let keywright: Keywright;
let tenant: TestTenant;
let receiver: SignalReceiver;
let client: SignalClient;
const lines: string[] = [];
let paths = 0;
let tenants = 0;

before(async () => {
  receiver = await startSignalReceiver();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_LOG_LEVEL: 'warn' },
    log: (line) => lines.push(line),
  });
});
beforeEach(async () => {
  tenants += 1;
  tenant = await keywright.tenant(`patient-${tenants}`);
  receiver.answer = withStatus(202);
  client = await SignalClient.register(tenant, { reach: 'all_users' });
});
after(async () => {
  await keywright.close();
  await receiver.close();
});

const deliver = () => keywright.nodes[0]?.signals.runDue();

interface Delivery {
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly reason: string | null;
}

/** A stream that is pushed to its own path. */
async function streamTo(delivery: object = {}) {
  paths += 1;
  const path = `/receiver-${paths}`;
  const method = DELIVERY_METHODS.push;
  const endpoint_url = `${receiver.url}${path}`;
  const { stream_id } = await client.stream(undefined, {
    delivery: { method, endpoint_url, ...delivery },
  });
  const rows = () =>
    keywright.database.query<Delivery>(
      `SELECT type, status, attempts, reason FROM signal_deliveries
        WHERE queue_key = $1 ORDER BY created_at, id`,
      [stream_id],
    );
  const status = async () => {
    const answer = await client.call<{ status: string; reason?: string }>(
      'GET',
      `/status?stream_id=${stream_id}`,
    );
    return expectStatus(200, answer);
  };
  const set = async (newStatus: string) =>
    expectStatus(200, await client.call('POST', '/status', { stream_id, status: newStatus }));
  return { path, stream_id, rows, status, set };
}

/** Triggers one event about a user. */
async function change(user: TestUser, is_active: boolean): Promise<void> {
  const token = await tenant.adminToken();
  const path = `/users/${user.user.id}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { is_active } }));
}

/** Triggers one event by enabling a user who has no session. */
async function signal(): Promise<void> {
  const user = await tenant.createUser();
  const sql = 'UPDATE users SET is_active = false WHERE id = $1';
  await keywright.database.query(
    `DO $$ BEGIN SET LOCAL session_replication_role = replica; ${sql.replace('$1', `'${user.user.id}'`)}; END $$`,
  );
  await change(user, true);
}

describe('the answer of a receiver (RFC 8935 §2.2)', () => {
  for (const [status, expected] of [
    [202, 'done'],
    [200, 'done'],
    [204, 'done'],
    [400, 'failed'],
    [401, 'pending'],
    [403, 'pending'],
    [404, 'pending'],
    [429, 'pending'],
    [500, 'pending'],
  ] as const) {
    test(`${status}: ${expected}`, async () => {
      receiver.answer = withStatus(status);
      const { path, rows } = await streamTo();
      await signal();
      await deliver();
      const [row] = await rows();
      assert.deepEqual([row?.status, row?.attempts], [expected, 1]);
      keywright.clock.advance(HOUR);
      await deliver();
      assert.equal(receiver.at(path).length, expected === 'pending' ? 2 : 1);
    });
  }

  test('400 says why, in one bounded line, in the log, too', async () => {
    const { path, rows } = await streamTo();
    const error = { err: 'invalid_audience', description: `${'a'.repeat(500)}\n\u0000secret` };
    receiver.answer = (response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(error));
    await signal();
    await deliver();
    const [row] = await rows();
    assert.equal(row?.reason, `receiver_error: invalid_audience: ${'a'.repeat(200)}`);
    const { jti } = receiver.at(path)[0]?.claims ?? { jti: '' };
    const line = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    assert.ok(line.some((entry) => entry['jti'] === jti && entry['outcome'] === 'failed'));
  });

  test('A redirect that a receiver answers with is not followed', async () => {
    receiver.answer = withStatus(307, { location: `${receiver.url}/elsewhere` });
    const { rows } = await streamTo();
    await signal();
    await deliver();
    assert.match((await rows())[0]?.reason ?? '', /^redirected: /);
    assert.deepEqual(receiver.at('/elsewhere'), []);
  });
});

test('The header of a stream comes with every push, and appears nowhere else', async () => {
  const secret = 'Bearer 2YotnFZFEjr1zCsicMWpAA';
  const { path } = await streamTo({ authorization_header: secret });
  await signal();
  receiver.answer = withStatus(500);
  await deliver();
  keywright.clock.advance(HOUR);
  await deliver();
  assert.deepEqual(
    receiver.at(path).map(({ authorization }) => authorization),
    [secret, secret],
  );
  assert.ok(!lines.join().includes('2YotnFZFEjr1'));
  assert.ok(!receiver.at(path).some(({ token }) => token.includes('2YotnFZFEjr1')));
});

test('A receiver that is down for an hour misses nothing, and gets each event with one jti', async () => {
  receiver.answer = withStatus(503);
  const { path, rows } = await streamTo();
  const count = 5;
  for (let index = 0; index < count; index += 1) await signal();
  for (const seconds of [0, 6, 40, 400, 2000, 1200]) {
    keywright.clock.advance(seconds);
    await deliver();
  }
  const tries = receiver.at(path);
  assert.ok(tries.length > count);
  assert.ok((await rows()).every((row) => row.status === 'pending'));
  receiver.answer = withStatus(202);
  const earlier = tries.length;
  // The first successful delivery releases the others, whenever they would be due.
  keywright.clock.advance(2 * HOUR);
  await deliver();
  await deliver();
  const delivered = receiver.at(path).slice(earlier);
  assert.equal(new Set(delivered.map(({ claims }) => claims.jti)).size, count);
  assert.equal(delivered.length, count);
  assert.ok((await rows()).every((row) => row.status === 'done'));
  const bytes = new Map(receiver.at(path).map(({ claims, token }) => [claims.jti, token]));
  assert.ok(receiver.at(path).every(({ claims, token }) => bytes.get(claims.jti) === token));
});

test('A stream that has only failed for a day is paused, reports that once, and loses nothing', async () => {
  receiver.answer = withStatus(500);
  const { path, rows, status, set, stream_id } = await streamTo();
  await signal();
  await deliver();
  for (const seconds of Array.from({ length: 16 }, () => 2 * HOUR)) {
    keywright.clock.advance(seconds);
    await deliver();
  }
  assert.deepEqual(await status(), {
    stream_id,
    status: 'paused',
    reason: 'Every push has failed for a day.',
  });
  await signal();
  await deliver();
  const updates = receiver.at(path).filter(({ claims }) => nameOf(claims) === 'stream-updated');
  assert.ok(updates.length > 0);
  assert.equal(new Set(updates.map(({ claims }) => claims.jti)).size, 1);
  const waiting = (await rows()).filter((row) => row.type === 'account-enabled');
  assert.deepEqual(
    waiting.map((row) => row.status),
    ['waiting', 'waiting'],
  );
  receiver.answer = withStatus(202);
  const earlier = receiver.at(path).length;
  await set('enabled');
  await deliver();
  const names = receiver
    .at(path)
    .slice(earlier)
    .map(({ claims }) => nameOf(claims));
  assert.equal(names.filter((name) => name === 'account-enabled').length, 2);
  assert.equal((await status()).status, 'enabled');
  const token = await tenant.adminToken();
  const paused = '/audit?action=signals.stream_paused';
  const log = await tenant.request<{ items: unknown[] }>('GET', paused, { token });
  assert.equal(expectStatus(200, log).items.length, 1);
});

test('Events queued for a client that lost its access to streams are not pushed, and no more are queued', async () => {
  receiver.answer = withStatus(503);
  const { path, rows } = await streamTo();
  await signal();
  await deliver();
  const earlier = receiver.at(path).length;
  assert.ok(earlier > 0);
  receiver.answer = withStatus(202);
  const options = { token: await tenant.adminToken(), body: { is_active: false } };
  expectStatus(200, await tenant.request('PATCH', `/clients/${client.client.id}`, options));
  keywright.clock.advance(HOUR);
  await deliver();
  await signal();
  await deliver();
  assert.equal(receiver.at(path).length, earlier);
  assert.deepEqual(
    (await rows()).map(({ status, reason }) => `${status} ${reason?.slice(0, 11)}`),
    ['failed no_receiver'],
  );
});

describe('a stream that its receiver', () => {
  test('A stream that its receiver pauses keeps events, and sends them in order when it is enabled', async () => {
    const { path, set } = await streamTo();
    await set('paused');
    const user = await tenant.createUser();
    for (const is_active of [false, true, false]) await change(user, is_active);
    await deliver();
    assert.deepEqual(receiver.at(path), []);
    await set('enabled');
    await deliver();
    const names = receiver.at(path).map(({ claims }) => nameOf(claims));
    assert.deepEqual(
      names.filter((name) => name.startsWith('account')),
      ['account-disabled', 'account-enabled', 'account-disabled'],
    );
  });

  test('A stream that its receiver disables keeps no events', async () => {
    const { path, rows, set } = await streamTo();
    await set('paused');
    await signal();
    await set('disabled');
    await signal();
    assert.deepEqual(await rows(), []);
    await set('enabled');
    await deliver();
    assert.deepEqual(receiver.at(path), []);
  });

  test('A stream that is disabled while its receiver is down keeps no events', async () => {
    receiver.answer = withStatus(503);
    const { rows, set } = await streamTo();
    await signal();
    await deliver();
    assert.deepEqual(
      (await rows()).map(({ status }) => status),
      ['pending'],
    );
    await set('disabled');
    assert.deepEqual(await rows(), []);
  });

  test('A stream that its receiver changes to polling no longer pushes the remaining events', async () => {
    const { path, stream_id, set } = await streamTo();
    await set('paused');
    await signal();
    expectStatus(200, await client.call('PUT', '/streams', { stream_id }));
    await set('enabled');
    await deliver();
    assert.deepEqual(receiver.at(path), []);
    assert.equal(Object.keys((await client.poll(stream_id)).sets).length, 1);
  });
});

test('Waiting events are dropped when there are more than 10,000 of them, and when they are a week old', async () => {
  const { rows, set, stream_id } = await streamTo();
  await set('paused');
  await keywright.database.query(
    `INSERT INTO signal_deliveries (tenant_id, id, queue_key, type, data, txn, status, due_at, expires_at, created_at)
     SELECT $1, 'set_' || n, $2, 'account-enabled', '{}', '', 'waiting', now(), now(), now() + n * interval '1 ms'
       FROM generate_series(1, 10500) AS n`,
    [tenant.id, stream_id],
  );
  await keywright.nodes[0]?.housekeeping.sweep();
  const remaining = await rows();
  assert.equal(remaining.length, 10_000);
  keywright.clock.advance(8 * DAY);
  await keywright.nodes[0]?.housekeeping.sweep();
  assert.equal((await rows()).length, 0);
});
