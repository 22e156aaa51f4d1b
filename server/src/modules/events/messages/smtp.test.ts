import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import { Authority } from '@keywright/tests/harness/certificate';
import { expectStatus } from '@keywright/tests/harness/http';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { startWithMessages, type WithMessages } from '@keywright/tests/harness/messages';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { LEASE_SECONDS } from './message-queue.ts';

const CHALLENGE = 'chl_01m817qnm0e599bza8yqh63kxq';
const PASSWORD = 'hush, a password of a mail server';
const authority = new Authority();
const certificate = authority.issue(['127.0.0.1', 'localhost']);

const answers = new Map<string, { readonly status: number; readonly text: string }>();
const hanging: Socket[] = [];
const hang = createServer((socket) => hanging.push(socket));
const PAGE = 'https://app.example.com/login';
let fallback: MailSink;
let acmeSink: MailSink;
let service: WithMessages;
let acme: TestTenant;

before(async () => {
  fallback = await startMailSink({ certificate, onRecipient: (to) => answers.get(to) });
  acmeSink = await startMailSink({ certificate, users: { acme: PASSWORD } });
  await new Promise<void>((resolve) => hang.listen(0, '127.0.0.1', resolve));
  service = await startWithMessages({
    clock: 'fake',
    outside: { ca: authority.ca },
    env: {
      KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${fallback.port}`,
      KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
      KEYWRIGHT_EGRESS_ALLOW: 'localhost',
    },
  });
  acme = await service.keywright.tenant('acme', { name: 'Acme', config: { magic_link_url: PAGE } });
});

after(async () => {
  await service.keywright.close();
  await Promise.all([fallback.close(), acmeSink.close()]);
  for (const socket of hanging) socket.destroy();
  hang.close();
});

async function setMail(tenant: TestTenant, email: object): Promise<void> {
  expectStatus(200, await patch(tenant, { messaging: { email } }));
}

async function patch(tenant: TestTenant, body: object) {
  const token = await tenant.adminToken();
  return tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body });
}

/** The last message of a tenant, once it is not pending or has failed this many times. */
async function outcome(tenantId: TenantId, attempts = 0) {
  let last: Readonly<Record<string, unknown>> | undefined;
  await until('it was tried', async () => {
    last = (await service.rows(tenantId)).at(-1);
    return last?.['status'] !== 'pending' || (attempts > 0 && last['attempts'] === attempts);
  });
  return last;
}

async function eventsOf(tenant: TestTenant, type: string) {
  const token = await tenant.adminToken();
  const path = `/events?type=${type}`;
  const answer = await tenant.request<{ items: { data: Record<string, unknown> }[] }>('GET', path, {
    token,
  });
  return expectStatus(200, answer).items.map(({ data }) => data);
}

describe('the server of the operator', () => {
  test('The mail server of the operator sends for tenants without one, in their name', async () => {
    const token = await acme.adminToken();
    const shown = await acme.request('GET', `/tenants/${acme.id}`, { token });
    assert.equal(expectStatus(200, shown)['email_delivery'], 'installation');
    await service.queue(acme.id, { destination: 'ada@example.org', challengeId: CHALLENGE });
    await until('it arrives', () => fallback.mails.length === 1);
    const [mail] = fallback.mails;
    assert.deepEqual(mail?.parsed.from, { name: 'Acme', address: 'no-reply@id.example.com' });
    assert.equal(mail?.parsed.subject, 'Your Acme sign-in code');
    assert.ok(mail?.isSecure);
    const code = /\n([0-9]{8})\n/.exec(mail?.parsed.text ?? '')?.[1] ?? '';
    assert.ok(mail?.parsed.html?.includes(`<bdi dir="ltr">${code}</bdi>`));
    assert.match(mail?.parsed.text ?? '', /https:\/\/app\.example\.com\/login#link_token=chl_/);
    const done = await outcome(acme.id);
    assert.equal(done?.['status'], 'done');
    assert.equal(mail?.parsed.messageId, `<${String(done?.['id'])}@id.example.com>`);
    service.keywright.clock.advance(LEASE_SECONDS + 1);
    await service.messages.queue.runDue();
    assert.equal(fallback.mails.length, 1, 'it is sent once');
  });

  test('A mail server that answers 451 gets the same mail again, with the same Message-ID and code', async () => {
    const to = 'grey@example.org';
    answers.set(to, { status: 451, text: '4.7.1 Greylisted' });
    await service.queue(acme.id, { destination: to, challengeId: CHALLENGE });
    const tried = await outcome(acme.id, 1);
    assert.equal(tried?.['reason'], 'smtp_451: 451 4.7.1 Greylisted');
    answers.delete(to);
    service.keywright.clock.advance(6);
    await service.messages.queue.runDue();
    assert.equal((await outcome(acme.id))?.['status'], 'done');
    const mail = fallback.mails.at(-1);
    assert.equal(mail?.parsed.messageId, `<${String(tried?.['id'])}@id.example.com>`);
  });

  test('A mail server that continues to answer 451 is not tried after the message expires', async () => {
    const to = 'never@example.org';
    answers.set(to, { status: 451, text: '4.7.1 Greylisted' });
    await service.queue(acme.id, { destination: to });
    await outcome(acme.id, 1);
    for (const [tries, seconds] of [6, 18, 51, 140].entries()) {
      service.keywright.clock.advance(seconds);
      await service.messages.queue.runDue();
      assert.equal((await outcome(acme.id, tries + 2))?.['attempts'], tries + 2);
    }
    service.keywright.clock.advance(600);
    const seen = fallback.mails.length;
    answers.delete(to);
    await service.messages.queue.runDue();
    assert.equal((await outcome(acme.id))?.['status'], 'expired');
    assert.equal(fallback.mails.length, seen);
  });

  test('An address without a mailbox at its mail server is not tried again: it is suppressed, in this tenant', async () => {
    const to = 'gone@example.org';
    answers.set(to, { status: 550, text: '5.1.1 No such user' });
    await service.queue(acme.id, { destination: to });
    const failed = await outcome(acme.id);
    assert.equal(failed?.['status'], 'failed');
    answers.delete(to);
    const seen = fallback.mails.length;
    await service.queue(acme.id, { destination: to });
    assert.match(String((await outcome(acme.id))?.['reason']), /^suppressed: /);
    assert.equal(fallback.mails.length, seen);
    await until(
      'both are reported',
      async () => (await eventsOf(acme, 'message.failed')).length === 2,
    );
    const [first] = await eventsOf(acme, 'message.failed');
    assert.deepEqual(first, {
      tenant_id: acme.id,
      message_id: failed['id'],
      kind: 'login',
      reason: 'smtp_550: 550 5.1.1 No such user',
    });
    const other = await service.keywright.tenant('other');
    await service.queue(other.id, { destination: to });
    assert.equal((await outcome(other.id))?.['status'], 'done');
  });
});

describe('a message that is not sent', () => {
  const cases: Record<string, Parameters<WithMessages['queue']>[1]> = {
    withdrawn: { kind: 'invitation', destination: 'invited@example.org', challengeId: CHALLENGE },
    address_invalid: { destination: 'one@example.org, two@example.org' },
    suppressed: { destination: 'gone@example.org' },
  };
  for (const [reason, message] of Object.entries(cases)) {
    test(`A message that is not sent because it is ${reason} lets later ones be sent immediately, not by the next poll`, async () => {
      const seen = fallback.mails.length;
      await service.queue(acme.id, message);
      assert.match(String((await outcome(acme.id))?.['reason']), new RegExp(`^${reason}: `));
      assert.equal(fallback.mails.length, seen);
      await service.queue(acme.id, { destination: 'next@example.org' });
      const { status, takes } = (await outcome(acme.id)) ?? {};
      assert.deepEqual({ status, takes }, { status: 'done', takes: 1 });
    });
  }
});

describe('the server of a tenant', () => {
  const email = () => ({
    provider: 'smtp',
    smtp_host: 'localhost',
    smtp_port: acmeSink.port,
    smtp_username: 'acme',
    smtp_password: PASSWORD,
    from_address: 'login@acme.example',
    from_name: 'Acme accounts',
    reply_to: 'help@acme.example',
  });

  test('The mail server of a tenant is used from the next message on', async () => {
    await setMail(acme, email());
    await service.queue(acme.id, { destination: 'ada@example.org' });
    await until('it arrives', () => acmeSink.mails.length === 1);
    const [mail] = acmeSink.mails;
    assert.deepEqual(mail?.parsed.from, { name: 'Acme accounts', address: 'login@acme.example' });
    assert.equal(mail?.parsed.replyTo?.[0]?.address, 'help@acme.example');
    assert.equal(mail?.user, 'acme');
    assert.equal((await outcome(acme.id))?.['status'], 'done');
  });

  test('The mail server of a tenant gets the stored password only at the host and for the user it was set for', async () => {
    await setMail(acme, email());
    const masked = '********';
    for (const change of [
      { smtp_host: 'evil.example.com' },
      { smtp_username: 'another' },
      { smtp_host: 'evil.example.com', smtp_password: masked },
    ]) {
      const answer = expectStatus(400, await patch(acme, { messaging: { email: change } }));
      assert.equal(answer['code'], 'VALIDATION_FAILED');
      assert.match(JSON.stringify(answer['errors']), /\/messaging\/email\/smtp_password/);
    }
    expectStatus(400, await patch(acme, { messaging: { email: { smtp_host: null } } }));
    await setMail(acme, { smtp_host: null, smtp_password: 'another' });
    const again = { messaging: { email: { smtp_host: 'evil.example.com' } } };
    expectStatus(400, await patch(acme, again));
    await setMail(acme, { ...email(), smtp_password: 'another' });
    await setMail(acme, email());
  });

  test('A mail server can be tested before it is saved, and gets the stored password only as the one it was set for', async () => {
    const tenant = await service.keywright.tenant('trial');
    const trial = {
      smtp_host: 'localhost',
      smtp_port: acmeSink.port,
      smtp_username: 'acme',
      smtp_password: PASSWORD,
      from_address: 'login@acme.example',
    };
    const send = async (settings: object, token?: string, to = 'trial@example.org') =>
      tenant.request<ErrorBody & { id: string }>('POST', '/messaging/test', {
        token: token ?? (await tenant.adminToken()),
        body: { to, email: settings },
      });
    const { id } = expectStatus(201, await send(trial));
    await until('the mail arrives', () =>
      acmeSink.mails.some(({ raw, user }) => user === 'acme' && raw.includes(id)),
    );
    const { config: _, ...saved } = expectStatus(200, await patch(tenant, { name: 'Trial' }));
    assert.deepEqual(saved['messaging'], {});

    const { smtp_password: _password, ...rest } = trial;
    await setMail(tenant, trial);
    const { id: again } = expectStatus(201, await send({ ...rest, from_name: 'Trial' }));
    await until('the mail arrives', () => acmeSink.mails.some(({ raw }) => raw.includes(again)));
    for (const other of [
      { smtp_host: '127.0.0.1' },
      { smtp_port: 587 },
      { smtp_security: 'none' },
      { smtp_username: 'another' },
    ]) {
      const { errors = [] } = expectStatus(400, await send({ ...rest, ...other })) as ErrorBody;
      assert.equal(errors[0]?.path, '/email/smtp_password');
    }
    const { from_address: _from, ...anonymous } = trial;
    expectStatus(400, await send(anonymous));
    const { token } = await tenant.createUser();
    expectStatus(403, await send(trial, token));
    const byPhone = expectStatus(400, await send(trial, undefined, '+491701234567')) as ErrorBody;
    assert.equal(byPhone.errors?.[0]?.path, '/to');
  });

  test('A mail server that is only tested cannot stop the messages of the tenant to an address', async () => {
    const tenant = await service.keywright.tenant('hostile');
    const to = 'victim@example.org';
    answers.set(to, { status: 550, text: '5.1.1 No such user' });
    const settings = {
      smtp_host: 'localhost',
      smtp_port: fallback.port,
      from_address: 'login@acme.example',
    };
    const body = { to, email: settings };
    const token = await tenant.adminToken();
    expectStatus(201, await tenant.request('POST', '/messaging/test', { token, body }));
    assert.equal((await outcome(tenant.id))?.['status'], 'failed');
    answers.delete(to);
    await service.queue(tenant.id, { destination: to });
    assert.equal((await outcome(tenant.id))?.['status'], 'done');
  });

  test('A mail server of a tenant that could never be used is rejected when it is set', async () => {
    for (const bad of [
      { smtp_host: '169.254.169.254', smtp_port: 587 },
      { smtp_host: '[::1]', smtp_port: 587 },
      { smtp_host: 'mail.example.com', smtp_port: 6379 },
      { smtp_host: 'mail.example.com', smtp_port: 587, smtp_security: 'none' },
    ]) {
      const change = { messaging: { email: { ...bad, smtp_password: 'x' } } };
      const answer = expectStatus(400, await patch(acme, change));
      assert.match(JSON.stringify(answer['errors']), /\/messaging\/email\/smtp_host/);
    }
    expectStatus(400, await patch(acme, { messaging: { email: { provider: 'carrier-pigeon' } } }));
  });

  test('A mail server that refuses the password five times is paused for five minutes, and that is reported', async () => {
    const tenant = await service.keywright.tenant('locked');
    await setMail(tenant, { ...email(), smtp_password: 'wrong' });
    for (let index = 0; index < 5; index += 1) {
      await service.queue(tenant.id, { destination: `user${index}@example.org` });
      await outcome(tenant.id, 1);
    }
    await until(
      'it is reported',
      async () => (await eventsOf(tenant, 'messaging.failing')).length > 0,
    );
    assert.deepEqual(await eventsOf(tenant, 'messaging.failing'), [
      {
        tenant_id: tenant.id,
        reason: 'login_refused: The server rejected the user name or the password. (535)',
      },
    ]);
    const connections = acmeSink.connections;
    await service.queue(tenant.id, { destination: 'user5@example.org' });
    assert.match(String((await outcome(tenant.id, 1))?.['reason']), /^paused: /);
    assert.equal(acmeSink.connections, connections);
    const stored = JSON.stringify(await service.rows(tenant.id));
    assert.ok(!stored.includes('wrong'), 'the server repeats the password, we do not');
  });

  test('A mail server of a tenant that hangs delays no other tenant', async () => {
    const slow = await service.keywright.tenant('slow');
    const { port } = hang.address() as AddressInfo;
    await setMail(slow, { ...email(), smtp_port: port });
    for (let index = 0; index < 200; index += 1) {
      await service.queue(slow.id, { destination: `user${index}@example.org` });
    }
    await until('it hangs', () => hanging.length > 0);
    const quick = await service.keywright.tenant('quick');
    const seen = fallback.mails.length;
    const startedAt = performance.now();
    for (let index = 0; index < 20; index += 1) {
      await service.queue(quick.id, { destination: `user${index}@example.net` });
    }
    await until('they arrive', () => fallback.mails.length === seen + 20, 5000);
    assert.ok(performance.now() - startedAt < 5000);
    assert.ok(hanging.length <= 4, String(hanging.length));
  });
});
