import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startSecondStep } from '@keywright/tests/harness/second-step';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

const PERIOD = 30;

type Reply = Answer<FlowAnswer & ErrorBody & { secret?: string }>;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake', nodes: 2 });
  tenant = await keywright.tenant('step-up', { config: { login_attempts_limit: 1000 } });
});

after(() => keywright.close());

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

async function startStepUp(at: TestTenant, token: string, body: object = {}): Promise<OfferedFlow> {
  const answer = await at.request<StartedFlow>('POST', '/me/step-up', { token, body });
  const { flow, flow_token } = expectStatus(201, answer);
  return { ...flow, flow_token };
}

function step(
  at: TestTenant,
  { id, flow_token }: OfferedFlow,
  name: string,
  body: object = {},
): Promise<Reply> {
  return at.request('POST', `/auth/flows/${id}/${name}`, { body: { flow_token, ...body } });
}

const password = (at: TestTenant, flow: OfferedFlow, { password: secret }: TestUser) =>
  step(at, flow, 'password', { secret });

function refresh(at: TestTenant, token: string, node = 0) {
  const body = { refresh_token: token };
  return at.request<TokenAnswer & ErrorBody>('POST', '/auth/refresh', { body, node });
}

/** A user with an authenticator, whose session is older than it. */
async function enrolled(at = tenant) {
  const user = await at.createUser();
  const { secret, factor } = await enrollTotp(at, user.token, keywright.clock);
  keywright.clock.advance(2 * PERIOD);
  return { user, factor, code: () => totpOf(secret, keywright.clock.now()) };
}

const stepsOf = ({ needs }: Pick<OfferedFlow, 'needs'>) => needs.map((need) => need.step);

async function change(
  at: TestTenant,
  config: Partial<TenantConfig>,
  rest: object = {},
): Promise<void> {
  const token = await at.adminToken();
  const path = `/tenants/${at.id}`;
  expectStatus(200, await at.request('PATCH', path, { token, body: { config, ...rest } }));
}

describe('a step-up', () => {
  test('A step-up makes no new device a known one, since its user is not notified', async () => {
    const user = await tenant.createUser();
    const { identifier, password: secret } = user;
    const answer = await tenant.request<FlowAnswer>('POST', '/auth/login', {
      body: { identifier, secret },
    });
    const { device_token } = expectStatus(200, answer);
    const stepUp = async (device: object) => {
      const flow = await startStepUp(tenant, user.token);
      const done = await step(tenant, flow, 'password', { secret, ...device });
      return expectStatus(200, done).device_token;
    };
    assert.equal(await stepUp({}), undefined);
    assert.ok(await stepUp({ device_token }));
  });

  test('A step-up raises the same session, and gives it new tokens', async () => {
    const { user, code } = await enrolled();
    const flow = await startStepUp(tenant, user.token, { acr: 'aal2' });
    assert.deepEqual([flow.purpose, stepsOf(flow)], ['step_up', ['password', 'passkey']]);
    const half = expectStatus(200, await password(tenant, flow, user));
    assert.deepEqual(stepsOf(half.flow), ['totp', 'recovery_code']);
    const done = expectStatus(200, await step(tenant, flow, 'totp', { code: code() }));
    assert.equal(done.flow.status, 'complete');
    const token = done.access_token ?? '';
    const { acr, amr, auth_time } = claimsOf(token);
    assert.deepEqual([acr, amr], ['aal2', ['pwd', 'otp', 'mfa']]);
    assert.equal(auth_time, Math.floor(keywright.clock.now().getTime() / 1000));
    assert.equal(sessionOf(token), sessionOf(user.token));
    expectStatus(200, await tenant.request('GET', '/me', { token }));
    expectStatus(201, await tenant.request('POST', '/me/factors/totp', { token, body: {} }));
    const next = expectStatus(200, await refresh(tenant, done.refresh_token ?? ''));
    assert.equal(claimsOf(next.access_token).acr, 'aal2');
    refused(await step(tenant, flow, 'totp', { code: code() }), 'FLOW_ENDED');
  });

  test('A step-up invalidates the refresh token of the session, so that a stolen copy gains nothing', async () => {
    const user = await tenant.createUser();
    const flow = await startStepUp(tenant, user.token);
    const done = expectStatus(200, await password(tenant, flow, user));
    refused(await refresh(tenant, user.refreshToken), 'REFRESH_TOKEN_REUSED');
    refused(await refresh(tenant, done.refresh_token ?? ''), 'TOKEN_INVALID');
  });

  test('A step-up belongs to one user: the proofs of another user do not complete it', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    const flow = await startStepUp(tenant, user.token);
    refused(await password(tenant, flow, other), 'INVALID_CREDENTIALS');
    // The identifier of the flow now belongs to another user.
    const move = 'UPDATE login_flows SET identifier = $2 WHERE id = $1';
    await keywright.database.query(move, [flow.id, other.identifier]);
    refused(await password(tenant, flow, other), 'FLOW_ENDED');
    assert.equal(claimsOf(user.token).sub, user.user.id);
  });

  test('A step-up leads to nothing once its session has ended', async () => {
    const user = await tenant.createUser();
    const flow = await startStepUp(tenant, user.token);
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token: user.token }));
    refused(await password(tenant, flow, user), 'FLOW_ENDED');
  });

  test('A step-up forgets its proofs when a factor is removed, and then needs another one', async () => {
    const { user, factor, code } = await enrolled();
    const flow = await startStepUp(tenant, user.token, { acr: 'aal2' });
    expectStatus(200, await password(tenant, flow, user));
    const token = await tenant.adminToken();
    const path = `/users/${user.user.id}/factors/${factor.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    refused(await step(tenant, flow, 'totp', { code: code() }), 'STEP_NOT_NEEDED');
    const again = expectStatus(200, await password(tenant, flow, user));
    assert.deepEqual(stepsOf(again.flow), ['enroll']);
    const { secret = '' } = expectStatus(200, await step(tenant, flow, 'enroll/totp'));
    const confirmed = { code: totpOf(secret, keywright.clock.now()) };
    const done = expectStatus(200, await step(tenant, flow, 'enroll/totp/confirm', confirmed));
    assert.equal(sessionOf(done.access_token ?? ''), sessionOf(user.token));
    assert.equal(claimsOf(done.access_token ?? '').acr, 'aal2');
  });

  test('A step-up is in the audit log, and an agent cannot begin one', async () => {
    const user = await tenant.createUser();
    expectStatus(200, await password(tenant, await startStepUp(tenant, user.token), user));
    const entries = await keywright.database.query(
      "SELECT FROM audit_entries WHERE action = 'auth.stepped_up' AND actor_id = $1",
      [user.user.id],
    );
    assert.equal(entries.length, 1);
    const { key } = await tenant.createAgent();
    refused(await tenant.request('POST', '/me/step-up', { token: key, body: {} }), 'USER_REQUIRED');
  });
});

describe('a refresh of a session that the tenant would not accept today', () => {
  test('A refresh of a weak session offers a flow, leaves the token unused, and succeeds after the flow', async () => {
    const strict = await keywright.tenant('step-up-mfa');
    const { user, code } = await enrolled(strict);
    const plain = await strict.createUser();
    await change(strict, { require_mfa: true });
    const body = { identifier: plain.identifier, secret: plain.password };
    await until('the other node knows', async () => {
      const answer = await strict.request('POST', '/auth/login', { body, node: 1 });
      return answer.status === 401;
    });
    refused(await refresh(strict, user.refreshToken, 1), 'STEP_UP_REQUIRED');
    const last = await refresh(strict, user.refreshToken);
    refused(last, 'STEP_UP_REQUIRED');
    assert.match(String(last.headers['www-authenticate']), /acr_values="aal2"/);
    expectStatus(200, await strict.request('GET', '/me', { token: user.token }));
    const { flow } = last.body;
    assert.ok(flow);
    expectStatus(200, await password(strict, flow, user));
    const done = expectStatus(200, await step(strict, flow, 'totp', { code: code() }));
    assert.equal(sessionOf(done.access_token ?? ''), sessionOf(user.token));
    const next = expectStatus(200, await refresh(strict, done.refresh_token ?? ''));
    assert.equal(claimsOf(next.access_token).acr, 'aal2');

    // A user without a second factor adds one in the flow.
    const offered = (await refresh(strict, plain.refreshToken)).body.flow;
    assert.ok(offered);
    const half = expectStatus(200, await password(strict, offered, plain));
    assert.deepEqual(stepsOf(half.flow), ['enroll']);
  });

  test('A refresh requires what the scopes of the user and the methods of the tenant require', async () => {
    const strict = await keywright.tenant('step-up-role');
    const [administrator, member] = [
      await strict.createUser({ roles: ['admin'] }),
      await strict.createUser(),
    ];
    await change(strict, { require_mfa_role: 'admin' });
    refused(await refresh(strict, administrator.refreshToken), 'STEP_UP_REQUIRED');
    const next = expectStatus(200, await refresh(strict, member.refreshToken));
    // As if the session had started with a method that is not allowed.
    await keywright.database.query("UPDATE sessions SET amr = '{fed}' WHERE id = $1", [
      sessionOf(next.access_token),
    ]);
    expectStatus(200, await refresh(strict, next.refresh_token));
    await keywright.database.query("UPDATE sessions SET amr = '{fed}' WHERE user_id = $1", [
      administrator.user.id,
    ]);
    await change(strict, { require_mfa_role: null, allowed_login_methods: ['password'] });
    refused(await refresh(strict, administrator.refreshToken), 'STEP_UP_REQUIRED');
  });

  test('A refresh also follows the methods of the tenant after a login with a second factor', async () => {
    const strict = await keywright.tenant('step-up-methods');
    const { user, code } = await enrolled(strict);
    const flow = await startSecondStep(strict, user);
    const strong = expectStatus(200, await step(strict, flow, 'totp', { code: code() }));
    const email = { smtp_host: 'mail.example.com', smtp_port: 587, from_address: 'a@example.com' };
    await change(strict, { allowed_login_methods: ['magic_link'] }, { messaging: { email } });
    refused(await refresh(strict, strong.refresh_token ?? ''), 'STEP_UP_REQUIRED');
  });

  test('A refresh with a wrong token reveals nothing about the session', async () => {
    const strict = await keywright.tenant('step-up-forged');
    const user = await strict.createUser();
    const first = expectStatus(200, await refresh(strict, user.refreshToken));
    keywright.clock.advance(60);
    await change(strict, { require_mfa: true });
    refused(await refresh(strict, `${first.refresh_token}x`), 'TOKEN_INVALID');
    // Reuse is still found.
    refused(await refresh(strict, user.refreshToken), 'REFRESH_TOKEN_REUSED');
    refused(await refresh(strict, first.refresh_token), 'TOKEN_INVALID');
  });
});
