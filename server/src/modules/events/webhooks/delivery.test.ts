import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { EventRecord } from '@keywright/contract/events';
import type { DeliveryRecord, WebhookRecord } from '@keywright/contract/records/webhook';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Inbox, openInbox, type Received } from '@keywright/tests/harness/inbox';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let keywright: Keywright;
let tenant: TestTenant;
let inbox: Inbox;

before(async () => {
  inbox = await openInbox();
  keywright = await startKeywright({ nodes: 2, env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  tenant = await keywright.tenant('hooked');
});
after(async () => {
  await keywright.close();
  await inbox.close();
});

type Registered = WebhookRecord & { readonly secret: string };

async function send<Body = JsonBody>(method: string, path: string, body?: object): Promise<Body> {
  const token = await tenant.adminToken();
  const answer = await tenant.request<Body>(method, path, { token, ...(body ? { body } : {}) });
  return expectStatus(answer.status < 300 ? answer.status : 200, answer);
}

let paths = 0;
/** An endpoint with its own path. */
async function register(events: readonly string[], more: object = {}) {
  paths += 1;
  const path = `/hook-${paths}`;
  const body = { url: `${inbox.url}${path}`, events, ...more };
  return { path, webhook: await send<Registered>('POST', '/webhooks', body) };
}

function received(path: string): Received[] {
  return inbox.received.filter((request) => request.path === path);
}

function envelopeOf({ body }: Received): EventRecord {
  return JSON.parse(body) as EventRecord;
}

/** The signature as the specification defines it: the hex HMAC-SHA256 of the raw body, under the secret. */
function signatureOf(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

const SPECIFIED = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.login',
  'user.logout',
  'session.created',
  'session.revoked',
  'role.assigned',
  'workspace.created',
];

test('Each of the nine event kinds reaches an endpoint subscribed to it, from any node, signed over the raw body (SPEC events 1)', async () => {
  const chosenSecret = newPassword();
  const { path, webhook } = await register(SPECIFIED, { secret: chosenSecret });
  assert.equal(webhook.secret, chosenSecret);
  const [identifier, secret] = [newIdentifier(), newPassword()];
  const { access_token: token, user } = await tenant.login(identifier, secret, {
    extra: { register: true },
  });
  await send('PATCH', `/users/${user.id}`, { roles: ['member', 'admin'] });
  const again = await tenant.login(identifier, secret);
  expectStatus(200, await tenant.request('POST', '/auth/logout', { token: again.access_token }));
  await send('POST', '/workspaces', { name: 'Cellar' });
  await send('DELETE', `/users/${user.id}`);

  const kinds = () => new Set(received(path).map((request) => envelopeOf(request).type));
  await until('each kind has arrived', () => kinds().size === SPECIFIED.length);
  assert.deepEqual([...kinds()].toSorted(), SPECIFIED.toSorted());
  for (const delivery of received(path)) {
    const { headers, body } = delivery;
    assert.equal(headers['x-service-signature'], signatureOf(webhook.secret, body));
    const envelope = envelopeOf(delivery);
    assert.deepEqual(Object.keys(envelope), ['id', 'type', 'created_at', 'data']);
    assert.equal(envelope.data.tenant_id, tenant.id);
    assert.equal(headers['webhook-id'], envelope.id);
    assert.match(envelope.id, /^evt_/);
  }
  assert.notEqual(token, again.access_token);
});

test('An endpoint gets the event kinds that it subscribes to, each event once, and only from its tenant', async () => {
  const { path } = await register(['workspace.created']);
  const other = await keywright.tenant('unhooked');
  const token = await other.adminToken();
  expectStatus(201, await other.request('POST', '/workspaces', { token, body: { name: 'Attic' } }));
  await send('POST', '/workspaces', { name: 'Loft' });
  await send('POST', '/roles', { name: 'gardener', scopes: [] });
  await inbox.wait(1, path);
  await Promise.all(keywright.nodes.map((node) => node.deliveries.runDue()));
  const here = received(path).map(envelopeOf);
  assert.deepEqual(
    here.map((envelope) => [envelope.type, envelope.data['name']]),
    [['workspace.created', 'Loft']],
  );
});

test('The delivery log has the status, the attempts and the start of the response', async () => {
  const { path, webhook } = await register(['workspace.created']);
  const sent = await send<DeliveryRecord>('POST', `/webhooks/${webhook.id}/test`);
  await inbox.wait(1, path);
  await keywright.nodes[0]?.deliveries.runDue();
  const { items } = await send<{ items: DeliveryRecord[] }>(
    'GET',
    `/webhooks/${webhook.id}/deliveries`,
  );
  assert.equal(items.length, 1);
  assert.deepEqual(
    // Each attempt: attempts.test.ts.
    { ...items[0], last_attempt_at: undefined, last_attempts: sent.last_attempts },
    {
      ...sent,
      status: 'delivered',
      attempts: 1,
      response_status: 200,
      response_body: 'noted',
      next_attempt_at: null,
      last_attempt_at: undefined,
    },
  );
});

test('No delivery is signed with the secret of another endpoint, even if its row was copied', async () => {
  const kinds = ['workspace.deleted'];
  const [endpoint, other, untouched] = [
    await register(kinds),
    await register(kinds),
    await register(kinds),
  ];
  await keywright.database.query(
    `UPDATE webhooks w SET secret = o.secret FROM webhooks o
      WHERE w.tenant_id = $1 AND o.tenant_id = $1
        AND (w.id, o.id) IN (($2, $3), ($3, $2))`,
    [tenant.id, endpoint.webhook.id, other.webhook.id],
  );
  for (const { webhook } of [endpoint, other, untouched]) {
    await send('POST', `/webhooks/${webhook.id}/test`);
  }
  await inbox.wait(1, untouched.path);
  for (const { path, webhook } of [endpoint, other]) {
    await until('the attempt is written down', async () => {
      const log = `/webhooks/${webhook.id}/deliveries`;
      const { items } = await send<{ items: DeliveryRecord[] }>('GET', log);
      return items[0]?.reason === 'internal' || items[0]?.status === 'delivered';
    });
    assert.deepEqual(received(path), []);
  }
});
