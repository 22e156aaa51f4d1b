import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import type { MessageRecord } from '@keywright/contract/records/message';
import { newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  newNumber,
  type SmsSink,
  smsThrough,
  startSmsSink,
  textedTo,
} from '@keywright/tests/harness/sms-sink';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

let sink: SmsSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startSmsSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32', KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
  });
  tenant = await tenantWithSms('texts');
});
after(async () => {
  await keywright.close();
  await sink.close();
});

async function tenantWithSms(slug: string, config: object = {}): Promise<TestTenant> {
  const made = await keywright.tenant(slug, { name: 'Acme', config: { notify_new_device: false } });
  const body = {
    config: { sms_countries: ['DE', 'US'], sms_hourly_limit: 1000, ...config },
    messaging: { sms: smsThrough(sink) },
  };
  const token = await made.adminToken();
  expectStatus(200, await made.request('PATCH', `/tenants/${made.id}`, { token, body }));
  return made;
}

let addresses = 0;
/** A new client address, because one address can start only a few flows and request only a few messages. */
const newAddress = () => ({
  'x-forwarded-for': `198.18.${(addresses += 1) % 250}.${addresses % 250}`,
});

async function startFlow(body: object, at = tenant): Promise<StartedFlow> {
  const headers = newAddress();
  return expectStatus(201, await at.request<StartedFlow>('POST', '/auth/flows', { body, headers }));
}

function step({ flow, flow_token }: StartedFlow, name: string, body: object = {}, at = tenant) {
  return at.request<FlowAnswer & ErrorBody>('POST', `/auth/flows/${flow.id}/${name}`, {
    body: { flow_token, ...body },
    headers: newAddress(),
  });
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

/** A user with a phone number whose only other login method is a password. */
async function userWith({ isVerified }: { isVerified: boolean }, at = tenant) {
  const number = newNumber();
  const password = newPassword();
  const { user } = await at.createUser({ identifier: number, password });
  const token = await at.adminToken();
  const body = { identifiers: [{ type: 'phone', identifier: number, verified: isVerified }] };
  expectStatus(200, await at.request('PATCH', `/users/${user.id}`, { token, body }));
  return { id: user.id, number, password };
}

/** The outcomes of the messages to a number, newest first. */
async function logged(number: string, at = tenant) {
  const token = await at.adminToken();
  const list = await at.request<{ items: MessageRecord[] }>('GET', '/messages?limit=100', {
    token,
  });
  const masked = `${number.slice(0, 2)}…${number.slice(-2)}`;
  return expectStatus(200, list).items.filter((message) => message.to === masked);
}

const namesOf = ({ needs }: LoginFlow) => needs.map((need) => need.step);

describe('a code by SMS', () => {
  test('A code by SMS is offered for every phone number, and that of a verified one opens a session', async () => {
    const { id, number } = await userWith({ isVerified: true });
    const started = await startFlow({ identifier: number });
    assert.deepEqual(started.flow.needs, [
      { step: 'password' },
      { step: 'message', channels: ['sms'] },
      { step: 'passkey' },
    ]);
    const message = expectStatus(200, await step(started, 'message', { channel: 'sms' }));
    assert.deepEqual(namesOf(message.flow), ['password', 'message', 'code', 'passkey']);
    const code = await textedTo(sink, number);
    assert.match(code, /^[0-9]{6}$/);
    const answer = expectStatus(200, await step(started, 'code', { code }));
    assert.equal(answer.user?.id, id);
    const claims = claimsOf(answer.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal1', ['sms', 'otp']]);
    refused(await step(started, 'code', { code }), 401, 'FLOW_ENDED');
  });

  test('A code by SMS is bound to the page of the tenant by its last line, and repeated when requested again', async () => {
    const smsTenant = await tenantWithSms('bound', {
      magic_link_url: 'https://app.acme.test:8443/in',
    });
    const { number } = await userWith({ isVerified: true }, smsTenant);
    const started = await startFlow({ identifier: number }, smsTenant);
    expectStatus(200, await step(started, 'message', {}, smsTenant));
    const code = await textedTo(sink, number);
    keywright.clock.advance(31);
    expectStatus(200, await step(started, 'message', {}, smsTenant));
    assert.equal(await textedTo(sink, number, 1), code);
    const [text = ''] = sink.requests.flatMap((request) =>
      request.to === number ? [request.text] : [],
    );
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(-2), ['', `@app.acme.test #${code}`]);
    assert.equal(lines[0], `${code} is your Acme code. Do not share it.`);
  });

  test('A code is not sent by another channel than that of the identifier', async () => {
    const { number } = await userWith({ isVerified: true });
    const started = await startFlow({ identifier: number });
    refused(await step(started, 'message', { channel: 'email' }), 400, 'STEP_NOT_NEEDED');
  });

  test('A code by SMS is one factor next to a password, and does not replace a second one', async () => {
    const smsTenant = await tenantWithSms('factors');
    const { number, password } = await userWith({ isVerified: true }, smsTenant);
    const { access_token: token } = await smsTenant.login(number, password);
    const totp = await enrollTotp(smsTenant, token, keywright.clock);
    const started = await startFlow({ identifier: number }, smsTenant);
    expectStatus(200, await step(started, 'password', { secret: password }, smsTenant));
    refused(await step(started, 'message', {}, smsTenant), 400, 'STEP_NOT_NEEDED');
    const other = await startFlow({ identifier: number }, smsTenant);
    expectStatus(200, await step(other, 'message', {}, smsTenant));
    const half = expectStatus(
      200,
      await step(other, 'code', { code: await textedTo(sink, number) }, smsTenant),
    );
    assert.deepEqual(
      [namesOf(half.flow), half.access_token],
      [['totp', 'recovery_code'], undefined],
    );
    keywright.clock.advance(30);
    const second = { code: totpOf(totp.secret, keywright.clock.now()) };
    const answer = expectStatus(200, await step(other, 'totp', second, smsTenant));
    const claims = claimsOf(answer.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal2', ['sms', 'otp', 'mfa']]);
  });

  test('A code by SMS does not meet require_mfa together with a password', async () => {
    const smsTenant = await tenantWithSms('demanding');
    const { number, password } = await userWith({ isVerified: true }, smsTenant);
    const [token, body] = [await smsTenant.adminToken(), { config: { require_mfa: true } }];
    expectStatus(
      200,
      await smsTenant.request('PATCH', `/tenants/${smsTenant.id}`, { token, body }),
    );
    const started = await startFlow({ identifier: number }, smsTenant);
    const half = expectStatus(
      200,
      await step(started, 'password', { secret: password }, smsTenant),
    );
    // A stolen password alone cannot add a factor if a message to the number can be required.
    assert.deepEqual(half.flow.needs, [{ step: 'message', channels: ['sms'] }]);
    expectStatus(200, await step(started, 'message', {}, smsTenant));
    const code = await textedTo(sink, number);
    const both = expectStatus(200, await step(started, 'code', { code }, smsTenant));
    assert.deepEqual([namesOf(both.flow), both.access_token], [['enroll'], undefined]);
  });

  test('A code by SMS allows five wrong attempts', async () => {
    const { number } = await userWith({ isVerified: true });
    const started = await startFlow({ identifier: number });
    expectStatus(200, await step(started, 'message'));
    const code = await textedTo(sink, number);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await step(started, 'code', { code: wrong });
      assert.equal(expectStatus(400, answer).guesses_left, left);
    }
    refused(await step(started, 'code', { code }), 401, 'FLOW_ENDED');
  });

  for (const code of ['12345', '1234567', '123456789', '١٢٣٤٥٦', ' 123456', '123456\n']) {
    test(`A code by SMS is refused as ${JSON.stringify(code)} before a guess is taken`, async () => {
      const started = await startFlow({ identifier: newNumber() });
      refused(await step(started, 'code', { code }), 400, 'VALIDATION_FAILED');
    });
  }

  test('A code by SMS is not offered for a recovery', async () => {
    const { number } = await userWith({ isVerified: true });
    const started = await startFlow({ identifier: number, purpose: 'recovery' });
    assert.deepEqual(started.flow.needs, []);
  });
});

describe('an unverified or unknown number', () => {
  test('An unverified or unknown number is never sent a code, and gets the same responses', async () => {
    const [verified, unverified] = [
      await userWith({ isVerified: true }),
      await userWith({ isVerified: false }),
    ];
    const unknown = newNumber();
    const shown = async (identifier: string) => {
      const started = await startFlow({ identifier, register: true });
      const sent = expectStatus(200, await step(started, 'message'));
      const again = await step(started, 'message');
      const wrong = await step(started, 'code', { code: '0000000000' });
      const plain = (value: unknown) =>
        JSON.stringify(value).replaceAll(/login_\w+|\d{4}-[\d:T.-]+Z|"\+49?[^"]+"/g, '-');
      return [started.flow, sent, again.body, wrong.body].map(plain);
    };
    const answers = await shown(verified.number);
    assert.deepEqual(await shown(unverified.number), answers);
    assert.deepEqual(await shown(unknown), answers);
    await textedTo(sink, verified.number);
    for (const number of [unverified.number, unknown]) {
      const [message] = await logged(number);
      assert.deepEqual([message?.channel, message?.status], ['sms', 'not_sent']);
      assert.ok(sink.requests.every(({ to }) => to !== number));
    }
  });

  test('An unverified number is sent a code once its user has proven the account, if verified identifiers are required', async () => {
    const mail = { smtp_host: 'mail.example.com', from_address: 'a@example.com' };
    const smsTenant = await tenantWithSms('verified');
    const body = {
      config: { require_verified_identifier: true },
      messaging: { email: mail },
    };
    const { number, password, id } = await userWith({ isVerified: false }, smsTenant);
    const token = await smsTenant.adminToken();
    expectStatus(
      200,
      await smsTenant.request('PATCH', `/tenants/${smsTenant.id}`, { token, body }),
    );
    const started = await startFlow({ identifier: number }, smsTenant);
    expectStatus(200, await step(started, 'message', {}, smsTenant));
    const half = expectStatus(
      200,
      await step(started, 'password', { secret: password }, smsTenant),
    );
    assert.deepEqual(namesOf(half.flow), ['message', 'code']);
    keywright.clock.advance(31);
    assert.ok(sink.requests.every(({ to }) => to !== number));
    expectStatus(200, await step(started, 'message', {}, smsTenant));
    const code = await textedTo(sink, number);
    const answer = expectStatus(200, await step(started, 'code', { code }, smsTenant));
    assert.equal(answer.user?.id, id);
    assert.equal(answer.user?.identifiers[0]?.verified, true);
  });
});

describe('a tenant without countries', () => {
  test('A tenant without countries sends no text messages, and does not offer them', async () => {
    const noSmsTenant = await keywright.tenant('without');
    const { number } = await userWith({ isVerified: true }, noSmsTenant);
    const started = await startFlow({ identifier: number }, noSmsTenant);
    assert.deepEqual(namesOf(started.flow), ['password', 'passkey']);
    refused(await step(started, 'message', {}, noSmsTenant), 400, 'STEP_NOT_NEEDED');
    const methods = await noSmsTenant.request<{ methods: string[]; channels: string[] }>(
      'GET',
      '/auth/methods',
    );
    assert.deepEqual(methods.body.channels, []);
    assert.ok(!methods.body.methods.includes('magic_link'));
    const other = await tenant.request<{ methods: string[]; channels: string[] }>(
      'GET',
      '/auth/methods',
    );
    assert.deepEqual(other.body.channels, ['sms']);
    assert.ok(other.body.methods.includes('magic_link'));
  });
});
