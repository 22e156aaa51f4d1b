import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { DeliveryRecord, WebhookRecord } from '@keywright/contract/records/webhook';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Inbox, openInbox, type Received } from '@keywright/tests/harness/inbox';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const HOUR = 3600;
/** The maximum of each delay, including jitter, in seconds. */
const DELAYS = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const LONGEST = DELAYS.map((seconds) => seconds * 1.1 + 1);

let keywright: Keywright;
let tenant: TestTenant;
let inbox: Inbox;

before(async () => {
  inbox = await openInbox();
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('patient');
});
after(async () => {
  await keywright.close();
  await inbox.close();
});

async function send<Body = JsonBody>(method: string, path: string, body?: object): Promise<Body> {
  const token = (await tenant.createUser({ roles: ['admin'] })).token;
  const answer = await tenant.request<Body>(method, path, { token, ...(body ? { body } : {}) });
  return expectStatus(answer.status < 300 ? answer.status : 200, answer);
}

let paths = 0;
async function register(events: readonly string[], secret?: string) {
  paths += 1;
  const path = `/hook-${paths}`;
  const body = { url: `${inbox.url}${path}`, events, ...(secret ? { secret } : {}) };
  const webhook = await send<WebhookRecord & { secret: string }>('POST', '/webhooks', body);
  return { path, webhook };
}

const deliver = () => keywright.nodes[0]?.deliveries.runDue();
const received = (path: string): Received[] =>
  inbox.received.filter((request) => request.path === path);

async function deliveriesOf({ id }: WebhookRecord): Promise<DeliveryRecord[]> {
  const list = await send<{ items: DeliveryRecord[] }>('GET', `/webhooks/${id}/deliveries`);
  return list.items;
}

function find({ id }: WebhookRecord): Promise<WebhookRecord> {
  return send<WebhookRecord>('GET', `/webhooks/${id}`);
}

test('Deliveries missed by an endpoint that is down for a day arrive on schedule, with the same id and body each time', async () => {
  inbox.answer = 503;
  const made = await register(['workspace.created']);
  await send('POST', '/workspaces', { name: 'Cellar' });
  await deliver();
  for (const [index, seconds] of LONGEST.slice(0, 6).entries()) {
    assert.equal(received(made.path).length, index + 1);
    // A second before the minimum delay has passed.
    keywright.clock.advance(Math.max(0, (DELAYS[index] ?? 0) * 0.9 - 1));
    await deliver();
    assert.equal(received(made.path).length, index + 1, `attempt ${index + 2} comes early`);
    keywright.clock.advance(seconds - Math.max(0, (DELAYS[index] ?? 0) * 0.9 - 1));
    await deliver();
  }
  const [waiting] = await deliveriesOf(made.webhook);
  assert.deepEqual([waiting?.status, waiting?.attempts], ['pending', 7]);
  assert.match(waiting?.reason ?? '', /^status_503/);
  inbox.answer = 200;
  keywright.clock.advance(LONGEST[6] ?? 0);
  await deliver();
  const [delivered] = await deliveriesOf(made.webhook);
  assert.deepEqual([delivered?.status, delivered?.attempts], ['delivered', 8]);
  assert.equal((await find(made.webhook)).failing_since, null);
  const sent = received(made.path);
  assert.equal(
    new Set(sent.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size,
    1,
  );
});

test('410 disables an endpoint, and is reported once', async () => {
  const [made, watcher] = [await register(['role.created']), await register(['webhook.disabled'])];
  inbox.answer = 410;
  await send('POST', '/roles', { name: 'gone', scopes: [] });
  await deliver();
  inbox.answer = 200;
  await deliver();
  const { is_active: isActive, disabled_reason: reason } = await find(made.webhook);
  assert.deepEqual([isActive, reason], [false, 'The endpoint returned 410.']);
  assert.equal(received(watcher.path).length, 1);
  // Events are not queued while the endpoint is disabled; once enabled again, it starts with a clean slate.
  await send('POST', '/roles', { name: 'unheard', scopes: [] });
  const again = await send<WebhookRecord>('PATCH', `/webhooks/${made.webhook.id}`, {
    is_active: true,
  });
  assert.deepEqual([again.is_active, again.disabled_reason], [true, null]);
  await deliver();
  assert.equal(received(made.path).length, 1);
  await send('DELETE', `/webhooks/${made.webhook.id}`);
});

test('Five days of consecutive failures disable an endpoint', async () => {
  const [made, watcher] = [await register(['role.created']), await register(['webhook.disabled'])];
  inbox.answer = 500;
  await send('POST', '/roles', { name: 'first', scopes: [] });
  await deliver();
  keywright.clock.advance(5 * 24 * HOUR - 10);
  await send('POST', '/roles', { name: 'second', scopes: [] });
  await deliver();
  assert.equal((await find(made.webhook)).is_active, true);
  keywright.clock.advance(30);
  await deliver();
  const { is_active: isActive, disabled_reason: reason } = await find(made.webhook);
  assert.deepEqual([isActive, reason], [false, 'Every delivery has failed for five days.']);
  inbox.answer = 200;
  await deliver();
  assert.equal(received(watcher.path).length, 1);
});

/** Causes of a delivery: one is taken from the queue, the other is sent by the node that queued it. */
const CAUSES = {
  'a test': (id: string) => send('POST', `/webhooks/${id}/test`),
  'a change': () =>
    send('POST', '/workspaces', { name: `Signed ${keywright.clock.now().getTime()}` }),
};
for (const [what, cause] of Object.entries(CAUSES)) {
  test(`Both secrets are valid during a rotation, and only the new one afterwards, for ${what}`, () =>
    changeSecret(cause));
}

async function changeSecret(cause: (id: string) => Promise<unknown>): Promise<void> {
  const old = 'an-old-secret-of-ours';
  const made = await register(['workspace.created'], old);
  const path = `/webhooks/${made.webhook.id}`;
  const { secret } = await send<{ secret: string }>('POST', `${path}/rotate`, { overlap_hours: 2 });
  const standard = ({ headers, body }: Received, key: Buffer) =>
    `v1,${createHmac('sha256', key)
      .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
      .digest('base64')}`;
  const newKey = Buffer.from(secret.slice('whsec_'.length), 'base64');
  await cause(made.webhook.id);
  await deliver();
  const [during] = received(made.path);
  assert.ok(during);
  const both = [standard(during, newKey), standard(during, Buffer.from(old))].join(' ');
  assert.equal(during.headers['webhook-signature'], both);
  const hex = (key: string, body: string) => createHmac('sha256', key).update(body).digest('hex');
  assert.equal(during.headers['x-service-signature'], hex(old, during.body));
  keywright.clock.advance(2 * HOUR + 1);
  await cause(made.webhook.id);
  await deliver();
  const [, afterwards] = received(made.path);
  assert.ok(afterwards);
  assert.equal(afterwards.headers['webhook-signature'], standard(afterwards, newKey));
  assert.equal(afterwards.headers['x-service-signature'], hex(secret, afterwards.body));
}
