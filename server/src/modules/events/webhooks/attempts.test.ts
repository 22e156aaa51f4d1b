// The record of each attempt of a delivery.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DeliveryRecord, WebhookRecord } from '@keywright/contract/records/webhook';
import { type Inbox, openInbox } from '@keywright/tests/harness/inbox';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startReceiver } from '@keywright/tests/harness/receiver';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { Webhooks } from '@keywright/tests/harness/webhooks';

/** Longer than any delay between two attempts. */
const DAYS_SECONDS = 2 * 86_400;
/** The first one, and one after each delay. */
const ATTEMPTS = 10;

let keywright: Keywright;
let tenant: TestTenant;
let inbox: Inbox;
let webhooks: Webhooks;

before(async () => {
  inbox = await openInbox();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await keywright.tenant('attempts');
  webhooks = new Webhooks(tenant);
});
after(async () => {
  await keywright.close();
  await inbox.close();
});

const deliver = () => keywright.nodes[0]?.deliveries.runDue();

async function register(): Promise<WebhookRecord> {
  return (await webhooks.register(`${inbox.url}/hook`, ['workspace.created'])).webhook;
}

async function deliveryOf(webhook: WebhookRecord): Promise<DeliveryRecord> {
  const [delivery] = await webhooks.deliveries(webhook);
  return delivery ?? assert.fail('there is no delivery');
}

function statusesOf({ last_attempts: attempts }: DeliveryRecord) {
  return attempts.map(({ status }) => status);
}

async function failOften(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    keywright.clock.advance(DAYS_SECONDS);
    await deliver();
  }
}

test('Each delivery attempt is recorded with its time, its response and its duration', async () => {
  const webhook = await register();
  inbox.answer = 503;
  await webhooks.send('POST', '/workspaces', { name: 'Cellar' });
  await deliver();
  const first = keywright.clock.now().toISOString();
  keywright.clock.advance(60);
  await deliver();
  inbox.answer = 200;
  keywright.clock.advance(600);
  await deliver();
  const { last_attempts: attempts, ...delivery } = await deliveryOf(webhook);
  assert.deepEqual(
    attempts.map(({ status }) => status),
    [503, 503, 200],
  );
  assert.equal(attempts[0]?.at, first);
  assert.deepEqual(
    attempts.map(({ reason }) => reason),
    ['status_503: The endpoint returned 503.', 'status_503: The endpoint returned 503.', null],
  );
  const last = attempts.at(-1);
  assert.deepEqual([last?.at, last?.body], [delivery.last_attempt_at, delivery.response_body]);
  assert.deepEqual(new Set(attempts.map(({ body }) => body)), new Set(['noted']));
  for (const { duration_ms: took } of attempts) assert.ok(Number.isInteger(took), String(took));
});

test('A delivery that succeeds immediately has one attempt, and two after it is sent again', async () => {
  const webhook = await register();
  inbox.answer = 200;
  const pending = await webhooks.tryOut(webhook);
  assert.deepEqual(pending.last_attempts, []);
  await deliver();
  const delivered = await deliveryOf(webhook);
  assert.deepEqual(statusesOf(delivered), [200]);
  const path = `/webhooks/${webhook.id}/deliveries/${delivered.id}/retry`;
  await webhooks.send('POST', path);
  inbox.answer = 500;
  keywright.clock.advance(1);
  await deliver();
  const again = await deliveryOf(webhook);
  assert.deepEqual(statusesOf(again), [200, 500]);
  assert.deepEqual(again.last_attempts[0], delivered.last_attempts[0]);
  assert.equal(again.attempts, 1, 'sent again, it starts over');
});

test('The start of each webhook response is retained', async () => {
  const receiver = await startReceiver((_request, response) => {
    response.writeHead(500).end('x'.repeat(1000));
  });
  try {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { webhook } = await webhooks.register(url, ['workspace.created']);
    await webhooks.tryOut(webhook);
    for (const count of [1, 2]) {
      await deliver();
      const { last_attempts: attempts } = await deliveryOf(webhook);
      assert.deepEqual(
        attempts.map(({ body }) => body?.length),
        Array(count).fill(256),
      );
      keywright.clock.advance(DAYS_SECONDS);
    }
  } finally {
    await receiver.close();
  }
});

test('An endpoint that cannot be reached has attempts without a response', async () => {
  const { webhook } = await webhooks.register('http://127.0.0.1:1/', ['workspace.created']);
  await webhooks.tryOut(webhook);
  await deliver();
  const [attempt] = (await deliveryOf(webhook)).last_attempts;
  assert.deepEqual([attempt?.status, attempt?.body], [null, null]);
  assert.notEqual(attempt?.reason, null);
});

test('The last ten attempts of a delivery are retained, including those requested by a retry', async () => {
  const webhook = await register();
  inbox.answer = 500;
  await webhooks.send('POST', '/workspaces', { name: 'Attic' });
  await deliver();
  // An endpoint that only fails is disabled before the last attempt.
  await failOften(2);
  await webhooks.change(webhook, { is_active: true });
  await failOften(ATTEMPTS);
  await webhooks.change(webhook, { is_active: true });
  const failed = await deliveryOf(webhook);
  inbox.answer = 200;
  const path = `/webhooks/${webhook.id}/deliveries/${failed.id}/retry`;
  for (let count = 0; count < ATTEMPTS; count += 1) {
    await webhooks.send('POST', path);
    keywright.clock.advance(1);
    await deliver();
    const { last_attempts: attempts } = await deliveryOf(webhook);
    assert.ok(attempts.length <= ATTEMPTS, `${attempts.length} are kept`);
    assert.equal(attempts.at(-1)?.status, 200);
  }
  assert.deepEqual(statusesOf(await deliveryOf(webhook)), Array(ATTEMPTS).fill(200));
});
