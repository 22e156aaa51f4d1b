import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startSecondStep, proveSecondFactor } from '@keywright/tests/harness/second-step';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

const LIMIT = 3;
const WINDOW_SECONDS = 60;
const STEP_UP_SECONDS = 300;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('me', {
    config: { login_attempts_limit: LIMIT, login_attempts_window: WINDOW_SECONDS },
  });
});

after(() => keywright.close());

type Reply = Answer<UserRecord & ErrorBody>;

async function me(token: string): Promise<Reply> {
  return withoutLogin(await tenant.request('GET', '/me', { token }));
}

async function change(token: string, body: unknown): Promise<Reply> {
  return withoutLogin(await tenant.request('PATCH', '/me', { token, body }));
}

/** As the user was before the first login, whose time is recorded in the background. */
function withoutLogin({ body, ...answer }: Reply): Reply {
  return { ...answer, body: 'last_login_at' in body ? { ...body, last_login_at: null } : body };
}

function logIn(identifier: string, secret: string): Promise<Answer<TokenAnswer & ErrorBody>> {
  return tenant.request('POST', '/auth/login', { body: { identifier, secret } });
}

describe('/me', () => {
  test("/me returns the caller's record, without any scope (SPEC endpoints me 1, SPEC authentication 1)", async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    assert.deepEqual(expectStatus(200, await me(user.token)), user.user);
    assert.deepEqual(expectStatus(200, await me(other.token)), other.user);
    const anonymous = await tenant.request<ErrorBody>('GET', '/me');
    assert.equal(expectStatus(401, anonymous).code, 'TOKEN_INVALID');
  });

  const spellings = { lower: 'bearer', upper: 'BEARER' };
  for (const [kind, word] of Object.entries(spellings)) {
    test(`/me accepts the scheme in ${kind} case`, async () => {
      const { token } = await tenant.createUser();
      const headers = { authorization: `${word} ${token}` };
      expectStatus(200, await tenant.request('GET', '/me', { headers }));
    });
  }

  test('/me rejects a token that is not sent as a bearer token', async () => {
    const { token } = await tenant.createUser();
    for (const authorization of [
      token,
      `Basic ${token}`,
      `Bearer  ${token}`,
      `Bearer ${token} x`,
    ]) {
      expectStatus(401, await tenant.request('GET', '/me', { headers: { authorization } }));
    }
    expectStatus(401, await tenant.request('GET', `/me?access_token=${token}`));
  });
});

describe("changing one's own record", () => {
  test('PATCH /me accepts user_metadata, and changes neither sessions nor what administrators wrote', async () => {
    const { user, token } = await tenant.createUser();
    const metadata = { plan: 'free' };
    const boss = await tenant.adminToken();
    const patch = { token: boss, body: { metadata } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, patch));
    const userMetadata = { language: 'de', nothing: null };
    const changed = expectStatus(200, await change(token, { user_metadata: userMetadata }));
    assert.deepEqual(changed, { ...user, metadata, user_metadata: userMetadata });
    assert.deepEqual((await me(token)).body, changed);
  });

  const refused: readonly (readonly [body: Record<string, unknown>, path: string])[] = [
    [{}, ''],
    [{ roles: ['admin'] }, '/roles'],
    [{ is_active: false }, '/is_active'],
    [{ identifiers: [{ identifier: 'a@example.com', verified: true }] }, '/identifiers'],
    [{ workspaces: ['ws_default'] }, '/workspaces'],
    [{ password: 'engines of analysis' }, '/current_password'],
    [{ current_password: 'engines of analysis' }, '/password'],
    [{ metadata: { plan: 'gold' } }, '/metadata'],
    [{ user_metadata: { text: 'x'.repeat(16_384) } }, '/user_metadata'],
    [{ password: 'too short', current_password: 'engines of analysis' }, '/password'],
    [{ password: 'engines of analysis', current_password: 'x'.repeat(257) }, '/current_password'],
  ];
  for (const [body, path] of refused) {
    test(`PATCH /me rejects ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const { user, token } = await tenant.createUser();
      const whole = Object.keys(body).length === 0 ? {} : { user_metadata: { a: 1 }, ...body };
      const answer = expectStatus(400, await change(token, whole));
      assert.equal(answer.code, 'VALIDATION_FAILED');
      assert.deepEqual(
        answer.errors?.map((error) => error.path),
        [path],
      );
      assert.deepEqual((await me(token)).body, user);
    });
  }
});

describe("a new password of one's own", () => {
  test('A new password takes effect immediately, ends every other session and keeps the current one', async () => {
    const user = await tenant.createUser();
    const other = await tenant.login(user.identifier, user.password);
    const password = newPassword();
    const body = { password, current_password: user.password };
    assert.deepEqual(expectStatus(200, await change(user.token, body)), user.user);
    expectStatus(200, await me(user.token));
    expectStatus(401, await me(other.access_token));
    const refresh = (token: string) =>
      tenant.request('POST', '/auth/refresh', { body: { refresh_token: token } });
    expectStatus(401, await refresh(other.refresh_token));
    expectStatus(200, await refresh(user.refreshToken));
    expectStatus(401, await logIn(user.identifier, user.password));
    expectStatus(200, await logIn(user.identifier, password));
  });

  test('A new password requires the current one; with a wrong one nothing changes', async () => {
    const user = await tenant.createUser();
    const other = await tenant.login(user.identifier, user.password);
    const body = {
      user_metadata: { a: 1 },
      password: newPassword(),
      current_password: newPassword(),
    };
    const answer = await change(user.token, body);
    assert.equal(expectStatus(400, answer).code, 'CURRENT_PASSWORD_WRONG');
    expectStatus(200, await me(other.access_token));
    assert.deepEqual((await me(user.token)).body, user.user);
    expectStatus(200, await logIn(user.identifier, user.password));
  });

  function guess({ token }: TestUser, current: string): Promise<Reply> {
    return change(token, { password: newPassword(), current_password: current });
  }

  test('A change of the password cannot be used to guess the current one: wrong ones are counted like logins', async () => {
    const user = await tenant.createUser();
    for (let attempt = 0; attempt < LIMIT; attempt += 1) {
      expectStatus(400, await guess(user, newPassword()));
    }
    const hashes = () => keywright.nodes[0]?.passwords.computed;
    const hashesBefore = hashes();
    const throttled = await guess(user, user.password);
    assert.equal(expectStatus(429, throttled).code, 'TOO_MANY_ATTEMPTS');
    assert.equal(throttled.headers['retry-after'], String(WINDOW_SECONDS));
    assert.equal(throttled.headers['ratelimit'], `"user";r=0;t=${WINDOW_SECONDS}`);
    assert.equal(hashes(), hashesBefore);
    // Only this change is blocked: the user can still log in and change other data.
    expectStatus(200, await logIn(user.identifier, user.password));
    expectStatus(200, await change(user.token, { user_metadata: { a: 1 } }));
    keywright.clock.advance(WINDOW_SECONDS);
    expectStatus(200, await guess(user, user.password));
  });

  async function logInWithCode(user: TestUser, secret: string): Promise<string> {
    keywright.clock.advance(WINDOW_SECONDS);
    const flow = await startSecondStep(tenant, user);
    const code = totpOf(secret, keywright.clock.now());
    return (
      expectStatus(200, await proveSecondFactor(tenant, 'totp', flow, code)).access_token ?? ''
    );
  }

  test('A new password of a user with a second factor requires a recent login with it (RFC 9470)', async () => {
    const user = await tenant.createUser();
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    const body = { password: newPassword(), current_password: user.password };
    // The session is older than the factor.
    assert.equal(expectStatus(401, await change(user.token, body)).code, 'STEP_UP_REQUIRED');
    expectStatus(200, await change(user.token, { user_metadata: { a: 1 } }));
    const token = await logInWithCode(user, secret);
    keywright.clock.advance(STEP_UP_SECONDS + 1);
    const late = await change(token, body);
    assert.equal(expectStatus(401, late).code, 'STEP_UP_REQUIRED');
    const challenge = late.headers['www-authenticate'] ?? '';
    assert.match(challenge, new RegExp(`acr_values="aal2", max_age=${STEP_UP_SECONDS}$`));
    const recent = await logInWithCode(user, secret);
    expectStatus(200, await change(recent, body));
  });

  test('A correct current password is not counted', async () => {
    const user = await tenant.createUser();
    let current = user.password;
    for (let attempt = 0; attempt < 2 * LIMIT; attempt += 1) {
      const password = newPassword();
      const body = { password, current_password: current };
      expectStatus(200, await change(user.token, body));
      current = password;
    }
  });
});
