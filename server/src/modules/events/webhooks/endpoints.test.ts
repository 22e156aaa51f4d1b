import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { DeliveryRecord, WebhookRecord } from '@keywright/contract/records/webhook';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Inbox, openInbox, type Received } from '@keywright/tests/harness/inbox';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { Webhooks } from '@keywright/tests/harness/webhooks';

type WithSecret = WebhookRecord & { readonly secret?: string };

let keywright: Keywright;
let tenant: TestTenant;
let webhooks: Webhooks;
let inbox: Inbox;

before(async () => {
  inbox = await openInbox();
  keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  tenant = await keywright.tenant('endpoints');
  webhooks = new Webhooks(tenant);
});
after(async () => {
  await keywright.close();
  await inbox.close();
});

const received = (path: string): Received[] =>
  inbox.received.filter((request) => request.path === path);

/** Waits until all deliveries queued so far have been sent. */
async function settle(): Promise<void> {
  for (const node of keywright.nodes) await node.deliveries.runDue();
}

describe('an endpoint', () => {
  test('A webhook endpoint is registered with its URL, kinds and secret (SPEC resources webhook 1)', async () => {
    const secret = newPassword();
    const url = 'https://hooks.example.com/here?key=1';
    const { webhook, secret: shown } = await webhooks.register(url, ['user.created'], secret);
    assert.equal(shown, secret);
    const { id, created_at: createdAt, ...rest } = await webhooks.get(webhook);
    assert.deepEqual(rest, {
      tenant_id: tenant.id,
      url,
      events: ['user.created'],
      is_active: true,
      disabled_reason: null,
      failing_since: null,
      overlap_ends_at: null,
    });
    assert.match(id, /^wh_[0-9a-z]{26}$/);
    assert.ok(Date.now() - Date.parse(createdAt) < 60_000);
  });

  test('A webhook endpoint is registered and changed only by callers who can read the subjects of its events', async () => {
    const keeper = await createUserWith(tenant, ['*:webhooks', 'read:users']);
    const url = 'https://hooks.example.com/';
    const outcomeOf = async (method: string, path: string, body: object) => {
      const answer = await tenant.request<ErrorBody>(method, path, { token: keeper.token, body });
      return `${answer.status} ${answer.body.code}`;
    };
    for (const events of [['session.created'], ['user.created', 'user.login'], ['agent.created']]) {
      assert.equal(await outcomeOf('POST', '/webhooks', { url, events }), '403 SCOPE_NOT_HELD');
    }
    assert.equal(
      await outcomeOf('POST', '/webhooks', { url, events: ['user.created'] }),
      '201 undefined',
    );
    // A webhook of a user who can read more: the caller can change neither its events nor its URL.
    const { webhook } = await webhooks.register(url, ['user.created', 'session.created']);
    const path = `/webhooks/${webhook.id}`;
    const elsewhere = {
      url: 'https://elsewhere.example.com/',
      secret: 'another secret',
    };
    assert.equal(await outcomeOf('PATCH', path, elsewhere), '403 SCOPE_NOT_HELD');
    const both = { ...elsewhere, is_active: false };
    assert.equal(await outcomeOf('PATCH', path, both), '403 SCOPE_NOT_HELD');
    assert.equal(await outcomeOf('PATCH', path, { is_active: false }), '200 undefined');
    assert.equal(await outcomeOf('PATCH', path, { is_active: true }), '403 SCOPE_NOT_HELD');
    const fewer = { ...elsewhere, events: ['user.created'], is_active: true };
    assert.equal(await outcomeOf('PATCH', path, fewer), '200 undefined');
    assert.deepEqual((await webhooks.get(webhook)).events, ['user.created']);
  });

  const good = {
    url: 'https://hooks.example.com/',
    events: ['user.created'],
    secret: 'x'.repeat(16),
  };
  const bad: readonly (readonly [what: string, path: string, body: object])[] = [
    ['no address', '/url', { events: good.events }],
    ['no kinds', '/events', { ...good, events: [] }],
    ['a kind that there is none of', '/events/0', { ...good, events: ['user.sneezed'] }],
    ['a kind twice', '/events', { ...good, events: ['user.login', 'user.login'] }],
    ['an empty secret', '/secret', { ...good, secret: '' }],
    ['a secret of 256 characters', '/secret', { ...good, secret: 'x'.repeat(256) }],
    ['another field', '/signature', { ...good, signature: 'x' }],
  ];
  for (const [what, path, body] of bad) {
    test(`A webhook endpoint is not registered with ${what} (SPEC endpoints webhooks 1)`, async () => {
      const refused = await webhooks.request<ErrorBody>('POST', '/webhooks', { body });
      const { code, errors } = expectStatus(400, refused);
      assert.deepEqual([code, errors?.map((error) => error.path)], ['VALIDATION_FAILED', [path]]);
    });
  }

  test('A tenant can register a thousand webhook endpoints', async () => {
    const crowded = await keywright.tenant('crowded');
    await keywright.database.query(
      `INSERT INTO webhooks (tenant_id, id, url, events, secret, created_at)
       SELECT $1, 'wh_' || n, 'https://a.example.com/', '{webhook.disabled}', '', now()
         FROM generate_series(1, 999) AS n`,
      [crowded.id],
    );
    const there = new Webhooks(crowded);
    await there.register('https://hooks.example.com/');
    const refused = await there.request<ErrorBody>('POST', '/webhooks', { body: good });
    assert.equal(expectStatus(400, refused).code, 'TOO_MANY_WEBHOOKS');
  });
});

test('A change that is rolled back leaves no event and no delivery, and notifies no one', async () => {
  const { webhook } = await webhooks.register(`${inbox.url}/undone`, ['workspace.created']);
  await keywright.database.query(`
    CREATE FUNCTION refuse_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused at commit'; END $$`);
  await keywright.database.query(`
    CREATE CONSTRAINT TRIGGER doomed AFTER INSERT ON workspaces DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.slug = 'doomed') EXECUTE FUNCTION refuse_at_commit()`);
  const doomed = { name: 'Doomed', slug: 'doomed' };
  assert.equal((await webhooks.request('POST', '/workspaces', { body: doomed })).status, 500);
  await webhooks.send('POST', '/workspaces', { name: 'Saved', slug: 'saved' });
  await inbox.wait(1, '/undone');
  await settle();
  const workspaceIds = received('/undone').map(
    ({ body }) => (JSON.parse(body) as WorkspaceEvent).data.workspace_id,
  );
  assert.deepEqual(workspaceIds, ['ws_saved']);
  assert.equal((await webhooks.deliveries(webhook)).length, 1);
  const rows = await keywright.database.query(`SELECT FROM events WHERE subject = 'ws_doomed'`);
  assert.deepEqual(rows, []);
});

interface WorkspaceEvent {
  readonly data: { readonly workspace_id: string };
}

describe('a secret', () => {
  test('A webhook secret is shown in the responses that issue it, and never again', async () => {
    const [initial, next] = [newPassword(), newPassword()];
    const { webhook, secret: drawn } = await webhooks.register(`${inbox.url}/secret`);
    const once = { headers: { 'idempotency-key': 'a secret' }, body: bodyWith(initial) };
    const shown = expectStatus(201, await webhooks.request<WithSecret>('POST', '/webhooks', once));
    assert.equal(shown.secret, initial);
    const again = expectStatus(201, await webhooks.request<WithSecret>('POST', '/webhooks', once));
    assert.deepEqual({ ...again, secret: initial }, shown);
    const rotate = `/webhooks/${shown.id}/rotate`;
    const rotation = { headers: { 'idempotency-key': 'a rotation' }, body: { secret: next } };
    const rotated = expectStatus(200, await webhooks.request<WithSecret>('POST', rotate, rotation));
    assert.equal(rotated.secret, next);
    const repeated = expectStatus(
      200,
      await webhooks.request<WithSecret>('POST', rotate, rotation),
    );
    assert.deepEqual({ ...repeated, secret: next }, rotated);
    assert.equal('secret' in repeated, false);

    await webhooks.tryOut(webhook);
    await inbox.wait(1, '/secret');
    await webhooks.change(webhook, { events: ['webhook.disabled'] });
    const paths = ['/webhooks', `/webhooks/${webhook.id}`, `/webhooks/${webhook.id}/deliveries`];
    const texts = [JSON.stringify([again, repeated])];
    for (const path of [...paths, '/audit?limit=100', '/events?limit=100']) {
      texts.push((await webhooks.request('GET', path)).text);
    }
    texts.push(...inbox.received.map((request) => JSON.stringify(request.headers) + request.body));
    texts.push(await stored());
    for (const secret of [initial, next, drawn, drawn.slice('whsec_'.length)]) {
      for (const text of texts) assert.equal(text.includes(secret), false);
    }
  });

  function bodyWith(secret: string) {
    return { url: 'https://hooks.example.com/', events: ['webhook.deleted'], secret };
  }

  /** Every row that a webhook leaves somewhere. */
  async function stored(): Promise<string> {
    const tables = [
      'webhooks',
      'webhook_deliveries',
      'events',
      'audit_entries',
      'idempotency_keys',
    ];
    const rows = await Promise.all(
      tables.map((table) =>
        keywright.database.query<{ text: string }>(`SELECT t::text AS text FROM ${table} t`),
      ),
    );
    // Bytes stand there in hexadecimal.
    const text = rows
      .flat()
      .map((row) => row.text)
      .join('\n');
    const bytes = [...text.matchAll(/\\x((?:[\da-f]{2})+)/g)].map(([, hex = '']) =>
      Buffer.from(hex, 'hex').toString('latin1'),
    );
    return text + bytes.join('\n');
  }
});

describe('a request about an endpoint, repeated with its Idempotency-Key,', () => {
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  test('A test request repeated with its Idempotency-Key sends one test', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/test-once`);
    const path = `/webhooks/${webhook.id}/test`;
    const first = expectStatus(200, await webhooks.request('POST', path, keyed('one test')));
    const again = expectStatus(200, await webhooks.request('POST', path, keyed('one test')));
    assert.deepEqual(again, first);
    await inbox.wait(1, '/test-once');
    await settle();
    assert.equal(received('/test-once').length, 1);
  });

  test('A retry request repeated with its Idempotency-Key resends the delivery once', async () => {
    const { webhook } = await webhooks.register(`${inbox.url}/retry-once`);
    const { id } = await webhooks.tryOut(webhook);
    await inbox.wait(1, '/retry-once');
    await settle();
    const path = `/webhooks/${webhook.id}/deliveries/${id}/retry`;
    for (let time = 0; time < 3; time += 1) {
      expectStatus(200, await webhooks.request<DeliveryRecord>('POST', path, keyed('one retry')));
      await settle();
    }
    assert.equal(received('/retry-once').length, 2);
  });

  test('A request that reuses an Idempotency-Key for another endpoint, or with another body, is refused', async () => {
    const [endpoint, other] = [
      await webhooks.register(`${inbox.url}/one`),
      await webhooks.register(`${inbox.url}/other`),
    ];
    const rotate = (id: string, body: object) =>
      webhooks.request<ErrorBody>('POST', `/webhooks/${id}/rotate`, { ...keyed('rotate'), body });
    expectStatus(200, await rotate(endpoint.webhook.id, {}));
    for (const refused of [
      await rotate(other.webhook.id, {}),
      await rotate(endpoint.webhook.id, { overlap_hours: 1 }),
    ]) {
      assert.equal(expectStatus(400, refused).code, 'IDEMPOTENCY_KEY_REUSED');
    }
  });
});

describe('a deleted endpoint', () => {
  test('A deleted webhook endpoint gets nothing more, including queued deliveries, and its log can no longer be read', async () => {
    inbox.answer = 503;
    const { webhook } = await webhooks.register(`${inbox.url}/deleted`, ['workspace.created']);
    await webhooks.send('POST', '/workspaces', { name: 'Queued' });
    await inbox.wait(1, '/deleted');
    await settle();
    const [waiting] = await webhooks.deliveries(webhook);
    assert.equal(waiting?.status, 'pending');
    inbox.answer = 200;
    await webhooks.send('DELETE', `/webhooks/${webhook.id}`);
    await keywright.database.query(`UPDATE webhook_deliveries SET due_at = now() - interval '1 s'`);
    await settle();
    assert.equal(received('/deleted').length, 1);
    const path = `/webhooks/${webhook.id}/deliveries`;
    for (const [method, at] of [
      ['GET', path],
      ['POST', `${path}/${waiting?.id ?? ''}/retry`],
    ] as const) {
      assert.equal((await webhooks.request(method, at)).status, 404);
    }
  });
});
