import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { EventRecord } from '@keywright/contract/events';
import type { DeliveryRecord, WebhookRecord } from '@keywright/contract/records/webhook';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Inbox, openInbox } from '@keywright/tests/harness/inbox';
import { eventsOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Webhooks } from '@keywright/tests/harness/webhooks';
import { newEventId } from '../../../platform/crypto/ids.ts';

let keywright: Keywright;
let tenant: TestTenant;
let webhooks: Webhooks;
let inbox: Inbox;

before(async () => {
  inbox = await openInbox();
  // Failed deliveries are retried when the clock is moved, and not before.
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await keywright.tenant('replayed');
  webhooks = new Webhooks(tenant);
});
after(async () => {
  await keywright.close();
  await inbox.close();
});

interface Replayed {
  readonly queued: number;
  readonly next_after?: string;
}

function replay({ id }: WebhookRecord, from: string): Promise<Replayed> {
  return webhooks.send<Replayed>('POST', `/webhooks/${id}/replay`, { after: from });
}

/** Names of the workspaces in the events that a path received, sorted. */
function namesReceivedAt(path: string): string[] {
  return inbox.received
    .filter((request) => request.path === path)
    .map(({ body }) => (JSON.parse(body) as EventRecord).data['name'])
    .map(String)
    .toSorted();
}

async function createWorkspaces(...names: readonly string[]): Promise<void> {
  for (const name of names) await webhooks.send('POST', '/workspaces', { name });
}

/** The last readable event, once the event of this workspace is readable. */
async function eventOf(name: string): Promise<EventRecord> {
  return until('its event can be read', async () => {
    const events = await eventsOf(tenant, undefined, { type: 'workspace.created' });
    return events.find(({ data }) => data['name'] === name);
  });
}

async function settle(): Promise<void> {
  await keywright.nodes[0]?.deliveries.runDue();
}

describe('a replay', () => {
  test('A replay sends the events of its kinds from while the endpoint was disabled, and none from before', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/off`, ['workspace.created']);
    await createWorkspaces('before');
    await inbox.wait(1, '/off');
    await webhooks.change(webhook, { is_active: false });
    await createWorkspaces('missed 1', 'missed 2');
    await webhooks.send('POST', '/roles', { name: 'not-asked-for', scopes: [] });
    await webhooks.change(webhook, { is_active: true });
    await settle();
    assert.deepEqual(namesReceivedAt('/off'), ['before']);
    const { id } = await eventOf('before');
    await eventOf('missed 2');
    assert.deepEqual(await replay(webhook, id), { queued: 2 });
    await inbox.wait(3, '/off');
    await settle();
    assert.deepEqual(namesReceivedAt('/off'), ['before', 'missed 1', 'missed 2']);
  });

  test('A dry run of a replay counts what it would send, and sends nothing', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/counted`, ['workspace.created']);
    await createWorkspaces('from here', 'counted 1', 'counted 2');
    await inbox.wait(3, '/counted');
    await settle();
    const { id: from } = await eventOf('from here');
    await eventOf('counted 2');
    const count = () =>
      webhooks.send<Replayed>('POST', `/webhooks/${webhook.id}/replay`, {
        after: from,
        dry_run: true,
      });
    assert.deepEqual(await count(), { queued: 2 });
    await settle();
    assert.equal(namesReceivedAt('/counted').length, 3);
    assert.deepEqual(await replay(webhook, from), { queued: 2 });
  });

  test('A replay resends delivered events, with the same ID and body', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/again`, ['workspace.created']);
    await createWorkspaces('start', 'again');
    await inbox.wait(2, '/again');
    await settle();
    const { id } = await eventOf('start');
    await eventOf('again');
    assert.deepEqual(await replay(webhook, id), { queued: 1 });
    await inbox.wait(3, '/again');
    const requests = inbox.received.filter(
      (request) => request.path === '/again' && request.body.includes('again'),
    );
    assert.equal(requests.length, 2);
    const [first, second] = requests.map(({ headers, body }) => [headers['webhook-id'], body]);
    assert.deepEqual(second, first);
  });

  test('A replay takes a thousand events at a time, and says where to continue', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/many`, ['workspace.created']);
    await createWorkspaces('many');
    const { id: start } = await eventOf('many');
    await webhooks.change(webhook, { is_active: false });
    const data = { tenant_id: tenant.id, workspace_id: 'ws_many', name: 'one of many' };
    const now = keywright.clock.now();
    const events = Array.from({ length: 1050 }, () => ({
      id: newEventId(now),
      type: 'workspace.created',
      subject: 'ws_many',
      data,
      created_at: now,
    }));
    await keywright.database.query('SELECT kw_emit($1, $2)', [tenant.id, JSON.stringify(events)]);
    await webhooks.change(webhook, { is_active: true });
    const first = await until('the log has come so far', async () => {
      const answer = await replay(webhook, start);
      return answer.queued === 1000 && answer;
    });
    assert.ok(first.next_after);
    assert.deepEqual(await replay(webhook, first.next_after), { queued: 50 });
    // Resolves when all taken deliveries have finished, however long that takes.
    await settle();
    const came = new Set(inbox.received.map(({ headers }) => headers['webhook-id']));
    assert.deepEqual(
      events.filter(({ id }) => !came.has(id)),
      [],
    );
  });

  test('A replay starts only after a retained event of this tenant', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/none`);
    const path = `/webhooks/${webhook.id}/replay`;
    const unknown = { body: { after: newEventId(new Date()) } };
    expectStatus(404, await webhooks.request('POST', path, unknown));
    const refused = await webhooks.request<ErrorBody>('POST', path, {
      body: { after: 'yesterday' },
    });
    assert.deepEqual(
      expectStatus(400, refused).errors?.map((error) => error.path),
      ['/after'],
    );
  });
});

describe('a retry', () => {
  test('A retry immediately sends a delivery that is waiting, starting again from the first attempt', async (t) => {
    t.after(() => {
      inbox.answer = 200;
    });
    inbox.answer = 500;
    const { webhook } = await webhooks.register(`${inbox.url}/waiting`);
    const { id } = await webhooks.tryOut(webhook);
    await inbox.wait(1, '/waiting');
    await settle();
    const [failed] = await webhooks.deliveries(webhook);
    assert.deepEqual([failed?.status, failed?.attempts], ['pending', 1]);
    assert.match(failed?.reason ?? '', /^status_500/);
    inbox.answer = 200;
    const path = `/webhooks/${webhook.id}/deliveries/${id}/retry`;
    const again = await webhooks.send('POST', path);
    assert.deepEqual([again['status'], again['attempts'], again['reason']], ['pending', 0, null]);
    await inbox.wait(2, '/waiting');
    await settle();
    const [delivered] = await webhooks.deliveries(webhook);
    assert.deepEqual([delivered?.status, delivered?.attempts], ['delivered', 1]);
  });

  test('A retry of an unknown delivery, or one of another endpoint, is answered with 404', async () => {
    const [endpoint, other] = [
      await webhooks.register(`${inbox.url}/mine`),
      await webhooks.register(`${inbox.url}/theirs`),
    ];
    const { id } = await webhooks.tryOut(other.webhook);
    for (const delivery of [id, `job_${newEventId(new Date()).slice(4)}`]) {
      const path = `/webhooks/${endpoint.webhook.id}/deliveries/${delivery}/retry`;
      expectStatus(404, await webhooks.request('POST', path));
    }
  });
});

test('A delivery id is unique: endpoints that receive the same event have one each, which only its own endpoint can retry', async () => {
  const [endpoint, other] = [
    await webhooks.register(`${inbox.url}/one`, ['workspace.created']),
    await webhooks.register(`${inbox.url}/other`, ['workspace.created']),
  ];
  await createWorkspaces('first', 'second', 'third');
  const { id: first } = await eventOf('first');
  await eventOf('third');
  for (const path of ['/one', '/other']) await inbox.wait(3, path);
  await settle();
  const sent = await webhooks.deliveries(endpoint.webhook, '?sort=created_at');
  const elsewhere = await webhooks.deliveries(other.webhook, '?sort=created_at');
  const events = sent.map((delivery) => delivery.event_id);
  assert.equal(new Set(events).size, 3);
  assert.deepEqual(events, events.toSorted(), 'in the order of the events');
  assert.deepEqual(
    elsewhere.map((delivery) => delivery.event_id),
    events,
  );
  const ids = [...sent, ...elsewhere].map((delivery) => delivery.id);
  assert.equal(new Set(ids).size, 6);
  for (const id of ids) assert.match(id, /^job_[0-7][0-9a-hjkmnp-tv-z]{25}$/);

  const retryAt = (webhook: WebhookRecord, { id }: DeliveryRecord) =>
    webhooks.request('POST', `/webhooks/${webhook.id}/deliveries/${id}/retry`);
  for (const delivery of elsewhere) expectStatus(404, await retryAt(endpoint.webhook, delivery));
  expectStatus(200, await retryAt(other.webhook, elsewhere[0] ?? assert.fail()));
  await inbox.wait(4, '/other');
  assert.deepEqual(await replay(endpoint.webhook, first), { queued: 2 });
  await inbox.wait(5, '/one');
  await settle();
  const again = await webhooks.deliveries(endpoint.webhook, '?sort=created_at');
  assert.deepEqual(
    again.map(({ id }) => id),
    sent.map(({ id }) => id),
    'sent again, they are the same deliveries',
  );
  const tried = [await webhooks.tryOut(endpoint.webhook), await webhooks.tryOut(other.webhook)];
  assert.equal(new Set(tried.map(({ id }) => id)).size, 2);
});

test('A test is sent only to the tested endpoint, and waits while that endpoint is disabled', async () => {
  const [tried, other] = [
    await webhooks.register(`${inbox.url}/tried`),
    await webhooks.register(`${inbox.url}/other`, ['webhook.test']),
  ];
  await webhooks.change(tried.webhook, { is_active: false });
  const { status } = await webhooks.tryOut(tried.webhook);
  await settle();
  assert.equal(status, 'pending');
  assert.equal(inbox.received.filter((request) => request.path === '/tried').length, 0);
  await webhooks.change(tried.webhook, { is_active: true });
  await inbox.wait(1, '/tried');
  await settle();
  assert.deepEqual(await webhooks.deliveries(other.webhook), []);
});

test('The delivery log is paged, and filtered by status', async () => {
  const { webhook } = await webhooks.register(`${inbox.url}/log`);
  for (let time = 0; time < 5; time += 1) await webhooks.tryOut(webhook);
  await inbox.wait(5, '/log');
  await settle();
  const ids = (await webhooks.deliveries(webhook)).map((delivery) => delivery.id);
  const [newest, second] = await webhooks.deliveries(webhook, '?limit=2&page=1');
  assert.deepEqual([newest?.id, second?.id], ids.slice(0, 2));
  assert.deepEqual((await webhooks.deliveries(webhook, '?status=delivered')).length, 5);
  assert.deepEqual(await webhooks.deliveries(webhook, '?status=failed'), []);
});
