import assert from 'node:assert/strict';
import { createServer, type Socket, type AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Authority } from '@keywright/tests/harness/certificate';
import { startDnsServer } from '@keywright/tests/harness/dns-server';
import {
  type MailSink,
  type MailSinkOptions,
  startMailSink,
} from '@keywright/tests/harness/mail-sink';
import { until } from '@keywright/tests/harness/until';
import { ALLOW_NOTHING, parseEgressAllow } from '../egress/operator-exceptions.ts';
import { EgressWhenUsed } from '../egress/lazy.ts';
import type { Mail, MailOutcome, MailServer } from './mail.ts';
import { MailTransport } from './transport.ts';

const authority = new Authority();
const certificate = authority.issue(['smtp.test', '127.0.0.1']);
const LOGIN = { username: 'acme', password: 'the password' };

const MAIL: Mail = {
  messageId: '<msg_1@acme.example>',
  date: new Date('2026-03-01T12:00:00Z'),
  from: { name: 'Acme', address: 'no-reply@acme.example' },
  replyTo: 'help@acme.example',
  to: 'ada@example.org',
  subject: 'Log in to Acme',
  text: 'Code: 12345678\n',
  html: '<p>Code: 12345678</p>',
};

interface Setup {
  readonly allow?: string;
  readonly timeoutMs?: number;
  readonly host?: string;
}

async function transportFor(t: TestContext, { allow = '127.0.0.1', timeoutMs }: Setup = {}) {
  const dns = await startDnsServer(() => ['127.0.0.1']);
  t.after(() => dns.close());
  const egress = new EgressWhenUsed({
    allow: allow === '' ? ALLOW_NOTHING : parseEgressAllow(allow).allow,
    ca: authority.ca,
    dnsServers: [dns.address],
  });
  t.after(() => egress.close());
  const transport = new MailTransport(egress, () => 'id.example.com', timeoutMs);
  t.after(() => transport.close());
  return transport;
}

async function sinkFor(t: TestContext, options: MailSinkOptions = {}): Promise<MailSink> {
  const sink = await startMailSink({ certificate, ...options });
  t.after(() => sink.close());
  return sink;
}

function serverAt(port: number, more: Partial<MailServer> = {}): MailServer {
  return {
    host: 'smtp.test',
    port,
    security: 'starttls',
    username: undefined,
    password: undefined,
    isOperators: false,
    ...more,
  };
}

/** Sends an email to a sink. */
async function deliver(
  t: TestContext,
  sinkOptions: MailSinkOptions,
  server: Partial<MailServer> = {},
  setup: Setup = {},
  mail: Partial<Mail> = {},
) {
  const sink = await sinkFor(t, sinkOptions);
  const transport = await transportFor(t, setup);
  const outcome = await transport.send('a', () => serverAt(sink.port, server), {
    ...MAIL,
    ...mail,
  });
  return { sink, outcome };
}

for (const isImplicit of [false, true]) {
  const name = isImplicit ? 'implicit TLS' : 'STARTTLS';
  const security = isImplicit ? 'tls' : 'starttls';

  test(`A mail arrives over ${name}, after a login, as it was written`, async (t) => {
    const users = { [LOGIN.username]: LOGIN.password };
    const { sink, outcome } = await deliver(t, { isImplicit, users }, { security, ...LOGIN });
    assert.deepEqual(outcome, { outcome: 'accepted' });
    const [got] = sink.mails;
    assert.ok(got?.isSecure);
    assert.equal(got.user, LOGIN.username);
    assert.equal(got.from, MAIL.from.address);
    assert.deepEqual(got.to, [MAIL.to]);
    assert.equal(got.parsed.messageId, MAIL.messageId);
    assert.equal(new Date(got.parsed.date ?? '').getTime(), MAIL.date.getTime());
    assert.deepEqual(got.parsed.from, MAIL.from);
    assert.equal(got.parsed.subject, MAIL.subject);
    assert.equal(got.parsed.text?.trim(), MAIL.text.trim());
    assert.equal(got.parsed.html?.trim(), MAIL.html);
    assert.deepEqual(got.parsed.attachments, []);
  });

  test(`A mail server with a certificate for another name is sent neither a login nor a mail over ${name}`, async (t) => {
    const wrong = authority.issue(['other.test']);
    const users = { [LOGIN.username]: LOGIN.password };
    const options = { isImplicit, certificate: wrong, users };
    const { sink, outcome } = await deliver(t, options, { security, ...LOGIN });
    assert.equal(outcome.outcome, 'refused');
    assert.equal(codeIn(outcome), 'tls_failed');
    assert.deepEqual(sink.mails, []);
  });

  test(`A mail server whose certificate authority is not trusted is refused over ${name}`, async (t) => {
    const foreign = new Authority('Untrusted').issue(['smtp.test']);
    const { outcome } = await deliver(t, { isImplicit, certificate: foreign }, { security });
    assert.equal(outcome.outcome, 'refused');
  });
}

test('A mail server that offers no STARTTLS is sent neither a login nor a mail', async (t) => {
  const sink = await startMailSink({ users: { [LOGIN.username]: LOGIN.password } });
  t.after(() => sink.close());
  const transport = await transportFor(t);
  const outcome = await transport.send('a', () => serverAt(sink.port, LOGIN), MAIL);
  assert.equal(outcome.outcome, 'refused');
  assert.deepEqual(sink.mails, []);
});

test('Responses injected in the plain part of a STARTTLS conversation are not trusted', async (t) => {
  // The responses injected after the 220 would be mistaken for those of the encrypted part.
  const port = await startScript(t, (line, socket) => {
    if (/^EHLO/i.test(line)) socket.write('250-smtp.test\r\n250 STARTTLS\r\n');
    if (/^STARTTLS/i.test(line)) {
      socket.write('220 go\r\n250-smtp.test\r\n250 AUTH PLAIN\r\n235 in\r\n250 ok\r\n');
    }
  });
  const transport = await transportFor(t, { timeoutMs: 2000 });
  const outcome = await transport.send('a', () => serverAt(port, LOGIN), MAIL);
  assert.notEqual(outcome.outcome, 'accepted');
});

test('A wrong SMTP password is reported as a refusal, which does not repeat what the server said', async (t) => {
  const users = { [LOGIN.username]: 'another' };
  const { outcome } = await deliver(t, { users }, LOGIN);
  assert.deepEqual(outcome, {
    outcome: 'refused',
    reason: {
      code: 'login_refused',
      detail: 'The server rejected the user name or the password. (535)',
    },
  });
});

test('451 is deferred, 550 rejected, and 5.1.1 says that there is no such mailbox', async (t) => {
  const answers = new Map([
    ['grey@example.org', { status: 451, text: '4.7.1 Greylisted, try again' }],
    ['full@example.org', { status: 552, text: '5.2.2 Mailbox full' }],
    ['gone@example.org', { status: 550, text: '5.1.1 No such user' }],
  ]);
  const sink = await sinkFor(t, { onRecipient: (address) => answers.get(address) });
  const transport = await transportFor(t);
  const send = (to: string) => transport.send('a', () => serverAt(sink.port), { ...MAIL, to });
  assert.deepEqual(await send('grey@example.org'), {
    outcome: 'deferred',
    reason: { code: 'smtp_451', detail: '451 4.7.1 Greylisted, try again' },
  });
  assert.deepEqual(await send('full@example.org'), {
    outcome: 'rejected',
    isUnknown: false,
    reason: { code: 'smtp_552', detail: '552 5.2.2 Mailbox full' },
  });
  assert.deepEqual(await send('gone@example.org'), {
    outcome: 'rejected',
    isUnknown: true,
    reason: { code: 'smtp_550', detail: '550 5.1.1 No such user' },
  });
  assert.deepEqual(await send('ada@example.org'), { outcome: 'accepted' });
});

test('A connection that breaks in the middle of the data does not count as acceptance, and is not retried by the transport', async (t) => {
  let isBroken = true;
  const sink = await sinkFor(t, { breaksData: () => isBroken });
  const transport = await transportFor(t);
  const text = 'x'.repeat(500_000);
  const send = () => transport.send('a', () => serverAt(sink.port), { ...MAIL, text });
  assert.equal((await send()).outcome, 'unreachable');
  assert.equal(sink.connections, 1);
  isBroken = false;
  assert.deepEqual(await send(), { outcome: 'accepted' });
});

test('A mail server that responds one byte at a time counts as unreachable', async (t) => {
  const port = await startScript(
    t,
    () => undefined,
    (socket) => {
      const timer = setInterval(() => socket.write('2'), 50);
      socket.once('close', () => clearInterval(timer));
    },
  );
  const transport = await transportFor(t, { timeoutMs: 700 });
  const startedMs = performance.now();
  const outcome = await transport.send('a', () => serverAt(port), MAIL);
  assert.equal(outcome.outcome, 'unreachable');
  assert.ok(performance.now() - startedMs < 5000);
});

test('A mail server at an address that is not public is refused, by name and as a number', async (t) => {
  const sink = await sinkFor(t);
  const transport = await transportFor(t, { allow: '' });
  for (const host of ['smtp.test', '127.0.0.1', '169.254.169.254', '[::1]', '::1', '0x7f.1']) {
    for (const port of [587, 465]) {
      const server = serverAt(port, { host });
      const outcome = await transport.send(`${host} ${port}`, () => server, MAIL);
      assert.equal(codeIn(outcome), 'address_not_allowed', host);
    }
  }
  const other = await transport.send('port', () => serverAt(sink.port), MAIL);
  assert.equal(codeIn(other), 'mail_port_not_allowed');
  const plain = serverAt(587, { security: 'none' });
  const unencrypted = await transport.send('plain', () => plain, MAIL);
  assert.equal(codeIn(unencrypted), 'tls_required');
  assert.equal(sink.connections, 0);
});

test('A mail server that the operator chose can have any address', async (t) => {
  const sink = await sinkFor(t);
  const transport = await transportFor(t, { allow: '' });
  const server = serverAt(sink.port, { host: '127.0.0.1', isOperators: true });
  assert.deepEqual(await transport.send('a', () => server, MAIL), { outcome: 'accepted' });
});

test('No text of a mail adds a header, a recipient or a command', async (t) => {
  const sink = await sinkFor(t);
  const transport = await transportFor(t);
  const nasty = 'x\r\nBcc: evil@example.org\r\n\r\n.\r\nMAIL FROM:<evil@example.org>\r\n';
  const mails: readonly Partial<Mail>[] = [
    { subject: nasty },
    { from: { name: nasty, address: MAIL.from.address } },
    { from: { name: 'A" <evil@example.org>, "B', address: MAIL.from.address } },
    { text: nasty, html: nasty },
    { messageId: `<${nasty}>` },
  ];
  for (const mail of mails)
    await transport.send('a', () => serverAt(sink.port), { ...MAIL, ...mail });
  assert.equal(sink.mails.length, mails.length);
  for (const { to, from, parsed } of sink.mails) {
    assert.deepEqual(to, [MAIL.to]);
    assert.equal(from, MAIL.from.address);
    assert.deepEqual([parsed.bcc, parsed.cc], [undefined, undefined]);
    assert.equal(parsed.from?.address, MAIL.from.address);
    const allowedHeaders =
      /^(from|to|subject|message-id|date|reply-to|mime-version|content-.*|auto-submitted)$/;
    for (const { key } of parsed.headers) assert.match(key, allowedHeaders);
  }
  const lists = [
    'ada@example.org, evil@example.org',
    'ada@example.org\r\nRCPT TO:<evil@example.org>',
  ];
  for (const to of lists) {
    const { outcome } = await transport.send('a', () => serverAt(sink.port), { ...MAIL, to });
    assert.equal(outcome, 'rejected');
  }
  assert.equal(sink.mails.length, mails.length);
});

test('All mails of one party share connections, at most four, and other settings get separate ones', async (t) => {
  const sink = await sinkFor(t);
  const transport = await transportFor(t);
  const send = (key: string) => transport.send(key, () => serverAt(sink.port), MAIL);
  await Promise.all(Array.from({ length: 24 }, () => send('a')));
  assert.equal(sink.mails.length, 24);
  assert.ok(sink.connections <= 4, String(sink.connections));
  const before = sink.connections;
  await send('b');
  assert.equal(sink.connections, before + 1);
});

test('A node has at most 64 connections to mail servers, and closes idle ones for others', async (t) => {
  const sink = await sinkFor(t);
  const transport = await transportFor(t);
  for (let index = 0; index < 70; index += 1) {
    const sent = await transport.send(`tenant ${index}`, () => serverAt(sink.port), MAIL);
    assert.equal(sent.outcome, 'accepted');
  }
  assert.equal(sink.connections, 70);
  await until('six are closed', () => sink.open() <= 64);
});

test('No mail waits for a connection that another tenant keeps and does not use', async (t) => {
  const sink = await sinkFor(t);
  const transport = await transportFor(t);
  const send = (tenant: number) =>
    transport.send(`tenant ${tenant}`, () => serverAt(sink.port), MAIL);
  const outcomes: string[] = [];
  // A node sends 64 emails concurrently, four per tenant, so each tenant keeps more connections than it uses.
  await Promise.all(
    Array.from({ length: 64 }, async (_, line) => {
      for (let turn = 0; turn < 8; turn += 1) {
        const sent = await send((line + turn * 5) % 40);
        outcomes.push('reason' in sent ? sent.reason.code : sent.outcome);
      }
    }),
  );
  assert.deepEqual(
    outcomes.filter((outcome) => outcome !== 'accepted'),
    [],
  );
  assert.equal(sink.mails.length, 512);
});

function codeIn(outcome: MailOutcome): string | undefined {
  return 'reason' in outcome ? outcome.reason.code : undefined;
}

/** A server with scripted responses. */
async function startScript(
  t: TestContext,
  onLine: (line: string, socket: Socket) => void,
  onConnect: (socket: Socket) => void = (socket) => void socket.write('220 smtp.test ESMTP\r\n'),
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnect(socket);
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) onLine(line, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
