// GET /activity: what it counts, for whom, and for how long.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { ActivitySpan } from '@keywright/contract/records/activity';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startReceiver } from '@keywright/tests/harness/receiver';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Webhooks } from '@keywright/tests/harness/webhooks';
import { startKeywright as start } from '../../../app.ts';
import { readConfig } from '../../../platform/config.ts';

interface Activity {
  readonly interval: string;
  readonly from: string;
  readonly to: string;
  readonly spans: readonly ActivitySpan[];
}

let keywright: Keywright;
const masterKey = randomBytes(32).toString('base64');
let tenants = 0;

before(async () => {
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', KEYWRIGHT_MASTER_KEY: masterKey };
  keywright = await startKeywright({ nodes: 2, clock: 'fake', env });
});

after(() => keywright.close());

async function freshTenant(config = {}): Promise<TestTenant> {
  tenants += 1;
  const tenant = await keywright.tenant(`activity-${tenants}`, { config });
  await tenant.adminToken();
  return tenant;
}

async function activity(tenant: TestTenant, query = '', node = 0): Promise<Activity> {
  const token = await tenant.adminToken();
  const path = `/activity${query}`;
  return expectStatus(200, await tenant.request<Activity>('GET', path, { token, node }));
}

/** The present span of an interval. */
async function present(tenant: TestTenant, interval = '5m'): Promise<ActivitySpan> {
  const { spans } = await activity(tenant, `?interval=${interval}`);
  const last = spans.at(-1);
  assert.ok(last, 'nothing was counted');
  return last;
}

/** Waits until the span holds, because some events are counted after the response. */
async function untilCounted(tenant: TestTenant, holds: (span: ActivitySpan) => void) {
  const isSo = (span: ActivitySpan) => {
    try {
      holds(span);
      return true;
    } catch {
      return false;
    }
  };
  // The failed assertion is a better error than the timeout.
  await until('it is counted', async () => isSo(await present(tenant))).catch(async () =>
    holds(await present(tenant)),
  );
}

async function stored(tenant: TestTenant) {
  return keywright.database.query<{ span: string; n: number }>(
    'SELECT span, count(*)::integer AS n FROM activity WHERE tenant_id = $1 GROUP BY span ORDER BY span',
    [tenant.id],
  );
}

test('The activity counts logins by outcome, their sessions and their tokens', async () => {
  const tenant = await freshTenant({ login_attempts_limit: 3 });
  const user = await tenant.createUser();
  const earlier = await present(tenant);
  await tenant.login(user.identifier, user.password);
  const refresh = { body: { refresh_token: user.refreshToken } };
  expectStatus(200, await tenant.request('POST', '/auth/refresh', refresh));
  const identifier = newIdentifier();
  for (const status of [401, 401, 401, 429, 429]) {
    const body = { identifier, secret: newPassword() };
    expectStatus(status, await tenant.request('POST', '/auth/login', { body }));
  }
  await untilCounted(tenant, (span) => {
    assert.equal(span.logins.password - earlier.logins.password, 1);
    assert.equal(span.logins_failed.password, 3);
    assert.equal(span.logins_throttled, 2);
    assert.equal(span.sessions_begun - earlier.sessions_begun, 1);
    assert.equal(span.tokens_issued - earlier.tokens_issued, 2);
    assert.equal(span.requests_refused.unauthenticated, 3);
    assert.equal(span.requests_refused.throttled, 2);
  });
});

test('The activity counts the requests and the refused requests of the tenant alone', async () => {
  const [tenant, other] = [await freshTenant(), await freshTenant()];
  const { token } = await tenant.createUser();
  const base = await present(tenant);
  const theirs = await present(other);
  expectStatus(403, await tenant.request('GET', '/users', { token }));
  expectStatus(401, await tenant.request('GET', '/users', { token: 'nonsense' }));
  await untilCounted(tenant, ({ requests, requests_refused: refused }) => {
    assert.ok(requests - base.requests >= 2);
    assert.equal(refused.forbidden - base.requests_refused.forbidden, 1);
    assert.equal(refused.unauthenticated - base.requests_refused.unauthenticated, 1);
  });
  const later = await present(other);
  assert.deepEqual(later.requests_refused, theirs.requests_refused);
});

test('The activity counts attempts to deliver to webhooks', async () => {
  const tenant = await freshTenant();
  const receiver = await startReceiver((request, response) => {
    response.writeHead(request.url === '/well' ? 200 : 500).end();
  });
  try {
    const webhooks = new Webhooks(tenant);
    for (const path of ['/well', '/broken']) {
      const { webhook } = await webhooks.register(`http://127.0.0.1:${receiver.port}${path}`);
      await webhooks.tryOut(webhook);
    }
    await untilCounted(tenant, ({ deliveries }) => {
      assert.deepEqual(deliveries, { delivered: 1, failed: 1 });
    });
  } finally {
    await receiver.close();
  }
});

test('The activity adds up what all nodes counted, by five minutes, hours and days', async () => {
  const tenant = await freshTenant();
  const { clock } = keywright;
  clock.advance(3600 - ((clock.now().getTime() / 1000) % 3600));
  const startedAt = clock.now().toISOString();
  const fail = async (node: number) => {
    const body = { identifier: newIdentifier(), secret: newPassword() };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body, node }));
    // Each node writes its counts before it responds.
    await until('it is counted', async () => {
      const { spans } = await activity(tenant, '?interval=5m', node);
      return (spans.at(-1)?.logins_failed.password ?? 0) > 0;
    });
  };
  await fail(0);
  await fail(1);
  clock.advance(300);
  await fail(1);
  const failed = async (interval: string) => {
    const { spans } = await activity(tenant, `?interval=${interval}&from=${startedAt}`);
    return spans.map(({ began_at: at, logins_failed: { password } }) => [at, password]);
  };
  const second = new Date(Date.parse(startedAt) + 300_000).toISOString();
  assert.deepEqual(await failed('5m'), [
    [startedAt, 2],
    [second, 1],
  ]);
  assert.deepEqual(await failed('hour'), [[startedAt, 3]]);
  const day = `${startedAt.slice(0, 10)}T00:00:00.000Z`;
  assert.deepEqual((await failed('day')).at(-1), [day, 3]);
});

test('The activity by five minutes is retained for 48 hours, and the activity by day for 90 days', async () => {
  const tenant = await freshTenant();
  await present(tenant);
  assert.deepEqual(await stored(tenant), [
    { span: '5m', n: 1 },
    { span: 'day', n: 1 },
  ]);
  keywright.clock.advance(48 * 3600 + 300);
  await keywright.nodes[0]?.housekeeping.sweep();
  assert.deepEqual(await stored(tenant), [{ span: 'day', n: 1 }]);
  keywright.clock.advance(90 * 86_400);
  await keywright.nodes[0]?.housekeeping.sweep();
  assert.deepEqual(await stored(tenant), []);
});

test('A request for activity with an invalid period is rejected', async () => {
  const tenant = await freshTenant();
  const token = await tenant.adminToken();
  for (const query of ['from=yesterday', 'to=2026-01-01', 'interval=week']) {
    expectStatus(400, await tenant.request('GET', `/activity?${query}`, { token }));
  }
});

test('A node that stops writes the activity that it has counted', async () => {
  const tenant = await freshTenant();
  const config = readConfig({
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_DATABASE_URL: keywright.database.url,
    KEYWRIGHT_MASTER_KEY: masterKey,
  });
  const node = await start({ config, clock: keywright.clock });
  const headers = { 'x-tenant-id': tenant.id };
  const answer = await fetch(`${node.url}/api/sso/v1/users`, { headers });
  assert.equal(answer.status, 401);
  await answer.text();
  const earlier = await present(tenant);
  await node.close();
  const { requests_refused: refused } = await present(tenant);
  assert.equal(refused.unauthenticated - earlier.requests_refused.unauthenticated, 1);
});
