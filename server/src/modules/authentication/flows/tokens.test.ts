import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

type Reply = Answer<FlowAnswer & ErrorBody>;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake', nodes: 2 });
  tenant = await keywright.tenant('repeated', { config: { login_attempts_limit: 1000 } });
});
after(() => keywright.close());

type Flow = Pick<OfferedFlow, 'id' | 'flow_token'>;

async function startFlow(identifier: string, at = tenant): Promise<Flow> {
  const answer = await at.request<StartedFlow>('POST', '/auth/flows', { body: { identifier } });
  const { flow, flow_token } = expectStatus(201, answer);
  return { id: flow.id, flow_token };
}

function step(flow: Flow, name: string, body: object = {}, at = tenant): Promise<Reply> {
  const { id, flow_token } = flow;
  return at.request('POST', `/auth/flows/${id}/${name}`, {
    body: { flow_token, ...body },
    node: 0,
  });
}

const tokensOf = ({ id, flow_token }: Flow, at = tenant): Promise<Reply> =>
  at.request('POST', `/auth/flows/${id}/tokens`, { body: { flow_token }, node: 1 });

const refresh = (token = '') =>
  tenant.request<TokenAnswer>('POST', '/auth/refresh', { body: { refresh_token: token } });

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

/** A completed login, and its response. */
async function completed(): Promise<{ user: TestUser; flow: Flow; first: FlowAnswer }> {
  const user = await tenant.createUser();
  const flow = await startFlow(user.identifier);
  const first = expectStatus(200, await step(flow, 'password', { secret: user.password }));
  return { user, flow, first };
}

/** Compares everything except the device token, which is encrypted again. */
function same(expected: FlowAnswer, other: FlowAnswer, hasDevice = true): void {
  const { device_token: first, ...rest } = expected;
  const { device_token: second, ...others } = other;
  assert.deepEqual([first !== undefined, second !== undefined], [hasDevice, hasDevice]);
  assert.deepEqual(others, rest);
}

async function sessionsOf({ user }: TestUser): Promise<number> {
  const sql = 'SELECT FROM sessions WHERE user_id = $1';
  return (await keywright.database.query(sql, [user.id])).length;
}

describe('the tokens of a completed flow', () => {
  test('The tokens of a completed flow are the same for 30 seconds, also on another node, and lead to no other session', async () => {
    const { user, flow, first } = await completed();
    const sessions = await sessionsOf(user);
    same(first, expectStatus(200, await tokensOf(flow)));
    keywright.clock.advance(29);
    const late = expectStatus(200, await tokensOf(flow));
    same(first, { ...late, expires_in: (late.expires_in ?? 0) + 29 });
    assert.equal(await sessionsOf(user), sessions);
    keywright.clock.advance(1);
    refused(await tokensOf(flow), 'FLOW_ENDED');
    expectStatus(200, await refresh(first.refresh_token));
  });

  test('The tokens of a flow that is open, canceled, or of another user are not returned', async () => {
    const { user, flow } = await completed();
    const open = await startFlow(user.identifier);
    refused(await tokensOf(open), 'FLOW_ENDED');
    expectStatus(200, await step(open, 'cancel'));
    refused(await tokensOf(open), 'FLOW_ENDED');
    refused(await tokensOf({ ...flow, flow_token: open.flow_token ?? '' }), 'FLOW_ENDED');
    refused(await tokensOf({ ...open, flow_token: flow.flow_token ?? '' }), 'FLOW_ENDED');
    refused(await tokensOf(flow, await keywright.tenant('elsewhere')), 'FLOW_ENDED');
    expectStatus(200, await tokensOf(flow));
  });

  test('The tokens of a completed flow end with the session, its user, and the first use of the refresh token', async () => {
    const ended = await completed();
    const token = ended.first.access_token ?? '';
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
    refused(await tokensOf(ended.flow), 'FLOW_ENDED');

    const disabled = await completed();
    const admin = await tenant.adminToken();
    const path = `/users/${disabled.user.user.id}`;
    const body = { is_active: false };
    expectStatus(200, await tenant.request('PATCH', path, { token: admin, body }));
    refused(await tokensOf(disabled.flow), 'FLOW_ENDED');

    const used = await completed();
    const next = expectStatus(200, await refresh(used.first.refresh_token));
    refused(await tokensOf(used.flow), 'FLOW_ENDED');
    // Requesting the tokens again is not reuse.
    expectStatus(200, await refresh(next.refresh_token));
  });

  test('The tokens of a completed flow contain the current permissions of the user', async () => {
    const { user, flow, first } = await completed();
    const token = await tenant.adminToken();
    const body = { roles: ['admin'] };
    const path = `/users/${user.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    const again = expectStatus(200, await tokensOf(flow));
    assert.equal(again.refresh_token, first.refresh_token);
    const [then, now] = [claimsOf(first.access_token ?? ''), claimsOf(again.access_token ?? '')];
    assert.deepEqual(now['roles'], ['admin']);
    assert.notEqual(now.jti, then.jti);
    expectStatus(200, await tenant.request('GET', '/me', { token: again.access_token ?? '' }));
  });

  test('The tokens of a step-up are also the same, and the session continues with them', async () => {
    const user = await tenant.createUser();
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(60);
    const options = { token: user.token, body: { acr: 'aal2' } };
    const started = expectStatus(
      201,
      await tenant.request<StartedFlow>('POST', '/me/step-up', options),
    );
    const flow = { id: started.flow.id, flow_token: started.flow_token };
    expectStatus(200, await step(flow, 'password', { secret: user.password }));
    const code = totpOf(secret, keywright.clock.now());
    const first = expectStatus(200, await step(flow, 'totp', { code }));
    const again = expectStatus(200, await tokensOf(flow));
    same(first, again, false);
    assert.equal(sessionOf(again.access_token ?? ''), sessionOf(user.token));
    expectStatus(200, await refresh(again.refresh_token));
    refused(await tokensOf(flow), 'FLOW_ENDED');
  });

  test('The tokens of a completed flow are never repeated if the tenant does not repeat used refresh tokens', async () => {
    const strict = await keywright.tenant('unrepeated', { config: { refresh_retry_window: 0 } });
    const user = await strict.createUser();
    const flow = await startFlow(user.identifier, strict);
    expectStatus(200, await step(flow, 'password', { secret: user.password }, strict));
    refused(await tokensOf(flow, strict), 'FLOW_ENDED');
  });
});
