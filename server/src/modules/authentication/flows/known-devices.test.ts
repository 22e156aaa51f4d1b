// A flow that starts with the token of a known device: its steps need not repeat the token, and no response reveals
// whether the device belongs to the user.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

const LIMIT = 3;
const NETWORK = '198.51.100';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const config = { login_attempts_limit: LIMIT, login_attempts_address_limit: 10_000 };
  tenant = await keywright.tenant('known-flows', { config });
  other = await keywright.tenant('other-flows');
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;

/** Sends a request from another address of a network that has used up its limit. */
function post<Body>(path: string, body: object, at = tenant): Promise<Answer<Body & ErrorBody>> {
  const headers = { 'x-forwarded-for': `${NETWORK}.${1 + ((addresses += 1) % 250)}` };
  return at.request<Body & ErrorBody>('POST', path, { headers, body });
}

async function startFlow(identifier: string, more: object = {}): Promise<StartedFlow> {
  return expectStatus(201, await post<StartedFlow>('/auth/flows', { identifier, ...more }));
}

function step({ flow, flow_token }: StartedFlow, name: string, body: object = {}) {
  return post<FlowAnswer>(`/auth/flows/${flow.id}/${name}`, { flow_token, ...body });
}

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  await verify(user);
  return user;
}

/** Verifies the address of a user. @param added another address, which the user then has as well */
async function verify({ user, identifier }: TestUser, added?: string, at = tenant): Promise<void> {
  const emails = added === undefined ? [identifier] : [identifier, added];
  const identifiers = emails.map((email) => ({ type: 'email', identifier: email, verified: true }));
  const options = { token: await at.adminToken(), body: { identifiers } };
  expectStatus(200, await at.request('PATCH', `/users/${user.id}`, options));
}

async function deviceOf(
  { identifier, password: secret }: TestUser,
  at = tenant,
): Promise<{ readonly device_token: string }> {
  const answer = await post<FlowAnswer>('/auth/login', { identifier, secret }, at);
  return { device_token: expectStatus(200, answer).device_token ?? assert.fail() };
}

async function noticesTo(userId: string): Promise<number> {
  const rows = await keywright.database.query(
    `SELECT FROM messages WHERE user_id = $1 AND kind = 'notice.new_device'`,
    [userId],
  );
  return rows.length;
}

describe('a flow that begins on a known device', () => {
  test('A flow that begins on a known device accepts the password while strangers guess it', async () => {
    const user = await verified();
    const device = await deviceOf(user);
    const prove = async (secret: string, more: object) =>
      step(await startFlow(user.identifier, more), 'password', { secret });
    for (let count = 0; count < 10 + LIMIT; count += 1) {
      if ((await prove(newPassword(), {})).status === 429) break;
    }
    assert.equal((await prove(user.password, {})).status, 429);
    expectStatus(200, await prove(user.password, device));
  });

  test('A flow that begins on a known device also counts as one in the second step, and sends no notice of a new device', async () => {
    const user = await verified();
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    const prove = async (more: object) => {
      keywright.clock.advance(30);
      const started = await startFlow(user.identifier, more);
      expectStatus(200, await step(started, 'password', { secret: user.password }));
      return { started, code: totpOf(secret, keywright.clock.now()) };
    };
    const first = await prove({});
    const done = expectStatus(200, await step(first.started, 'totp', { code: first.code }));
    const device = { device_token: done.device_token };
    const notices = await noticesTo(user.user.id);
    for (let flow = 0; flow < 5; flow += 1) {
      keywright.clock.advance(300);
      const { started } = await prove({});
      for (let guess = 0; guess < 4; guess += 1) await step(started, 'totp', { code: '000000' });
    }
    keywright.clock.advance(300);
    const stranger = await prove({});
    assert.equal((await step(stranger.started, 'totp', { code: stranger.code })).status, 429);
    const onDevice = await prove(device);
    expectStatus(200, await step(onDevice.started, 'totp', { code: onDevice.code }));
    assert.equal(await noticesTo(user.user.id), notices);
  });

  test('A flow that begins on a known device counts as one by the code of a message', async () => {
    const user = await verified();
    const started = await startFlow(user.identifier, await deviceOf(user));
    expectStatus(200, await step(started, 'message'));
    const notices = await noticesTo(user.user.id);
    const { code } = await mailedTo(sink, user.identifier);
    expectStatus(200, await step(started, 'code', { code }));
    assert.equal(await noticesTo(user.user.id), notices);
  });

  test('A flow does not count as one on a known device after the password was changed', async () => {
    const user = await verified();
    const device = await deviceOf(user);
    const started = await startFlow(user.identifier, device);
    const password = newPassword();
    const options = { token: await tenant.adminToken(), body: { password } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
    const notices = await noticesTo(user.user.id);
    expectStatus(200, await step(started, 'password', { secret: password }));
    assert.equal(await noticesTo(user.user.id), notices + 1);
  });

  test('A flow does not count as one on a known device after its user has changed, even if a step preceded the change', async () => {
    const user = await verified();
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    const prove = async (flow: StartedFlow) => {
      keywright.clock.advance(30);
      expectStatus(200, await step(flow, 'password', { secret: user.password }));
    };
    const confirm = (flow: StartedFlow) =>
      step(flow, 'totp', { code: totpOf(secret, keywright.clock.now()) });
    const first = await startFlow(user.identifier);
    await prove(first);
    const { device_token } = expectStatus(200, await confirm(first));
    const started = await startFlow(user.identifier, { device_token });
    await prove(started);
    await verify(user, newIdentifier());
    const notices = await noticesTo(user.user.id);
    await prove(started);
    expectStatus(200, await confirm(started));
    assert.equal(await noticesTo(user.user.id), notices + 2, 'to both addresses');
  });

  test('A known device has its own share of the messages that are a second factor', async () => {
    const mailed = await keywright.tenant('mailed-factors', {
      config: { mfa_methods: ['totp', 'email'] },
    });
    const user = await mailed.createUser();
    await verify(user, undefined, mailed);
    const devices = [await deviceOf(user, mailed), await deviceOf(user, mailed)] as const;
    const options = { token: await mailed.adminToken(), body: { config: { require_mfa: true } } };
    expectStatus(200, await mailed.request('PATCH', `/tenants/${mailed.id}`, options));
    const requestMessage = async (device: object) => {
      keywright.clock.advance(31);
      const { identifier, password: secret } = user;
      const login = { identifier, secret, ...device };
      const { flow } = expectStatus(401, await post<ErrorBody>('/auth/login', login, mailed));
      const { id, flow_token } = flow as OfferedFlow;
      return post<object>(`/auth/flows/${id}/message`, { flow_token }, mailed);
    };
    const [stolen, intact] = devices;
    for (let count = 0; count < 5; count += 1) expectStatus(200, await requestMessage(stolen));
    assert.equal((await requestMessage(stolen)).status, 429);
    expectStatus(200, await requestMessage(intact));
  });
});

test('Neither the start of a flow nor the request for its message reveals whether the token is of its user.', async () => {
  const [user, stranger] = [await verified(), await verified()];
  const foreign = await other.createUser();
  const tokens = {
    ofUser: (await deviceOf(user)).device_token,
    'of another user': (await deviceOf(stranger)).device_token,
    'of another tenant': (await deviceOf(foreign, other)).device_token,
    garbage: 'garbage',
  };
  const seen = new Map<string, string[]>();
  for (const [what, device_token] of Object.entries(tokens)) {
    for (const identifier of [user.identifier, newIdentifier()]) {
      keywright.clock.advance(31);
      const statements = watchStatements({ untilAnswered: true });
      const started = await post<StartedFlow>('/auth/flows', { identifier, device_token });
      const message = await step(expectStatus(201, started), 'message');
      const { sent } = statements;
      statements.stop();
      const { flow, flow_token, ...rest } = started.body;
      const face = { rest, keys: Object.keys(flow), needs: flow.needs, length: flow_token.length };
      const { flow: next, ...details } = message.body;
      const wait: unknown = Reflect.get(details, 'resend_after');
      const answer = { status: message.status, wait, keys: Object.keys(next ?? {}) };
      // The statements about a message run after the response, and name the message's user if there is one.
      const all = sent.map((statement) => statement.slice(0, 40));
      const kinds = all.slice(0, all.lastIndexOf('kw_find_flow_state') + 1);
      const shown = JSON.stringify([face, answer, kinds]);
      seen.set(shown, [...(seen.get(shown) ?? []), what]);
      assert.ok(!flow_token.includes(device_token));
    }
  }
  assert.equal(seen.size, 1, JSON.stringify([...seen], null, 2));
});

test('The token of a flow is not a device token.', async () => {
  const user = await verified();
  const { flow_token } = await startFlow(user.identifier, await deviceOf(user));
  const [, sealed = ''] = flow_token.split('.');
  assert.ok(sealed.length > 60);
  const notices = await noticesTo(user.user.id);
  const { identifier, password: secret } = user;
  const login = { identifier, secret, device_token: sealed };
  expectStatus(200, await post('/auth/login', login));
  assert.equal(await noticesTo(user.user.id), notices + 1);
});
