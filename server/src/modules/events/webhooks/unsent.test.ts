// The deliveries of a change have no rows until they are sent, and the node that should send them might never do so.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newEventId } from '@keywright/server/platform/crypto/ids';
import { type Inbox, openInbox } from '@keywright/tests/harness/inbox';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { type Registered, Webhooks } from '@keywright/tests/harness/webhooks';
import pg from 'pg';

const KIND = 'workspace.created';
/** How long the node that queues a delivery can take to send it, plus a second. */
const GRACE_SECONDS = 7;
const EMIT = 'SELECT kw_emit($1, $2)';

let keywright: Keywright;
let tenant: TestTenant;
let webhooks: Webhooks;
let inbox: Inbox;

before(async () => {
  inbox = await openInbox();
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('unsent');
  webhooks = new Webhooks(tenant);
});
after(async () => {
  await keywright.close();
  await inbox.close();
});

const deliver = () => keywright.nodes[0]?.deliveries.runDue();
const came = (path: string) =>
  inbox.received
    .filter((request) => request.path === path)
    .map(({ headers }) => headers['webhook-id']);

/** The arguments of kw_emit from a process that sends nothing itself, or dies right after the commit. */
function event(): { readonly id: string; readonly values: unknown[] } {
  const created_at = keywright.clock.now();
  const id = newEventId(created_at);
  const data = { tenant_id: tenant.id, workspace_id: `ws_${id.slice(-9)}`, name: 'Left' };
  const record = { id, type: KIND, subject: data.workspace_id, data, created_at };
  return { id, values: [tenant.id, JSON.stringify([record])] };
}

async function endpoint(path: string): Promise<Registered> {
  return webhooks.register(`${inbox.url}${path}`, [KIND]);
}

test('An abandoned delivery is sent once by another node after its lease expires', async () => {
  await endpoint('/left');
  const { id, values } = event();
  await keywright.database.query(EMIT, values);
  await deliver();
  assert.deepEqual(came('/left'), [], 'its own node may be sending it');
  keywright.clock.advance(GRACE_SECONDS);
  for (let time = 0; time < 3; time += 1) await deliver();
  assert.deepEqual(came('/left'), [id]);
});

test('Deliveries queued before their endpoint was disabled are sent when it is enabled; events from meanwhile are not', async () => {
  const { webhook } = await endpoint('/off');
  const [earlier, meanwhile] = [event(), event()];
  await keywright.database.query(EMIT, earlier.values);
  await webhooks.change(webhook, { is_active: false });
  await keywright.database.query(EMIT, meanwhile.values);
  keywright.clock.advance(GRACE_SECONDS);
  await deliver();
  assert.deepEqual(came('/off'), []);
  await webhooks.change(webhook, { is_active: true });
  await deliver();
  assert.deepEqual(came('/off'), [earlier.id]);
});

test('A transaction that commits late is not skipped, and delays no other event', async () => {
  await endpoint('/late');
  const [late, prompt] = [event(), event()];
  const slow = new pg.Client(keywright.database.superuserUrl);
  await slow.connect();
  try {
    await slow.query('BEGIN');
    await slow.query(EMIT, late.values);
    await keywright.database.query(EMIT, prompt.values);
    keywright.clock.advance(GRACE_SECONDS);
    for (let time = 0; time < 2; time += 1) await deliver();
    assert.deepEqual(came('/late'), [prompt.id]);
    await slow.query('COMMIT');
  } finally {
    await slow.end();
  }
  await deliver();
  assert.deepEqual(came('/late'), [prompt.id, late.id]);
});

test('An event dated in the future, by a node with a wrong clock, delays no other event', async () => {
  await endpoint('/ahead');
  keywright.clock.advance(3600);
  const ahead = event();
  keywright.clock.advance(-3600);
  const right = event();
  for (const { values } of [ahead, right]) await keywright.database.query(EMIT, values);
  keywright.clock.advance(GRACE_SECONDS);
  await deliver();
  assert.deepEqual(came('/ahead'), [right.id]);
});

test('Deliveries without room in the queue of a failing endpoint are in the log, and are sent when it recovers', async () => {
  const { webhook } = await endpoint('/fails');
  inbox.answer = 500;
  await webhooks.send('POST', '/workspaces', { name: 'First' });
  await deliver();
  await webhooks.send('POST', '/workspaces', { name: 'Second' });
  inbox.answer = 200;
  await deliver();
  await deliver();
  const [second, first] = await webhooks.deliveries(webhook);
  assert.deepEqual([first?.status, first?.attempts], ['pending', 1]);
  assert.deepEqual([second?.status, second?.attempts], ['delivered', 1]);
  assert.equal(came('/fails').length, 2);
});
