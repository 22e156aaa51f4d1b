import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';

const NODES = [0, 1];

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length });
  tenant = await keywright.tenant('revoke', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

function logIn(at: TestTenant = tenant): Promise<TokenAnswer> {
  return at.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

/** A user with two sessions. */
async function logInTwice(): Promise<[TokenAnswer, TokenAnswer]> {
  const [identifier, secret] = [newIdentifier(), newPassword()];
  const first = await tenant.login(identifier, secret, { extra: { register: true } });
  return [first, await tenant.login(identifier, secret, { node: 1 })];
}

function end(sessionId: string, token: string) {
  return tenant.request<ErrorBody>('DELETE', `/sessions/${sessionId}`, { token });
}

function endAll(userId: string, token: string) {
  return tenant.request<ErrorBody>('DELETE', `/sessions?user_id=${userId}`, { token });
}

/** No token of the session works, on any node. */
async function assertDead({ access_token, refresh_token }: TokenAnswer): Promise<void> {
  for (const node of NODES) {
    const me = await tenant.request<ErrorBody>('GET', '/me', { node, token: access_token });
    assert.equal(`${me.status} ${me.body.code}`, '401 TOKEN_INVALID');
    const body = { refresh_token };
    const traded = await tenant.request<ErrorBody>('POST', '/auth/refresh', { node, body });
    assert.equal(`${traded.status} ${traded.body.code}`, '401 TOKEN_INVALID');
  }
}

async function assertAlive({ access_token, refresh_token }: TokenAnswer): Promise<void> {
  for (const node of NODES) {
    expectStatus(200, await tenant.request('GET', '/me', { node, token: access_token }));
  }
  const body = { refresh_token };
  expectStatus(200, await tenant.request('POST', '/auth/refresh', { body }));
}

describe('a logout', () => {
  test('A logout ends the session of its token immediately on every node, and no other (SPEC endpoints auth 4)', async () => {
    const [login, other] = await logInTwice();
    for (const node of NODES) {
      expectStatus(200, await tenant.request('GET', '/me', { node, token: login.access_token }));
    }
    const answer = await tenant.request('POST', '/auth/logout', { token: login.access_token });
    assert.deepEqual(expectStatus(200, answer), {
      session_id: sessionOf(login.access_token),
      revoked: true,
    });
    await assertDead(login);
    await assertAlive(other);
  });

  test('A second logout is rejected, like any call with a revoked token', async () => {
    const { access_token } = await logIn();
    const logOut = () => tenant.request<ErrorBody>('POST', '/auth/logout', { token: access_token });
    expectStatus(200, await logOut());
    assert.equal(expectStatus(401, await logOut()).code, 'TOKEN_INVALID');
  });

  test('A logout requires no body, and accepts an empty one declared as JSON', async () => {
    const { access_token } = await logIn();
    const options = { token: access_token, rawBody: '', contentType: 'application/json' };
    expectStatus(200, await tenant.request('POST', '/auth/logout', options));
  });
});

describe('ending one session', () => {
  test('Every user can end their own sessions, including the current one (SPEC states refresh token 1)', async () => {
    const [login, other] = await logInTwice();
    const id = sessionOf(other.access_token);
    const answer = expectStatus(200, await end(id, login.access_token));
    assert.deepEqual(answer, { id, revoked: true });
    await assertDead(other);
    expectStatus(200, await end(sessionOf(login.access_token), login.access_token));
    await assertDead(login);
  });

  test('The id of a session to end is accepted raw and percent-encoded', async () => {
    const [login, other] = await logInTwice();
    const id = sessionOf(other.access_token);
    expectStatus(200, await end(encodeURIComponent(id), login.access_token));
    await assertDead(other);
  });

  test('A session of another user can be ended only with delete:sessions; without it the response is 404', async () => {
    const [mine, theirs] = [await logIn(), await logIn()];
    const refused = await end(sessionOf(theirs.access_token), mine.access_token);
    const absent = await end('session:01jdq3xaaaaaaaaaaaaaaaaaaa', mine.access_token);
    assert.equal(`${refused.status} ${refused.body.code}`, '404 NOT_FOUND');
    assert.equal(refused.text, absent.text);
    await assertAlive(theirs);
    expectStatus(200, await end(sessionOf(theirs.access_token), await tenant.adminToken()));
  });

  test('A request to end a session returns 404 for a malformed id and for an ended session', async () => {
    const [login, other] = await logInTwice();
    for (const id of ['nothing', 'user:01jdq3xaaaaaaaaaaaaaaaaaaa', '%00']) {
      assert.equal((await end(id, login.access_token)).status, 404, id);
    }
    expectStatus(200, await end(sessionOf(other.access_token), login.access_token));
    expectStatus(404, await end(sessionOf(other.access_token), login.access_token));
  });

  test('An admin of the default tenant cannot end a session of a system administrator', async () => {
    const { token } = await keywright.createUser({ roles: ['admin'] });
    const root = await keywright.login(keywright.admin.identifier, keywright.admin.password);
    const path = `/sessions/${sessionOf(root.access_token)}`;
    const refused = await keywright.home.request<ErrorBody>('DELETE', path, { token });
    assert.equal(expectStatus(403, refused).code, 'SCOPE_NOT_HELD');
    const mine = { token: root.access_token };
    expectStatus(200, await keywright.home.request('GET', '/me', mine));
    expectStatus(200, await keywright.home.request('DELETE', path, mine));
  });
});

describe('ending every session of a user', () => {
  test('A request to end every session of a user ends all of them immediately and reports how many were active', async () => {
    const [login, other] = await logInTwice();
    const bystander = await logIn();
    const answer = await endAll(login.user.id, await tenant.adminToken());
    assert.deepEqual(expectStatus(200, answer), { user_id: login.user.id, revoked: 2 });
    for (const session of [login, other]) await assertDead(session);
    await assertAlive(bystander);
    const again = await endAll(login.user.id, await tenant.adminToken());
    assert.deepEqual(again.body, { user_id: login.user.id, revoked: 0 });
  });

  test('A user needs no scope to end all of their own sessions; those of another user require delete:sessions', async () => {
    const [login, other] = await logInTwice();
    const bystander = await logIn();
    assert.equal((await endAll(bystander.user.id, login.access_token)).status, 404);
    assert.equal((await endAll('user:01jdq3xaaaaaaaaaaaaaaaaaaa', login.access_token)).status, 404);
    await assertAlive(bystander);
    expectStatus(200, await endAll(login.user.id, login.access_token));
    for (const session of [login, other]) await assertDead(session);
  });

  test('A request to end every session of a user requires a user id', async () => {
    const { access_token } = await logIn();
    const answer = await tenant.request<ErrorBody>('DELETE', '/sessions', { token: access_token });
    assert.deepEqual(expectStatus(400, answer).errors, [
      { path: '/user_id', message: 'is required' },
    ]);
    const unknown = await endAll('user:01jdq3xaaaaaaaaaaaaaaaaaaa', await tenant.adminToken());
    assert.equal(unknown.status, 404);
  });
});
