// The nine kinds of the specification, each caused through the API and received over TLS. Signatures are verified by
// the specification's algorithm, and by a third-party library.

import assert from 'node:assert/strict';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { EventRecord } from '@keywright/contract/events';
import type { WebhookRecord } from '@keywright/contract/records/webhook';
import { verifyWebhook } from '../../sdk/src/sdk.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import { Authority } from '../harness/certificate.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type DnsServer, startDnsServer } from '../harness/dns-server.ts';
import { type JsonBody, expectStatus } from '../harness/http.ts';
import { type Inbox, openInbox, type Received } from '../harness/inbox.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

const HOST = 'hooks.example.com';
const KINDS = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.login',
  'user.logout',
  'session.created',
  'session.revoked',
  'role.assigned',
  'workspace.created',
] as const;
type Kind = (typeof KINDS)[number];

const PUBLISHED = new URL('../../docs/reference/events.schema.json', import.meta.url);
const schemas = new Ajv2020({ strict: false })
  .addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .addSchema(JSON.parse(readFileSync(PUBLISHED, 'utf8')) as object, 'events');

/** An endpoint, and its owner's view of it. */
interface Endpoint {
  readonly path: string;
  readonly secret: string;
}

let keywright: Keywright;
let tenant: TestTenant;
let dns: DnsServer;
let inbox: Inbox;
let endpoints: readonly Endpoint[];

before(async () => {
  const authority = new Authority();
  dns = await startDnsServer(() => ['127.0.0.1']);
  inbox = await openInbox({ certificate: authority.issue([HOST]) });
  keywright = await startKeywright({
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    outside: { ca: authority.ca, dnsServers: [dns.address] },
  });
  tenant = await keywright.tenant('nine-kinds');
  await tenant.adminToken();
  endpoints = [
    await register('/given', 'a secret of ours, in words'.replaceAll(' ', '-')),
    await register('/given-base64', `whsec_${randomBytes(24).toString('base64')}`),
    await register('/generated', undefined),
    await register('/short', 'x'),
    await register('/longest', `ü ${'x'.repeat(252)}\n`),
    await register('/not-base64', 'whsec_it-is-not-base64'),
  ];
});
after(async () => {
  await keywright.close();
  await inbox.close();
  await dns.close();
});

async function send<Body = JsonBody>(method: string, path: string, body?: object): Promise<Body> {
  const token = await tenant.adminToken();
  const answer = await tenant.request<Body>(method, path, { token, ...(body ? { body } : {}) });
  return expectStatus(answer.status < 300 ? answer.status : 200, answer);
}

async function register(path: string, chosenSecret: string | undefined): Promise<Endpoint> {
  const body = { url: `https://${HOST}:${inbox.port}${path}`, events: KINDS, secret: chosenSecret };
  const { secret } = await send<WebhookRecord & { secret: string }>('POST', '/webhooks', body);
  if (chosenSecret !== undefined) assert.equal(secret, chosenSecret);
  return { path, secret };
}

/** As the specification requires: an HMAC-SHA256 of the raw body, in hexadecimal, compared in constant time. */
function isSignedAsSpecified({ headers, body }: Received, secret: string): boolean {
  const computed = createHmac('sha256', secret).update(body).digest('hex');
  const signature = String(headers['x-service-signature']);
  return (
    signature.length === computed.length &&
    timingSafeEqual(Buffer.from(signature), Buffer.from(computed))
  );
}

/** @throws if the library rejects the delivery */
function openByLibrary({ headers, body }: Received, secret: string): unknown {
  const verifier = /^whsec_[\w+/]+=*$/.test(secret)
    ? new Webhook(secret)
    : new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
  return verifier.verify(body, headers as Record<string, string>);
}

/** @throws WebhookError if the SDK rejects the delivery */
function openBySdk({ headers, body }: Received, secret: string): Promise<unknown> {
  return verifyWebhook(body, headers, secret);
}

/** The kinds caused by some work, each with its data; every endpoint gets each once, and can verify it. */
async function received(work: () => Promise<unknown>, expected: readonly Kind[]) {
  const already = inbox.received.length;
  await work();
  const all = await until('each endpoint has them all', () => {
    const come = inbox.received.slice(already);
    return come.length >= expected.length * endpoints.length && come;
  });
  const events = new Map<string, EventRecord>();
  for (const { path, secret } of endpoints) {
    const here = all.filter((delivery) => delivery.path === path);
    for (const delivery of here) {
      const event = requireGenuine(delivery, secret);
      assert.deepEqual(await openBySdk(delivery, secret), event);
      events.set(event.id, event);
    }
    const kinds = here.map(({ body }) => (JSON.parse(body) as EventRecord).type);
    assert.deepEqual(kinds.toSorted(), expected.toSorted());
  }
  assert.equal(events.size, expected.length, 'every endpoint gets the same events');
  return (type: Kind) => events.values().find((event) => event.type === type)?.data;
}

function requireGenuine(delivery: Received, secret: string): EventRecord {
  const { headers, body } = delivery;
  assert.equal(isSignedAsSpecified(delivery, secret), true);
  const event = openByLibrary(delivery, secret) as EventRecord;
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['webhook-id'], event.id);
  const forged = { ...delivery, body: body.replace(tenant.id, 'org_other') };
  assert.notEqual(forged.body, body);
  assert.equal(isSignedAsSpecified(forged, secret), false);
  assert.throws(() => openByLibrary(forged, secret), /No matching signature/);
  assert.deepEqual(Object.keys(event), ['id', 'type', 'created_at', 'data']);
  assert.match(event.id, /^evt_[0-9a-z]{26}$/);
  assert.equal(new Date(event.created_at).toISOString(), event.created_at);
  const isPublished = schemas.getSchema(`events#/$defs/${event.type}`);
  assert.equal(isPublished?.(event.data), true, JSON.stringify(isPublished?.errors));
  return event;
}

describe('a webhook gets, signed with its secret of 1 to 255 characters, the events it subscribes to (SPEC service 10, SPEC events 1, SPEC events 11, SPEC events 13)', () => {
  const person = { identifier: newIdentifier(), password: newPassword() };
  let userId: string;

  test('A webhook receives signed events for a user who was created, and for the role they got (SPEC events 2, SPEC events 9, SPEC events 12)', async () => {
    const work = async () => {
      ({ id: userId } = await send<{ id: string }>('POST', '/users', person));
    };
    const data = await received(work, ['user.created', 'role.assigned']);
    const identifiers = [{ type: 'email', identifier: person.identifier }];
    assert.deepEqual(data('user.created'), { tenant_id: tenant.id, user_id: userId, identifiers });
    assert.deepEqual(data('role.assigned'), {
      tenant_id: tenant.id,
      user_id: userId,
      role: 'member',
    });
  });

  test('A webhook receives a signed event for a user who was changed (SPEC events 3)', async () => {
    const work = () => send('PATCH', `/users/${userId}`, { metadata: { floor: 3 } });
    const data = await received(work, ['user.updated']);
    assert.deepEqual(data('user.updated'), {
      tenant_id: tenant.id,
      user_id: userId,
      fields: ['metadata'],
    });
  });

  test('A webhook receives signed events for a login and its session, and for a logout and its end (SPEC events 5, SPEC events 6, SPEC events 7, SPEC events 8)', async () => {
    let token = '';
    const login = async () => {
      ({ access_token: token } = await tenant.login(person.identifier, person.password));
    };
    const opened = await received(login, ['user.login', 'session.created']);
    const session = { tenant_id: tenant.id, user_id: userId };
    const sessionId = opened('user.login')?.['session_id'];
    const landed = { ...session, session_id: sessionId, workspace_id: 'ws_default' };
    assert.deepEqual(opened('user.login'), { ...landed, new_device: true });
    assert.deepEqual(opened('session.created'), landed);
    const logout = () => tenant.request('POST', '/auth/logout', { token });
    const ended = await received(logout, ['user.logout', 'session.revoked']);
    assert.deepEqual(ended('user.logout'), { ...session, session_id: sessionId });
    assert.deepEqual(ended('session.revoked'), {
      ...session,
      session_id: sessionId,
      reason: 'logout',
    });
  });

  test('A webhook receives a signed event for a workspace that was created (SPEC events 10)', async () => {
    const work = () => send('POST', '/workspaces', { name: 'Keller', slug: 'keller' });
    const data = await received(work, ['workspace.created']);
    assert.deepEqual(data('workspace.created'), {
      tenant_id: tenant.id,
      workspace_id: 'ws_keller',
      name: 'Keller',
    });
  });

  test('A webhook receives a signed event for a user who was deleted (SPEC events 4)', async () => {
    const data = await received(() => send('DELETE', `/users/${userId}`), ['user.deleted']);
    assert.deepEqual(data('user.deleted'), { tenant_id: tenant.id, user_id: userId });
  });

  test('A webhook receives all nine event types that it subscribes to, and nothing else', () => {
    const kinds = inbox.received.map(({ body }) => (JSON.parse(body) as EventRecord).type);
    assert.deepEqual([...new Set(kinds)].toSorted(), [...KINDS].toSorted());
  });
});
