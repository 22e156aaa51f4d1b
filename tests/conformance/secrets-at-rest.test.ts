// A dump of the database and the logs of a whole run have none of the secrets that it used.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, undoTokenTo } from '../harness/mailed.ts';
import { startWithMessages, type WithMessages } from '../harness/messages.ts';
import { startSecondStep, proveSecondFactor } from '../harness/second-step.ts';
import { dumpAll, findSecrets } from '../harness/secret-search.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { enrollTotp, totpOf } from '../harness/totp.ts';
import { until } from '../harness/until.ts';

const CHALLENGE = 'chl_01m817qnm0e599bza8yqh63kxq';

const lines: string[] = [];
const secrets = new Map<string, string[]>();
let service: WithMessages;
let sink: MailSink;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  service = await startWithMessages({
    clock: 'fake',
    env: {
      KEYWRIGHT_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      KEYWRIGHT_MAIL_FROM: 'no-reply@id.example.com',
      KEYWRIGHT_LOG_LEVEL: 'trace',
    },
    log: (line) => lines.push(line),
  });
  tenant = await service.keywright.tenant('discreet', {
    config: { magic_link_url: 'https://app.example.com/login' },
  });
});

after(async () => {
  await service.keywright.close();
  await sink.close();
});

function keep(what: string, ...values: readonly string[]): void {
  for (const value of values) assert.ok(value.length > 5, what);
  secrets.set(what, [...(secrets.get(what) ?? []), ...values]);
}

function keepTokens({ access_token, refresh_token }: TokenAnswer): void {
  for (const token of [access_token, refresh_token]) {
    keep('a token', token, token.slice(token.lastIndexOf('.') + 1));
  }
}

async function logIn(): Promise<void> {
  const { clock } = service.keywright;
  const [identifier, password] = [newIdentifier(), newPassword()];
  keep('a password', password);
  const body = { identifier, secret: password, register: true };
  const first = await tenant.request<TokenAnswer>('POST', '/auth/login', { body });
  const tokens = expectStatus(200, first);
  keepTokens(tokens);
  const totp = await enrollTotp(tenant, tokens.access_token, clock);
  keep('the key of an authenticator', totp.secret);
  keep('a recovery code', ...totp.codes);
  clock.advance(60);
  const code = totpOf(totp.secret, clock.now());
  keep('a code of an authenticator', code);
  for (const [step, factorCode] of [
    ['totp', code],
    ['recovery-code', totp.codes[0] ?? ''],
  ] as const) {
    const flow = await startSecondStep(tenant, { identifier, password });
    keep('the token of a flow', flow.flow_token ?? '');
    const done = expectStatus(200, await proveSecondFactor(tenant, step, flow, factorCode));
    keepTokens(done as TokenAnswer);
    if (typeof done.recovery_code === 'string') keep('a recovery code', done.recovery_code);
  }
}

async function sendMails(): Promise<void> {
  const token = await tenant.adminToken();
  const body = { to: 'tested@example.org', kind: 'login' };
  expectStatus(201, await tenant.request('POST', '/messaging/test', { token, body }));
  await service.queue(tenant.id, { destination: 'ada@example.org', challengeId: CHALLENGE });
  await until('both arrive', () => sink.mails.length === 2);
  // A test mail has dummies.
  const mail = sink.mails.find(({ to }) => to.includes('ada@example.org'));
  keepSecretsOf(mail?.parsed.text ?? '');
  await until('both are recorded', async () =>
    (await service.rows(tenant.id)).every(({ status }) => status === 'done'),
  );
}

/** Collects the secrets in an email. */
function keepSecretsOf(text: string): void {
  const [code = ''] = /^\d{8}$/m.exec(text) ?? [];
  const [link = ''] = /https:\S+/.exec(text) ?? [];
  // The ID of the challenge, before the dot, is not a secret.
  keep('the code of a mail', code);
  keep('the link of a mail', link, link.slice(link.lastIndexOf('.') + 1));
}

/** Logs in with the code of an email, and recovers a password with the link of another one. */
async function logInByMail(): Promise<void> {
  for (const purpose of ['login', 'recovery']) {
    const { identifier } = await tenant.createUser();
    const started = await tenant.request<StartedFlow>('POST', '/auth/flows', {
      body: { identifier, purpose },
    });
    const { flow, flow_token } = expectStatus(201, started);
    keep('the token of a flow', flow_token);
    const step = <Body = FlowAnswer>(name: string, body: object = {}) =>
      tenant.request<Body>('POST', `/auth/flows/${flow.id}/${name}`, {
        body: { flow_token, ...body },
      });
    expectStatus(200, await step('message'));
    const { code, linkToken, mail } = await mailedTo(sink, identifier);
    keepSecretsOf(mail.parsed.text ?? '');
    if (purpose === 'login') {
      keepTokens(expectStatus(200, await step<TokenAnswer>('code', { code })));
      continue;
    }
    expectStatus(200, await step('link', { link_token: linkToken }));
    const secret = newPassword();
    keep('a new password', secret);
    keepTokens(expectStatus(200, await step<TokenAnswer>('new-password', { secret })));
  }
}

/** Adds an address, and undoes that by a link. */
async function changeIdentifiers(): Promise<void> {
  const { token, user, identifier, password } = await tenant.createUser();
  const verifiedIdentifiers = [{ type: 'email', identifier, verified: true }];
  const options = { token: await tenant.adminToken(), body: { identifiers: verifiedIdentifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
  const body = { identifier: newIdentifier() };
  expectStatus(200, await tenant.request('POST', '/me/identifiers', { token, body }));
  const { code } = await mailedTo(sink, body.identifier);
  keep('the code of an address', code);
  const proven = { token, body: { ...body, code } };
  expectStatus(200, await tenant.request('POST', '/me/identifiers/verification', proven));
  const undo_token = await undoTokenTo(sink, identifier);
  keep('the token of an undo', undo_token, undo_token.slice(undo_token.lastIndexOf('.') + 1));
  const undone = { body: { undo_token, password } };
  expectStatus(200, await tenant.request('POST', '/auth/identifiers/undo', undone));
}

async function configure(): Promise<void> {
  const token = await tenant.adminToken();
  const password = newPassword();
  keep('the password of a mail server', password);
  const email = { smtp_host: 'mail.example.com', smtp_password: password };
  const body = { messaging: { email } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
  const { url } = expectStatus(200, await tenant.request('GET', '/messaging/feedback', { token }));
  const secret = String(url).split('/').at(-1) ?? '';
  keep('the secret of the address for feedback', secret);
  const report = { type: 'bounce', id: 'one', email: 'gone@example.org', at: now().toISOString() };
  const path = `/t/${tenant.id}/messaging/feedback/${secret}`;
  expectStatus(200, await service.keywright.request('POST', path, { body: report }));
  expectStatus(404, await service.keywright.request('POST', `${path}x`, { body: report }));
}

function now(): Date {
  return service.keywright.clock.now();
}

test('Neither the database nor the logs contain a secret of a run, in any encoding', async () => {
  await logIn();
  await sendMails();
  await logInByMail();
  await changeIdentifiers();
  await configure();
  const [node] = service.keywright.nodes;
  await node?.notes.flush();
  const dump = await dumpAll(service.keywright.database);
  const texts = new Map([...dump, ['the logs', lines.join('')]]);
  assert.ok(secrets.size >= 9 && dump.size > 20 && lines.length > 20);
  assert.deepEqual(findSecrets(secrets, texts), []);
});

test('The search for secrets finds a stored one in plain text, hexadecimal, base64 and numbers', async () => {
  const { rows } = service;
  const [message] = await rows(tenant.id);
  const id = String(message?.['id']);
  const dump = await dumpAll(service.keywright.database);
  assert.ok(findSecrets(new Map([['an id', [id]]]), dump).includes('an id in messages'));
  const stored = new Map([
    ['hexadecimal', Buffer.from(`a ${id}`).toString('hex')],
    ['base64', Buffer.from(id).toString('base64')],
    ['a number', '492039'],
    ['part of a number', '14920391'],
  ]);
  assert.deepEqual(findSecrets(new Map([['it', [id, '492039']]]), stored), [
    'it in hexadecimal',
    'it in base64',
    'it in a number',
  ]);
});
