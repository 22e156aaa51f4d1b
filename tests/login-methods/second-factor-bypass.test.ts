// Ways around a second factor: each is closed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, OfferedFlow } from '@keywright/contract/records/login-flow';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { startSecondStep, proveSecondFactor } from '../harness/second-step.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { addTotp, type ConfirmedTotp, enrollTotp, totpOf } from '../harness/totp.ts';

const PERIOD = 30;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake', nodes: 2 });
  tenant = await keywright.tenant('bypass', { config: { login_attempts_limit: 1000 } });
});

after(() => keywright.close());

interface Enrolled extends TestUser {
  readonly totp: ConfirmedTotp;
}

async function enrolled(roles: readonly string[] = []): Promise<Enrolled> {
  const user = await tenant.createUser({ roles });
  const totp = await enrollTotp(tenant, user.token, keywright.clock);
  keywright.clock.advance(2 * PERIOD);
  return { ...user, totp };
}

const codeOf = ({ totp }: Enrolled) => totpOf(totp.secret, keywright.clock.now());

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

const step = ({ id, flow_token }: OfferedFlow, name: string, body: object = {}) =>
  tenant.request<ErrorBody>('POST', `/auth/flows/${id}/${name}`, {
    body: { flow_token, ...body },
  });

/** Starts a flow and proves its password. */
async function proven(user: TestUser, extra: object = {}): Promise<OfferedFlow> {
  const body = { identifier: user.identifier, ...extra };
  const started = await tenant.request<StartedFlow>('POST', '/auth/flows', { body });
  const { flow, flow_token } = expectStatus(201, started);
  const offered = { ...flow, flow_token };
  expectStatus(200, await step(offered, 'password', { secret: user.password }));
  return offered;
}

test('A password alone opens no session for a user with a second factor, registering included', async () => {
  const user = await enrolled();
  const body = { identifier: user.identifier, secret: user.password };
  for (const extra of [{}, { register: true }, { workspace_id: 'ws_default' }]) {
    const options = { body: { ...body, ...extra } };
    refused(await tenant.request('POST', '/auth/login', options), 'MFA_REQUIRED');
  }
  const flow = await proven(user, { acr: 'aal1' });
  refused(await step(flow, 'password', { secret: user.password }), 'STEP_NOT_NEEDED');
});

test('A second-factor code is accepted by only one of two nodes', async () => {
  const user = await enrolled();
  const code = codeOf(user);
  const flows = [await startSecondStep(tenant, user), await startSecondStep(tenant, user)];
  const answers = await Promise.all(
    flows.map((flow, node) => proveSecondFactor(tenant, 'totp', flow, code, { node })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
});

test('An attacker who knows the password of a user with a second factor cannot add a factor', async () => {
  const user = await enrolled();
  for (const flow of [await proven(user), await proven(user, { acr: 'aal2' })]) {
    refused(await step(flow, 'enroll/totp'), 'STEP_NOT_NEEDED');
    refused(await step(flow, 'enroll/totp/confirm', { code: codeOf(user) }), 'STEP_NOT_NEEDED');
  }
});

test('An authenticator that was added but not confirmed neither counts nor can be confirmed by a flow', async () => {
  const user = await tenant.createUser();
  const { secret } = await addTotp(tenant, user.token);
  const code = totpOf(secret, keywright.clock.now());
  const flow = await proven(user, { acr: 'aal2' });
  refused(await step(flow, 'totp', { code }), 'STEP_NOT_NEEDED');
  refused(await step(flow, 'enroll/totp/confirm', { code }), 'CODE_WRONG');
});

test('A session without the second factor remains below it after a refresh, and cannot change factors', async () => {
  const user = await enrolled();
  const body = { refresh_token: user.refreshToken };
  const answer = await tenant.request<{ access_token: string }>('POST', '/auth/refresh', { body });
  const { access_token: token } = expectStatus(200, answer);
  assert.equal(claimsOf(token).acr, 'aal1');
  for (const [method, path] of [
    ['POST', '/me/factors/totp'],
    ['DELETE', `/me/factors/${user.totp.factor.id}`],
    ['POST', '/me/factors/recovery-codes'],
  ] as const) {
    const options = method === 'POST' && path.endsWith('totp') ? { token, body: {} } : { token };
    refused(await tenant.request(method, path, options), 'STEP_UP_REQUIRED');
  }
});

test('An administrator of lower rank cannot remove a factor, and an impersonator can neither add one nor step up', async () => {
  const user = await enrolled(['admin']);
  const token = await tenant.adminToken();
  const role = { name: 'desk', scopes: ['read:users', 'write:users'] };
  expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
  const desk = await tenant.createUser({ roles: ['desk'] });
  const path = `/users/${user.user.id}/factors/${user.totp.factor.id}`;
  refused(await tenant.request('DELETE', path, { token: desk.token }), 'SCOPE_NOT_HELD');
  const impersonation = await keywright.home.request<{ access_token: string }>(
    'POST',
    '/auth/impersonate',
    {
      token: await keywright.adminToken(),
      body: { tenant_id: tenant.id, reason: 'they asked us to' },
    },
  );
  const { access_token: visitor } = expectStatus(200, impersonation);
  for (const route of ['/me/step-up', '/me/factors/totp']) {
    const answer = await tenant.request<ErrorBody>('POST', route, { token: visitor, body: {} });
    assert.ok([401, 403].includes(answer.status), answer.text);
  }
});

test('A flow of one user leads to no session of another user', async () => {
  const [user, other] = [await enrolled(), await enrolled()];
  const flow = await startSecondStep(tenant, user);
  refused(await proveSecondFactor(tenant, 'totp', flow, codeOf(other)), 'CODE_WRONG');
  const answer = await proveSecondFactor(tenant, 'totp', flow, codeOf(user));
  assert.equal(claimsOf(answer.body.access_token ?? '').sub, user.user.id);
});
