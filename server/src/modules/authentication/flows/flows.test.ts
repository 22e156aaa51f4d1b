import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp } from '@keywright/tests/harness/totp';

type Reply = Answer<FlowAnswer & ErrorBody>;

const LIFE_SECONDS = 15 * 60;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  tenant = await keywright.tenant('flows', { config: { login_attempts_limit: 1000 } });
});
after(() => keywright.close());

let addresses = 0;
/** A new client address, because one address can start only a few flows. */
const newAddress = () => ({ 'x-forwarded-for': `203.0.113.${(addresses += 1) % 250}` });

async function startFlow(
  identifier: string,
  at = tenant,
  extra: object = {},
): Promise<StartedFlow> {
  const body = { identifier, ...extra };
  const options = { body, headers: newAddress() };
  return expectStatus(201, await at.request<StartedFlow>('POST', '/auth/flows', options));
}

function prove({ flow, flow_token }: StartedFlow, secret: string, at = tenant): Promise<Reply> {
  return at.request('POST', `/auth/flows/${flow.id}/password`, { body: { flow_token, secret } });
}

function read(id: string, token: string, at = tenant) {
  const headers = { 'x-flow-token': token };
  return at.request<{ flow: LoginFlow } & ErrorBody>('GET', `/auth/flows/${id}`, { headers });
}

function cancel({ flow, flow_token }: StartedFlow) {
  const path = `/auth/flows/${flow.id}/cancel`;
  return tenant.request<{ flow: LoginFlow }>('POST', path, { body: { flow_token } });
}

/** A user with an authenticator, and a flow after the user's password was proven. */
async function halfProven(): Promise<{ user: TestUser; started: StartedFlow }> {
  const user = await tenant.createUser();
  await enrollTotp(tenant, user.token, keywright.clock);
  const started = await startFlow(user.identifier);
  expectStatus(200, await prove(started, user.password));
  return { user, started };
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

describe('a flow', () => {
  test('A flow begins alike for a known and an unknown identifier', async () => {
    const user = await tenant.createUser();
    await enrollTotp(tenant, user.token, keywright.clock);
    const [registered, unknown] = [
      await startFlow(user.identifier),
      await startFlow(newIdentifier()),
    ];
    assert.deepEqual(
      { ...registered.flow, id: '' },
      { ...unknown.flow, id: '' },
      'the same but for its id',
    );
    assert.deepEqual(registered.flow.needs, [{ step: 'password' }, { step: 'passkey' }]);
    assert.match(registered.flow_token, /^lft_[\w-]{43}$/);
    assert.deepEqual(
      (await read(registered.flow.id, registered.flow_token)).body.flow,
      registered.flow,
    );
  });

  test('A flow leads to tokens with the password, and to a device token', async () => {
    const user = await tenant.createUser();
    const started = await startFlow(user.identifier);
    const answer = expectStatus(200, await prove(started, user.password));
    assert.equal(answer.flow.status, 'complete');
    assert.equal(answer.user?.id, user.user.id);
    assert.ok(answer.refresh_token && answer.device_token);
    const claims = claimsOf(answer.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal1', ['pwd']]);
    assert.equal((await read(started.flow.id, started.flow_token)).body.flow.status, 'complete');
    refused(await prove(started, user.password), 401, 'FLOW_ENDED');
  });

  test('A flow opens no session without the second factor of its user', async () => {
    const { user, started } = await halfProven();
    const { flow } = (await read(started.flow.id, started.flow_token)).body;
    assert.deepEqual(flow.needs, [{ step: 'totp' }, { step: 'recovery_code' }]);
    refused(await prove(started, user.password), 400, 'STEP_NOT_NEEDED');
  });

  test('A login that needs a second factor offers a flow with the password proven', async () => {
    const user = await tenant.createUser();
    await enrollTotp(tenant, user.token, keywright.clock);
    const body = { identifier: user.identifier, secret: user.password };
    const answer = await tenant.request<ErrorBody>('POST', '/auth/login', { body });
    refused(answer, 401, 'MFA_REQUIRED');
    const { flow } = answer.body;
    assert.deepEqual(flow?.needs, [{ step: 'totp' }, { step: 'recovery_code' }]);
    const { flow_token: token = '', ...shown } = flow ?? {};
    assert.deepEqual((await read(shown.id ?? '', token)).body.flow, shown);
    const wrong = { ...body, secret: newPassword() };
    const other = await tenant.request<ErrorBody>('POST', '/auth/login', { body: wrong });
    refused(other, 401, 'INVALID_CREDENTIALS');
    assert.equal(other.body.flow, undefined);
  });

  test('A flow responds alike to a wrong password, an unknown identifier and an inactive user', async () => {
    const [user, inactive] = [await tenant.createUser(), await tenant.createUser()];
    const token = await tenant.adminToken();
    const path = `/users/${inactive.user.id}`;
    const off = await tenant.request('PATCH', path, { token, body: { is_active: false } });
    expectStatus(200, off);
    const answers = [
      await prove(await startFlow(user.identifier), newPassword()),
      await prove(await startFlow(newIdentifier()), newPassword()),
      await prove(await startFlow(inactive.identifier), inactive.password),
    ];
    for (const answer of answers) refused(answer, 401, 'INVALID_CREDENTIALS');
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  });

  test('A flow forgets a proof when its user changes their credentials', async () => {
    const { user, started } = await halfProven();
    const token = await tenant.adminToken();
    const password = newPassword();
    const path = `/users/${user.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { password } }));
    const { flow } = (await read(started.flow.id, started.flow_token)).body;
    assert.deepEqual(flow.needs, [{ step: 'password' }, { step: 'passkey' }]);
    refused(await prove(started, user.password), 401, 'INVALID_CREDENTIALS');
  });

  test('A flow has one response for an unknown ID, another secret, another tenant, and an ended flow', async () => {
    const user = await tenant.createUser();
    const started = await startFlow(user.identifier);
    const other = await startFlow(user.identifier);
    const elsewhere = await keywright.tenant('flows-elsewhere');
    const { flow, flow_token: flowToken } = started;
    const secrets = { flow, flow_token: other.flow_token };
    const answers = [
      await prove(secrets, user.password),
      await prove({ flow: other.flow, flow_token: flowToken }, user.password),
      await prove(
        { flow: { ...flow, id: 'login_none' as LoginFlow['id'] }, flow_token: flowToken },
        user.password,
      ),
      await prove(started, user.password, elsewhere),
      await read(flow.id, 'lft_wrong'),
    ];
    expectStatus(200, await cancel(started));
    answers.push(await prove(started, user.password));
    for (const answer of answers) refused(answer, 401, 'FLOW_ENDED');
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.equal((await read(flow.id, flowToken)).body.flow.status, 'ended');
    assert.equal(expectStatus(200, await cancel(started)).flow.status, 'ended');
  });

  test('A flow ends after 15 minutes, to the millisecond', async () => {
    const user = await tenant.createUser();
    const [first, other] = [await startFlow(user.identifier), await startFlow(user.identifier)];
    keywright.clock.advance(LIFE_SECONDS - 0.001);
    expectStatus(200, await prove(first, user.password));
    keywright.clock.advance(0.001);
    refused(await prove(other, user.password), 401, 'FLOW_ENDED');
    assert.equal((await read(other.flow.id, other.flow_token)).body.flow.status, 'ended');
  });

  test('A flow with the workspace of another user opens no session', async () => {
    const user = await tenant.createUser();
    const started = await startFlow(user.identifier, tenant, { workspace_id: 'ws_unknown' });
    refused(await prove(started, user.password), 404, 'NOT_FOUND');
  });

  test('A flow ends when the same network has begun 20 newer ones with the same identifier, and by no flow of others', async () => {
    const identifier = newIdentifier();
    const theirs = await startFlow(identifier);
    const headers = { 'x-forwarded-for': '198.51.100.8' };
    const flows: StartedFlow[] = [];
    for (let count = 0; count < 21; count += 1) {
      const options = { headers, body: { identifier } };
      const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', options);
      flows.push(expectStatus(201, answer));
    }
    assert.equal((await read(theirs.flow.id, theirs.flow_token)).body.flow.status, 'needs');
    const states = await Promise.all(
      flows.map((started) => read(started.flow.id, started.flow_token)),
    );
    const statuses = states.map(({ body }) => body.flow.status);
    assert.deepEqual(statuses.slice(0, 2), ['ended', 'needs']);
    assert.equal(statuses.filter((status) => status === 'needs').length, 20);
  });

  test('One address cannot begin more than 30 flows a minute', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const from = () =>
      tenant.request<ErrorBody>('POST', '/auth/flows', {
        headers,
        body: { identifier: newIdentifier() },
      });
    for (let count = 0; count < 30; count += 1) expectStatus(201, await from());
    const answer = await from();
    refused(answer, 429, 'TOO_MANY_ATTEMPTS');
    assert.equal(answer.headers['ratelimit'], '"address";r=0;t=60');
    keywright.clock.advance(60);
    expectStatus(201, await from());
  });

  test('A flow counts wrong passwords as logins do', async () => {
    const limited = await keywright.tenant('flows-limited', {
      config: { login_attempts_limit: 3 },
    });
    const identifier = newIdentifier();
    for (let count = 0; count < 3; count += 1) {
      const answer = await prove(await startFlow(identifier, limited), newPassword(), limited);
      refused(answer, 401, 'INVALID_CREDENTIALS');
    }
    refused(
      await prove(await startFlow(identifier, limited), newPassword(), limited),
      429,
      'TOO_MANY_ATTEMPTS',
    );
  });

  test('A flow stores neither its secret nor a password in its row', async () => {
    const user = await tenant.createUser();
    const started = await startFlow(user.identifier);
    await prove(started, user.password);
    const rows = JSON.stringify(await keywright.database.query('SELECT * FROM login_flows'));
    assert.ok(!rows.includes(started.flow_token) && !rows.includes(user.password));
  });
});
