import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TenantId } from '@keywright/contract/ids';
import { MESSAGE_KIND_NAMES, MESSAGE_KINDS, type MessageKind } from '@keywright/contract/messages';
import { expectStatus } from '@keywright/tests/harness/http';
import { startWithMessages, type WithMessages } from '@keywright/tests/harness/messages';
import { until } from '@keywright/tests/harness/until';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { messageSecrets } from './message-secrets.ts';

const TO = 'ada@example.org';
const CHALLENGE = 'chl_01m817qnm0e599bza8yqh63kxq';
const HOME = 'org_default' as TenantId;

describe('in development', () => {
  const lines: string[] = [];
  let service: WithMessages;

  before(async () => {
    service = await startWithMessages({
      engine: 'pglite',
      clock: 'fake',
      env: { KEYWRIGHT_BASE_URL: 'http://localhost:8080', KEYWRIGHT_LOG_LEVEL: 'info' },
      log: (line) => lines.push(line),
    });
  });
  after(() => service.keywright.close());

  const page = (headers: Record<string, string> = {}) =>
    fetch(`${service.keywright.url}/dev/messages`, { headers });

  test('A message in development is shown in the log and on a page, with its code and link, and stored without them', async () => {
    await service.queue(HOME, { destination: TO, challengeId: CHALLENGE });
    await until('it is shown', () => service.messages.shown().length === 1);
    const { code, linkToken } = await service.core.dataKeys.use(HOME, (key) =>
      messageSecrets(key, { id: CHALLENGE, kind: 'login' }),
    );
    const [shown] = service.messages.shown();
    assert.match(shown?.text ?? '', new RegExp(`\\n${code}\\n`));
    assert.ok(!shown?.text.includes('link'), 'no page of an application is known');
    assert.match(shown?.text ?? '', /Expires in 10 minutes\./);
    assert.ok(lines.some((line) => line.includes(code) && line.includes('no mail server')));
    const html = await (await page()).text();
    assert.ok(html.includes(code) && html.includes(TO));
    await until('it is done', async () => (await service.rows(HOME))[0]?.['status'] === 'done');
    const stored = JSON.stringify(await service.rows(HOME));
    assert.ok(!stored.includes(code) && !stored.includes(linkToken) && !stored.includes(TO));
    assert.match(stored, /a…@e….org/);
  });

  test('The page of development messages exists for this machine only, not through a proxy or under another name', async () => {
    assert.equal((await page()).status, 200);
    assert.equal((await page({ 'x-forwarded-for': '127.0.0.1' })).status, 404);
    const rebound = await service.keywright.request('GET', '/dev/messages', {
      host: 'attacker.example.com',
    });
    assert.equal(rebound.status, 404);
  });

  test('A message of a transaction that is rolled back is never sent', async () => {
    const count = service.messages.shown().length;
    const gone = service.core.gate.into(HOME).transaction(async (tx) => {
      await service.messages.queue.enqueue(tx, service.message({ destination: TO }, tx.now));
      throw new Error('rolled back');
    });
    await assert.rejects(gone, /rolled back/);
    await service.messages.queue.runDue();
    assert.equal(service.messages.shown().length, count);
  });

  test('A decoy message is stored like any other, and never sent', async () => {
    const count = service.messages.shown().length;
    await service.queue(HOME, { destination: 'unknown@example.org', isDecoy: true });
    await service.messages.queue.runDue();
    assert.equal(service.messages.shown().length, count);
    assert.deepEqual(
      (await service.rows(HOME)).map((row) => [row['masked_destination'], row['status']]),
      [
        ['a…@e….org', 'done'],
        ['u…@e….org', 'done'],
      ],
    );
  });

  test('A message that a node left behind is sent when its lease ends, and not after its expiry', async () => {
    const { clock } = service.keywright;
    await service.abandon(HOME, { destination: 'left@example.org' });
    await service.messages.queue.runDue();
    const isShown = (to: string) => service.messages.shown().some((message) => message.to === to);
    assert.ok(!isShown('left@example.org'), 'another node may be sending it');
    clock.advance(31);
    await service.messages.queue.runDue();
    assert.ok(isShown('left@example.org'));
    await service.abandon(HOME, { destination: 'late@example.org' });
    clock.advance(601);
    await service.messages.queue.runDue();
    assert.ok(!isShown('late@example.org'));
    const last = (await service.rows(HOME)).at(-1);
    assert.equal(last?.['status'], 'expired');
  });

  const queue = (kind: MessageKind) => {
    const what = 'provider_added';
    const vars = { changed: 'new@example.org', time: 'now', device: 'Firefox', what };
    return service.queue(HOME, { kind, destination: TO, challengeId: CHALLENGE, vars });
  };

  /** Creates an invitation, because only one that can be accepted is sent. */
  async function invite(): Promise<void> {
    const { keywright } = service;
    const token = await keywright.adminToken();
    const body = { identifier: 'invited@example.org' };
    expectStatus(201, await keywright.request('POST', '/invitations', { token, body }));
  }

  test('Every message kind has a text in which every variable is filled', async () => {
    for (const kind of MESSAGE_KIND_NAMES) {
      assert.ok(MESSAGE_KINDS[kind].endsWith('.'));
      await (kind === 'invitation' ? invite() : queue(kind));
      await until('it is shown', () => service.messages.shown()[0]?.kind === kind);
      const { subject = '', text = '' } = service.messages.shown()[0] ?? {};
      assert.match(subject, /Default Tenant/);
      assert.doesNotMatch(subject + text, /\{\{|undefined/);
    }
  });
});

describe('in production, without a mail server', () => {
  let service: WithMessages;

  before(async () => {
    service = await startWithMessages({ clock: 'fake' });
  });
  after(() => service.keywright.close());

  test('A message in production without a mail server fails and is not shown, and the page does not exist', async () => {
    await service.queue(HOME, { destination: TO });
    await until('it failed', async () => (await service.rows(HOME))[0]?.['status'] === 'failed');
    assert.match(String((await service.rows(HOME))[0]?.['reason']), /^no_mail_server: /);
    assert.deepEqual(service.messages.shown(), []);
    assert.equal((await fetch(`${service.keywright.url}/dev/messages`)).status, 404);
  });

  test('An address can request one message to a recipient in 30 seconds, 5 an hour and 10 a day', async () => {
    const { clock } = service.keywright;
    const admit = () =>
      service.messages.limits.admitMail(HOME, {
        destination: TO,
        address: '192.0.2.7',
      });
    assert.equal(await admit(), undefined);
    assert.equal(await admit(), 30);
    for (let sent = 1; sent < 5; sent += 1) {
      clock.advance(30);
      assert.equal(await admit(), undefined);
    }
    clock.advance(30);
    assert.ok(((await admit()) ?? 0) > 3000);
    clock.advance(3600);
    for (let sent = 5; sent < 10; sent += 1) {
      assert.equal(await admit(), undefined);
      clock.advance(30);
    }
    clock.advance(3600);
    assert.ok(((await admit()) ?? 0) > 70_000);
  });

  test('An address can request 20 messages an hour, independently of other addresses', async () => {
    const admit = (destination: string, address: string) =>
      service.messages.limits.admitMail(HOME, { destination, address });
    for (let sent = 0; sent < 20; sent += 1) {
      assert.equal(await admit(`user${sent}@example.org`, `2001:db8::${sent}`), undefined);
    }
    assert.ok((await admit('user20@example.org', '2001:db8::ffff')) !== undefined);
    assert.equal(await admit('user20@example.org', '2001:db8:0:1::1'), undefined);
  });

  test('A /56 can request 80 messages an hour and a /48 can request 320, from any of its addresses', async () => {
    const admit = (subnet: number, message: number) =>
      service.messages.limits.admitMail(HOME, {
        destination: `user${message}@example.org`,
        address: `2001:db8:7:${subnet.toString(16)}::1`,
      });
    const admitted: number[] = [];
    for (let site = 0; site < 5; site += 1) {
      let count = 0;
      for (let message = 0; message < 90; message += 1) {
        if ((await admit(site * 256 + (message % 6), message)) === undefined) count += 1;
      }
      admitted.push(count);
    }
    assert.deepEqual(admitted, [80, 80, 80, 80, 0]);
  });

  test('A decoy takes nothing from messages that are sent, and strangers leave a part to users who have proven more', async () => {
    const tenant = { id: HOME, config: {} } as Tenant;
    const spend = (isDecoy: boolean, isKnown: boolean) =>
      service.messages.limits.spend(tenant, {
        destination: 'owner@example.org',
        address: '203.0.113.5',
        isDecoy,
        isKnown,
      });
    const spent = async (count: number, isDecoy: boolean, isKnown: boolean) => {
      let within = 0;
      for (let index = 0; index < count; index += 1) if (await spend(isDecoy, isKnown)) within += 1;
      return within;
    };
    assert.equal(await spent(30, true, false), 10);
    assert.equal(await spent(30, false, false), 10);
    assert.equal(await spent(30, false, true), 10);
  });
});
