import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  // A password can be recovered whether or not email is a login method.
  const config = { allowed_login_methods: ['password' as const], notify_new_device: false };
  tenant = await keywright.tenant('recovered', { config });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${(addresses += 1) % 250}` });

async function startFlow(body: object): Promise<StartedFlow> {
  const options = { body, headers: newAddress() };
  return expectStatus(201, await tenant.request<StartedFlow>('POST', '/auth/flows', options));
}

function step({ flow, flow_token }: StartedFlow, name: string, body: object = {}) {
  return tenant.request<FlowAnswer & ErrorBody>('POST', `/auth/flows/${flow.id}/${name}`, {
    body: { flow_token, ...body },
    headers: newAddress(),
  });
}

/** A recovery whose code was entered correctly. */
async function proven({ identifier }: Pick<TestUser, 'identifier'>) {
  const started = await startFlow({ identifier, purpose: 'recovery' });
  expectStatus(200, await step(started, 'message'));
  const { code } = await mailedTo(sink, identifier);
  return { started, code, answer: expectStatus(200, await step(started, 'code', { code })) };
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

const stepsOf = ({ needs }: LoginFlow) => needs.map((need) => need.step);

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  const token = await tenant.adminToken();
  const body = { identifiers: [{ type: 'email', identifier: user.identifier, verified: true }] };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
  const { access_token, refresh_token } = await tenant.login(user.identifier, user.password);
  return { ...user, token: access_token, refreshToken: refresh_token };
}

describe('a recovery', () => {
  test('A recovery leads by a message and a new password to a session, ends all others, and notifies the user', async () => {
    const user = await verified();
    const { started, answer } = await proven(user);
    assert.deepEqual([stepsOf(answer.flow), answer.access_token], [['new_password'], undefined]);
    const secret = newPassword();
    const done = expectStatus(200, await step(started, 'new-password', { secret }));
    assert.equal(done.flow.status, 'complete');
    const claims = claimsOf(done.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal1', ['email', 'pwd']]);
    const { token } = user;
    refused(await tenant.request('GET', '/me', { token }), 401, 'TOKEN_INVALID');
    assert.equal((await tenant.login(user.identifier, secret)).user.id, user.user.id);
    const body = { identifier: user.identifier, secret: user.password };
    refused(await tenant.request('POST', '/auth/login', { body }), 401, 'INVALID_CREDENTIALS');
    await until('the notice', () =>
      sink.mails.some(
        ({ to, parsed }) =>
          to.includes(user.identifier) && parsed.subject === 'Your recovered password was changed',
      ),
    );
  });

  test('A recovery gives a password to an imported user who has none', async () => {
    const identifier = newIdentifier();
    const line = { identifiers: [{ identifier, verified: true }] };
    const imported = await tenant.request('POST', '/users/import', {
      token: await tenant.adminToken(),
      rawBody: JSON.stringify(line),
      contentType: 'application/x-ndjson',
    });
    assert.equal(expectStatus(200, imported)['created'], 1);
    const { started } = await proven({ identifier });
    const secret = newPassword();
    const { user } = expectStatus(200, await step(started, 'new-password', { secret }));
    assert.equal((await tenant.login(identifier, secret)).user.id, user?.id);
  });

  test('A recovery does not replace a second factor, and needs it before the new password', async () => {
    const user = await verified();
    const totp = await enrollTotp(tenant, user.token, keywright.clock);
    const { started, answer } = await proven(user);
    assert.deepEqual(stepsOf(answer.flow), ['totp', 'recovery_code']);
    const secret = newPassword();
    refused(await step(started, 'new-password', { secret }), 400, 'STEP_NOT_NEEDED');
    keywright.clock.advance(30);
    const code = totpOf(totp.secret, keywright.clock.now());
    const second = expectStatus(200, await step(started, 'totp', { code }));
    assert.deepEqual([stepsOf(second.flow), second.access_token], [['new_password'], undefined]);
    const done = expectStatus(200, await step(started, 'new-password', { secret }));
    const claims = claimsOf(done.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal2', ['email', 'otp', 'pwd', 'mfa']]);
  });

  test('A recovery accepts no password before its message, and no code of a login', async () => {
    const user = await verified();
    const started = await startFlow({ identifier: user.identifier, purpose: 'recovery' });
    assert.deepEqual(stepsOf(started.flow), ['message']);
    const secret = newPassword();
    refused(await step(started, 'password', { secret: user.password }), 400, 'STEP_NOT_NEEDED');
    refused(await step(started, 'new-password', { secret }), 400, 'STEP_NOT_NEEDED');
    refused(await step(started, 'code', { code: '12345678' }), 400, 'STEP_NOT_NEEDED');
  });

  test('A recovery is offered alike for known and unknown identifiers', async () => {
    const user = await verified();
    const answers: unknown[] = [];
    for (const identifier of [user.identifier, newIdentifier()]) {
      const started = await startFlow({ identifier, purpose: 'recovery' });
      const { body } = await step(started, 'message');
      answers.push({ ...body, sent_to: '', flow: { ...body.flow, id: '' } });
    }
    assert.deepEqual(answers[0], answers[1]);
  });

  test('A recovery refuses a weak password, and leaves the old one', async () => {
    const user = await verified();
    const { started } = await proven(user);
    refused(await step(started, 'new-password', { secret: 'short' }), 400, 'VALIDATION_FAILED');
    assert.ok(await tenant.login(user.identifier, user.password));
  });

  test('A recovery ends when its user is deactivated or changes the password in the meantime', async () => {
    for (const change of [{ is_active: false }, { password: newPassword() }]) {
      const user = await verified();
      const { started } = await proven(user);
      const token = await tenant.adminToken();
      const path = `/users/${user.user.id}`;
      expectStatus(200, await tenant.request('PATCH', path, { token, body: change }));
      const answer = await step(started, 'new-password', { secret: newPassword() });
      assert.ok([400, 401].includes(answer.status), String(answer.status));
      assert.equal(answer.body.access_token, undefined);
    }
  });
});

test('All verified addresses are notified of an added or removed second factor, and of a changed password', async () => {
  const user = await verified();
  await enrollTotp(tenant, user.token, keywright.clock);
  const { items } = expectStatus(
    200,
    await tenant.request<{ items: { id: string; type: string }[] }>(
      'GET',
      `/users/${user.user.id}/factors`,
      {
        token: await tenant.adminToken(),
      },
    ),
  );
  const totp = items.find(({ type }) => type === 'totp')?.id;
  const token = await tenant.adminToken();
  const path = `/users/${user.user.id}/factors/${totp}`;
  expectStatus(200, await tenant.request('DELETE', path, { token }));
  const { access_token: userToken } = await tenant.login(user.identifier, user.password);
  const body = { password: newPassword(), current_password: user.password };
  expectStatus(200, await tenant.request('PATCH', '/me', { token: userToken, body }));
  const subjects = await until('three notices', () => {
    const mails = sink.mails.filter(({ to }) => to.includes(user.identifier));
    return mails.length >= 3 && mails.map(({ parsed }) => parsed.subject ?? '').toSorted();
  });
  assert.deepEqual(subjects, [
    'Two-step verification method added at recovered',
    'Two-step verification method removed at recovered',
    'Your recovered password was changed',
  ]);
});
