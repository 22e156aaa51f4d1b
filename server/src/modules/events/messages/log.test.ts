import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { MessageRecord, SuppressionRecord } from '@keywright/contract/records/message';
import { expectStatus } from '@keywright/tests/harness/http';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { startWithMessages, type WithMessages } from '@keywright/tests/harness/messages';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { messageSecrets } from './message-secrets.ts';

const CHALLENGE = 'chl_01m817qnm0e599bza8yqh63kxq';
const GONE = 'gone@example.org';
const BUSY = 'busy@example.org';

const PAGE = 'https://app.example.com/login';
let sink: MailSink;
let service: WithMessages;
let acme: TestTenant;
let user: UserId;
let repeated = '';

before(async () => {
  const onRecipient = (to: string) => {
    if (to === GONE) return { status: 550, text: `5.1.1 <${GONE}>: no such user` };
    const text = `4.7.1 Later: ${repeated} ${'x'.repeat(400)}`;
    return to === BUSY ? { status: 451, text } : undefined;
  };
  sink = await startMailSink({ onRecipient });
  service = await startWithMessages({
    clock: 'fake',
    env: {
      KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
    },
  });
  acme = await service.keywright.tenant('acme', { name: 'Acme', config: { magic_link_url: PAGE } });
  user = (await acme.createUser()).user.id;
});

after(async () => {
  await service.keywright.close();
  await sink.close();
});

interface List<Item> {
  readonly items: readonly Item[];
  readonly meta: { readonly total: number; readonly next_cursor?: string };
}

async function get<Body>(path: string, tenant = acme): Promise<Body> {
  return expectStatus(
    200,
    await tenant.request<Body>('GET', path, { token: await tenant.adminToken() }),
  );
}

const messages = (query = '', tenant = acme) =>
  get<List<MessageRecord>>(`/messages${query}`, tenant);

async function queueAll(tenantId: TenantId): Promise<void> {
  const { code, linkToken } = await service.core.dataKeys.use(tenantId, (key) =>
    messageSecrets(key, { id: CHALLENGE, kind: 'login' }),
  );
  repeated = `your mail to ${BUSY} has ${code} and ${PAGE}#link_token=${linkToken}`;
  await service.queue(tenantId, { destination: 'ada@example.org', userId: user });
  await service.queue(tenantId, { destination: GONE });
  await service.queue(tenantId, { destination: BUSY, challengeId: CHALLENGE });
  await service.queue(tenantId, { destination: 'unknown@example.org', isDecoy: true });
  await until('all are tried', async () =>
    (await service.rows(tenantId)).every(
      ({ status, attempts }) => status !== 'pending' || attempts === 1,
    ),
  );
}

describe('the log of messages', () => {
  before(() => queueAll(acme.id));

  test('The message log shows what became of each message, without addresses, texts and secrets', async () => {
    const { items, meta } = await messages('?sort=created_at');
    assert.equal(meta.total, 4);
    assert.deepEqual(
      items.map(({ to, status, attempts, smtp_code, reason }) => [
        to,
        status,
        attempts,
        smtp_code,
        reason?.slice(0, 40) ?? null,
      ]),
      [
        ['a…@e….org', 'sent', 1, null, null],
        ['g…@e….org', 'failed', 1, 550, 'smtp_550: 550 5.1.1 <…>: no such user'],
        ['b…@e….org', 'pending', 1, 451, 'smtp_451: 451 4.7.1 Later: your mail to '],
        ['u…@e….org', 'not_sent', 0, null, 'not_sent: The recipient is not an active'],
      ],
    );
    const shown = JSON.stringify(items);
    for (const word of repeated.split(' ').filter((part) => /\d/.test(part) || part === BUSY)) {
      assert.ok(!shown.includes(word), word);
    }
    assert.doesNotMatch(shown, /xxxx/);
    for (const { reason } of items) assert.ok((reason ?? '').length <= 200);
    const [sent, , pending] = items;
    assert.deepEqual([sent?.user_id, sent?.kind, sent?.channel], [user, 'login', 'email']);
    assert.deepEqual([sent?.next_attempt_at, sent?.ended_at], [null, sent?.created_at]);
    assert.equal(pending?.ended_at, null);
    assert.ok((pending?.next_attempt_at ?? '') > (pending?.created_at ?? ''));
    const stored = JSON.stringify(await service.rows(acme.id));
    for (const word of repeated.split(' ').filter((part) => /\d{8}|@/.test(part))) {
      assert.ok(!stored.includes(word), word);
    }
  });

  test('The message log can be filtered by state and by user, and is read in pages', async () => {
    for (const state of ['sent', 'failed', 'pending', 'not_sent'] as const) {
      const { items, meta } = await messages(`?status=${state}`);
      assert.deepEqual([items.map(({ status }) => status), meta.total], [[state], 1]);
    }
    assert.equal((await messages('?status=expired')).meta.total, 0);
    const userMessages = await messages(`?user_id=${user}`);
    assert.deepEqual(
      userMessages.items.map(({ user_id }) => user_id),
      [user],
    );
    const first = await messages('?limit=3');
    const second = await messages(`?limit=3&cursor=${first.meta.next_cursor}`);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    assert.deepEqual(
      ids,
      (await messages()).items.map(({ id }) => id),
    );
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  test('The message log shows the messages of its tenant only', async () => {
    const other = await service.keywright.tenant('other');
    assert.equal((await messages('', other)).meta.total, 0);
    assert.equal((await messages(`?user_id=${user}`, other)).meta.total, 0);
  });

  test('The audit log includes each message that was sent, with its masked address', async () => {
    await service.keywright.nodes[0]?.notes.flush();
    const { items } = await get<List<Record<string, unknown>>>('/audit?action=auth.message_sent');
    assert.deepEqual(
      items.map(({ details, outcome }) => [details, outcome]),
      [[{ kind: 'login', to: 'a…@e….org' }, 'success']],
    );
  });
});

describe('suppressed addresses', () => {
  test('The suppressed addresses are listed with their reasons, and found by address and by ID', async () => {
    const { items } = await get<List<SuppressionRecord>>('/messaging/suppressions');
    assert.deepEqual(
      items.map(({ to, reason }) => [to, reason]),
      [['g…@e….org', 'bounce']],
    );
    const [first] = items;
    for (const name of [GONE, 'GONE@Example.org', first?.id]) {
      assert.deepEqual(await get(`/messaging/suppressions/${name}`), first);
    }
    const token = await acme.adminToken();
    const unknown = await acme.request('GET', '/messaging/suppressions/ada@example.org', { token });
    assert.equal(expectStatus(404, unknown)['code'], 'NOT_FOUND');
  });

  test('A suppressed address is sent messages again when its suppression is removed', async () => {
    const token = await acme.adminToken();
    const remove = () => acme.request('DELETE', `/messaging/suppressions/${GONE}`, { token });
    expectStatus(200, await remove());
    expectStatus(404, await remove());
    await service.queue(acme.id, { destination: GONE });
    await until(
      'it bounces again',
      async () => (await messages('?status=failed')).meta.total === 2,
    );
    const { items } = await messages('?status=failed');
    assert.equal(items[0]?.smtp_code, 550, 'the server was asked');
    const audit = await get<List<{ action: string; details: unknown }>>('/audit?limit=100');
    const changes = audit.items.filter(({ action }) => action.startsWith('messaging.suppress'));
    assert.deepEqual(
      changes.map(({ action, details }) => [action, details]),
      ['suppressed', 'suppression_removed', 'suppressed'].map((what) => [
        `messaging.${what}`,
        { to: 'g…@e….org', reason: 'bounce' },
      ]),
    );
  });

  test('An address that one tenant suppresses is not suppressed by another', async () => {
    const other = await service.keywright.tenant('another');
    const { meta } = await get<List<SuppressionRecord>>('/messaging/suppressions', other);
    assert.equal(meta.total, 0);
    const path = `/messaging/suppressions/${GONE}`;
    expectStatus(404, await other.request('GET', path, { token: await other.adminToken() }));
  });
});
