// Attempts to bypass a second factor that start with an email, with a known device, or at the token endpoint.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newPassword } from '../harness/credentials.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough } from '../harness/mailed.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { postToken, oauthError } from '../harness/token-endpoint.ts';
import { type ConfirmedTotp, enrollTotp, totpOf } from '../harness/totp.ts';

type Reply = Answer<FlowAnswer & ErrorBody>;

const PERIOD = 30;
const SECOND_STEPS = ['totp', 'recovery_code'];

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await keywright.tenant('by-mail', {
    config: { magic_link_url: 'https://app.example.com/login', login_attempts_limit: 1000 },
  });
});

after(async () => {
  await keywright.close();
  await sink.close();
});

interface Enrolled extends TestUser {
  readonly totp: ConfirmedTotp;
}

/** With a verified address. */
async function enrolled(): Promise<Enrolled> {
  const user = await tenant.createUser();
  const token = await tenant.adminToken();
  const body = { identifiers: [{ type: 'email', identifier: user.identifier, verified: true }] };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
  const { access_token } = await tenant.login(user.identifier, user.password);
  const totp = await enrollTotp(tenant, access_token, keywright.clock);
  keywright.clock.advance(2 * PERIOD);
  return { ...user, totp };
}

const codeOf = ({ totp }: Enrolled) => totpOf(totp.secret, keywright.clock.now());

async function startFlow(body: object): Promise<StartedFlow> {
  return expectStatus(201, await tenant.request<StartedFlow>('POST', '/auth/flows', { body }));
}

function step({ flow, flow_token }: StartedFlow, name: string, body: object = {}): Promise<Reply> {
  const options = { body: { flow_token, ...body } };
  return tenant.request('POST', `/auth/flows/${flow.id}/${name}`, options);
}

async function mailed(identifier: string, extra: object = {}) {
  const started = await startFlow({ identifier, ...extra });
  expectStatus(200, await step(started, 'message'));
  return { started, ...(await mailedTo(sink, identifier)) };
}

const stepsOf = ({ needs }: LoginFlow) => needs.map((need) => need.step);

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

/** Asserts that the response proves a first factor, and that no step leads to tokens without a second one. */
async function assertHalfWay(started: StartedFlow, answer: Reply): Promise<void> {
  const { flow, access_token, refresh_token, device_token } = expectStatus(200, answer);
  assert.deepEqual(stepsOf(flow), SECOND_STEPS);
  assert.deepEqual([access_token, refresh_token, device_token], [undefined, undefined, undefined]);
  refused(await step(started, 'tokens'), 'FLOW_ENDED');
  refused(await step(started, 'new-password', { secret: newPassword() }), 'STEP_NOT_NEEDED');
  refused(await step(started, 'enroll/totp'), 'STEP_NOT_NEEDED');
  refused(await step(started, 'message'), 'STEP_NOT_NEEDED');
}

test('A mailed link or code alone is not enough for a user with a second factor, regardless of how the flow started', async () => {
  for (const extra of [{}, { register: true }, { acr: 'aal1' }]) {
    const user = await enrolled();
    const { started, linkToken } = await mailed(user.identifier, extra);
    await assertHalfWay(started, await step(started, 'link', { link_token: linkToken }));
    const done = expectStatus(200, await step(started, 'totp', { code: codeOf(user) }));
    assert.deepEqual(claimsOf(done.access_token ?? '').amr, ['email', 'otp', 'mfa']);
  }
  const user = await enrolled();
  const { started, code } = await mailed(user.identifier);
  await assertHalfWay(started, await step(started, 'code', { code }));
});

test('A password together with a mailed code is not enough: a mailbox is no second factor', async () => {
  const user = await enrolled();
  const { started, code } = await mailed(user.identifier);
  expectStatus(200, await step(started, 'code', { code }));
  const { password: secret } = user;
  refused(await step(started, 'password', { secret }), 'STEP_NOT_NEEDED');
  const other = await startFlow({ identifier: user.identifier });
  expectStatus(200, await step(other, 'password', { secret }));
  refused(await step(other, 'message'), 'STEP_NOT_NEEDED');
  refused(await step(other, 'code', { code }), 'STEP_NOT_NEEDED');
});

test('A mailed link that is opened elsewhere is not enough without the second factor', async () => {
  const user = await enrolled();
  const { linkToken, code } = await mailed(user.identifier);
  const started = await startFlow({ continue: linkToken });
  await assertHalfWay(started, await step(started, 'code', { code }));
});

test('A recovery sets no password before the second factor, and does not remove that factor', async () => {
  const user = await enrolled();
  const { started, code } = await mailed(user.identifier, { purpose: 'recovery' });
  await assertHalfWay(started, await step(started, 'code', { code }));
  const secret = newPassword();
  expectStatus(200, await step(started, 'totp', { code: codeOf(user) }));
  expectStatus(200, await step(started, 'new-password', { secret }));
  const body = { identifier: user.identifier, secret };
  refused(await tenant.request('POST', '/auth/login', { body }), 'MFA_REQUIRED');
});

test('A known device does not replace the second factor, before or after a recovery', async () => {
  const user = await enrolled();
  const login = await startFlow({ identifier: user.identifier });
  expectStatus(200, await step(login, 'password', { secret: user.password }));
  const loggedIn = expectStatus(200, await step(login, 'totp', { code: codeOf(user) }));
  const { device_token } = loggedIn;
  const { identifier, password } = user;
  const again = { body: { identifier, secret: password, device_token } };
  refused(await tenant.request('POST', '/auth/login', again), 'MFA_REQUIRED');

  keywright.clock.advance(2 * PERIOD);
  const { started, code } = await mailed(identifier, { purpose: 'recovery' });
  await assertHalfWay(started, await step(started, 'code', { code, device_token }));
  expectStatus(200, await step(started, 'totp', { code: codeOf(user) }));
  const secret = newPassword();
  expectStatus(200, await step(started, 'new-password', { secret }));
  const body = { identifier, secret, device_token };
  refused(await tenant.request('POST', '/auth/login', { body }), 'MFA_REQUIRED');
});

test('The token endpoint accepts no credential of a user with a second factor, even from a client that it knows', async () => {
  const user = await enrolled();
  const { agent, key } = await tenant.createAgent();
  const { linkToken, code } = await mailed(user.identifier);
  const { identifier: username, password, token, refreshToken } = user;
  const client = { client_id: agent.id, client_secret: key };
  for (const parameters of [
    { grant_type: 'password', username, password },
    { grant_type: 'magic_link', link_token: linkToken },
  ]) {
    const answer = await postToken(tenant, { ...client, ...parameters });
    assert.equal(oauthError(answer), '400 unsupported_grant_type GRANT_TYPE_UNSUPPORTED');
  }
  const exchange = {
    grant_type: GRANT_TYPE.tokenExchange,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  };
  for (const parameters of [
    { ...client, ...exchange },
    { ...client, grant_type: 'refresh_token', refresh_token: refreshToken },
    { ...client, grant_type: 'authorization_code', code },
    { client_id: agent.id, grant_type: GRANT_TYPE.jwtBearer, assertion: token },
    { grant_type: GRANT_TYPE.clientCredentials, client_id: user.user.id, client_secret: password },
    { grant_type: GRANT_TYPE.clientCredentials, client_id: agent.id, client_secret: refreshToken },
  ]) {
    const answer = await postToken(tenant, parameters);
    assert.ok([400, 401].includes(answer.status), answer.text);
    assert.equal(answer.body.access_token, undefined);
  }
});
