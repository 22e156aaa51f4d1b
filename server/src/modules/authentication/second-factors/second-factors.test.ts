import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorCode } from '@keywright/contract/errors';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { UserLock } from '@keywright/contract/records/user-lock';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { eventsFrom } from '@keywright/tests/harness/journal';
import { startSecondStep, proveSecondFactor } from '@keywright/tests/harness/second-step';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { type ConfirmedTotp, enrollTotp, totpOf } from '@keywright/tests/harness/totp';

const PERIOD = 30;
const WRONG_RECOVERY_CODE = '000000-000000-000000-000000';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { login_attempts_limit: 10_000 };
  tenant = await keywright.tenant('second', { config });
  other = await keywright.tenant('elsewhere', { config });
});

after(() => keywright.close());

interface Enrolled {
  readonly user: TestUser;
  readonly totp: ConfirmedTotp;
}

/** A user who confirmed their authenticator in an earlier time step. */
async function enrolled(at = tenant): Promise<Enrolled> {
  const user = await at.createUser();
  const totp = await enrollTotp(at, user.token, keywright.clock);
  keywright.clock.advance(2 * PERIOD);
  return { user, totp };
}

const codeOf = ({ secret }: ConfirmedTotp, seconds = 0) =>
  totpOf(secret, new Date(keywright.clock.now().getTime() + seconds * 1000));

function refused(answer: Answer<JsonBody>, code: ErrorCode): void {
  assert.equal(answer.body['code'], code, answer.text);
}

async function statusOf({ user, token }: TestUser): Promise<FactorRecord[]> {
  const list = await tenant.request<{ items: FactorRecord[] }>('GET', '/me/factors', { token });
  assert.ok(user);
  return expectStatus(200, list).items;
}

describe('a code of an authenticator app', () => {
  test('A TOTP code completes the login, and the tokens name both factors', async () => {
    const { user, totp } = await enrolled();
    const flow = await startSecondStep(tenant, user);
    assert.deepEqual(
      flow.needs.map(({ step }) => step),
      ['totp', 'recovery_code'],
    );
    const answer = await proveSecondFactor(tenant, 'totp', flow, codeOf(totp));
    const { access_token: token = '', flow: done } = expectStatus(200, answer);
    assert.equal(done.status, 'complete');
    const { acr, amr, auth_time } = claimsOf(token);
    assert.deepEqual([acr, amr], ['aal2', ['pwd', 'otp', 'mfa']]);
    assert.equal(auth_time, Math.floor(keywright.clock.now().getTime() / 1000));
    expectStatus(200, await tenant.request('GET', '/me', { token }));
  });

  test('A TOTP code is accepted once over all flows, and no earlier code after it', async () => {
    const { user, totp } = await enrolled();
    const code = codeOf(totp);
    const earlier = codeOf(totp, -PERIOD);
    const prove = async (enteredCode: string) =>
      proveSecondFactor(tenant, 'totp', await startSecondStep(tenant, user), enteredCode);
    expectStatus(200, await prove(code));
    for (const used of [code, earlier]) refused(await prove(used), 'CODE_WRONG');
    expectStatus(200, await prove(codeOf(totp, PERIOD)));
  });

  test('A TOTP code outside its window, of another user, or in another alphabet is rejected', async () => {
    const [{ user, totp }, stranger] = [await enrolled(), await enrolled()];
    const flow = await startSecondStep(tenant, user);
    for (const code of [
      codeOf(totp, -2 * PERIOD),
      codeOf(totp, 2 * PERIOD),
      codeOf(stranger.totp),
    ]) {
      refused(await proveSecondFactor(tenant, 'totp', flow, code), 'CODE_WRONG');
    }
    const odd = ['', '12345', '1234567', '１２３４５６', ' 12345', '12345\n', '1'.repeat(10_000)];
    for (const code of [...odd, 123456, ['123456'], { $ne: '' }, null]) {
      const answer = await proveSecondFactor(tenant, 'totp', flow, code as string);
      refused(answer, 'VALIDATION_FAILED');
    }
    expectStatus(200, await proveSecondFactor(tenant, 'totp', flow, codeOf(totp)));
  });

  test('A TOTP code requires the token of its own flow, in its own tenant, and a proven password', async () => {
    const [{ user, totp }, stranger] = [await enrolled(), await enrolled()];
    const flow = await startSecondStep(tenant, user);
    const theirs = await startSecondStep(tenant, stranger.user);
    const { flow_token } = theirs;
    const stolen = { ...flow, ...(flow_token && { flow_token }) };
    refused(await proveSecondFactor(tenant, 'totp', stolen, codeOf(totp)), 'FLOW_ENDED');
    refused(await proveSecondFactor(other, 'totp', flow, codeOf(totp)), 'FLOW_ENDED');
    const started = await tenant.request<{ flow: typeof flow; flow_token: string }>(
      'POST',
      '/auth/flows',
      { body: { identifier: user.identifier } },
    );
    const { flow: fresh, flow_token: token } = expectStatus(201, started);
    const early = await proveSecondFactor(
      tenant,
      'totp',
      { ...fresh, flow_token: token },
      codeOf(totp),
    );
    refused(early, 'STEP_NOT_NEEDED');
    expectStatus(200, await proveSecondFactor(tenant, 'totp', flow, codeOf(totp)));
    refused(await proveSecondFactor(tenant, 'totp', flow, codeOf(totp, PERIOD)), 'FLOW_ENDED');
  });

  test('A TOTP code opens no session after a change of the factors, the password or the state of the user', async () => {
    const changes: Readonly<
      Record<string, (account: Enrolled, admin: string) => Promise<Answer<JsonBody>>>
    > = {
      'factor removed': ({ user, totp }, token) =>
        tenant.request('DELETE', `/users/${user.user.id}/factors/${totp.factor.id}`, { token }),
      'password changed': ({ user }, token) =>
        tenant.request('PATCH', `/users/${user.user.id}`, {
          token,
          body: { password: 'a quite different passphrase' },
        }),
      deactivated: ({ user }, token) =>
        tenant.request('PATCH', `/users/${user.user.id}`, { token, body: { is_active: false } }),
    };
    for (const [what, change] of Object.entries(changes)) {
      const account = await enrolled();
      const flow = await startSecondStep(tenant, account.user);
      const { token } = await tenant.createUser({ roles: ['admin'] });
      expectStatus(200, await change(account, token));
      const answer = await proveSecondFactor(tenant, 'totp', flow, codeOf(account.totp));
      assert.ok([400, 401].includes(answer.status), what);
      assert.equal(answer.body.access_token, undefined, what);
    }
  });
});

describe('a recovery code', () => {
  test('A recovery code completes the login once, in any spelling, and is replaced by a new one', async () => {
    const { user, totp } = await enrolled();
    const [code = '', another = ''] = totp.codes;
    const prove = async (enteredCode: string) =>
      proveSecondFactor(tenant, 'recovery-code', await startSecondStep(tenant, user), enteredCode);
    const first = expectStatus(200, await prove(code.toUpperCase().replaceAll('-', ' ')));
    assert.deepEqual(claimsOf(first.access_token ?? '').amr, ['pwd', 'recovery', 'mfa']);
    refused(await prove(code), 'CODE_WRONG');
    const { recovery_code: next = '' } = expectStatus(200, await prove(another));
    assert.notEqual(next, first.recovery_code);
    for (const issued of [first.recovery_code ?? '', next]) expectStatus(200, await prove(issued));
  });

  test('A recovery code that was replaced, or belongs to another user, is rejected', async () => {
    const [{ user }, stranger] = [await enrolled(), await enrolled()];
    const flow = await startSecondStep(tenant, user);
    for (const code of [stranger.totp.codes[0] ?? '', WRONG_RECOVERY_CODE]) {
      refused(await proveSecondFactor(tenant, 'recovery-code', flow, code), 'CODE_WRONG');
    }
  });
});

/** Logs in, on a new device or a known one. @returns the token of the device */
async function deviceOf(user: TestUser, totp: ConfirmedTotp, device: object = {}) {
  const flow = await startSecondStep(tenant, user, device);
  const answer = await proveSecondFactor(tenant, 'totp', flow, codeOf(totp));
  keywright.clock.advance(PERIOD);
  return { device_token: expectStatus(200, answer).device_token };
}

/** Makes as many wrong guesses as a user is allowed in an hour. */
async function useUp(
  user: TestUser,
  device: object = {},
  step: 'totp' | 'recovery-code' = 'totp',
): Promise<void> {
  const wrong = step === 'totp' ? '000000' : WRONG_RECOVERY_CODE;
  for (let count = 0; count < 5; count += 1) {
    const flow = await startSecondStep(tenant, user, device);
    for (let guess = 0; guess < 4; guess += 1) {
      refused(await proveSecondFactor(tenant, step, flow, wrong), 'CODE_WRONG');
    }
  }
}

describe('guesses', () => {
  test('Five wrong guesses end a flow, even if the sixth is right', async () => {
    const { user, totp } = await enrolled();
    const flow = await startSecondStep(tenant, user);
    for (let count = 0; count < 5; count += 1) {
      refused(await proveSecondFactor(tenant, 'totp', flow, '000000'), 'CODE_WRONG');
    }
    refused(await proveSecondFactor(tenant, 'totp', flow, codeOf(totp)), 'FLOW_ENDED');
    const code = totp.codes[0] ?? '';
    refused(await proveSecondFactor(tenant, 'recovery-code', flow, code), 'FLOW_ENDED');
  });

  test('Guesses over many flows are limited to 20 an hour for each method', async () => {
    const { user, totp } = await enrolled();
    await useUp(user);
    const flow = await startSecondStep(tenant, user);
    const answer = await proveSecondFactor(tenant, 'totp', flow, codeOf(totp));
    refused(answer, 'TOO_MANY_ATTEMPTS');
    assert.ok(Number(answer.headers['retry-after']) > 0);
    const code = totp.codes[0] ?? '';
    expectStatus(200, await proveSecondFactor(tenant, 'recovery-code', flow, code));
  });

  test('An administrator sees that codes of a user are blocked, and unlocks them', async () => {
    const { user, totp } = await enrolled();
    await useUp(user);
    const token = await tenant.adminToken();
    const path = `/users/${user.user.id}`;
    const list = await tenant.request<{ locks: UserLock[] }>('GET', `${path}/locks`, { token });
    const [lock] = expectStatus(200, list).locks;
    assert.deepEqual([lock?.limit, lock?.identifier], ['totp', null]);
    const answer = await tenant.request<{ unlocked: UserLock[] }>('POST', `${path}/unlock`, {
      token,
    });
    assert.deepEqual(expectStatus(200, answer).unlocked, [lock]);
    const flow = await startSecondStep(tenant, user);
    expectStatus(200, await proveSecondFactor(tenant, 'totp', flow, codeOf(totp)));
  });

  test('Guesses by an attacker who knows the password do not use up those of a known device', async () => {
    const { user, totp } = await enrolled();
    const device = await deviceOf(user, totp);
    await useUp(user);
    const stranger = await startSecondStep(tenant, user);
    refused(await proveSecondFactor(tenant, 'totp', stranger, codeOf(totp)), 'TOO_MANY_ATTEMPTS');
    const onDevice = await startSecondStep(tenant, user, device);
    expectStatus(200, await proveSecondFactor(tenant, 'totp', onDevice, codeOf(totp)));
  });

  test('Guesses on one known device do not use up those of another device of the user', async () => {
    for (const step of ['totp', 'recovery-code'] as const) {
      const { user, totp } = await enrolled();
      const [stolen, intact] = [await deviceOf(user, totp), await deviceOf(user, totp)];
      await useUp(user, stolen, step);
      const right = () => (step === 'totp' ? codeOf(totp) : (totp.codes[0] ?? ''));
      const thief = await startSecondStep(tenant, user, stolen);
      refused(await proveSecondFactor(tenant, step, thief, right()), 'TOO_MANY_ATTEMPTS');
      const flow = await startSecondStep(tenant, user, intact);
      expectStatus(200, await proveSecondFactor(tenant, step, flow, right()));
    }
  });

  test('Guesses on a known device are counted together over all its tokens', async () => {
    const { user, totp } = await enrolled();
    const first = await deviceOf(user, totp);
    const second = await deviceOf(user, totp, first);
    await useUp(user, first);
    const flow = await startSecondStep(tenant, user, second);
    refused(await proveSecondFactor(tenant, 'totp', flow, codeOf(totp)), 'TOO_MANY_ATTEMPTS');
  });

  test('Right guesses are not counted', async () => {
    const { user, totp } = await enrolled();
    for (let count = 0; count < 22; count += 1) {
      keywright.clock.advance(PERIOD);
      const flow = await startSecondStep(tenant, user);
      expectStatus(200, await proveSecondFactor(tenant, 'totp', flow, codeOf(totp)));
    }
  });

  test('Guesses suspend a factor after 100 wrong ones in a row, until the user logs in with another factor', async () => {
    const { user, totp } = await enrolled();
    const set = 'UPDATE user_factors SET failures = 99 WHERE id = $1';
    await keywright.database.query(set, [totp.factor.id]);
    const prove = async (code: string) =>
      proveSecondFactor(tenant, 'totp', await startSecondStep(tenant, user), code);
    const events = await eventsFrom(tenant, async () => {
      refused(await prove('000000'), 'CODE_WRONG');
      refused(await prove(codeOf(totp)), 'CODE_WRONG');
    });
    const token = await tenant.adminToken();
    const list = await tenant.request<{ items: FactorRecord[] }>(
      'GET',
      `/users/${user.user.id}/factors`,
      { token },
    );
    const suspended = expectStatus(200, list).items.filter((factor) => factor.is_suspended);
    assert.deepEqual(
      suspended.map(({ id }) => id),
      [totp.factor.id],
    );
    const suspicious = events.filter(({ type }) => type === 'factor.suspicious');
    assert.deepEqual(
      suspicious.map(({ data }) => data['factor_id']),
      [totp.factor.id],
    );
    const flow = await startSecondStep(tenant, user);
    const code = totp.codes[0] ?? '';
    expectStatus(200, await proveSecondFactor(tenant, 'recovery-code', flow, code));
    expectStatus(200, await prove(codeOf(totp)));
  });
});

test('A factor that attackers have suspended by wrong codes still accepts a code on a known device', async () => {
  for (const step of ['totp', 'recovery-code'] as const) {
    const { user, totp } = await enrolled();
    const login = await startSecondStep(tenant, user);
    const first = await proveSecondFactor(tenant, 'totp', login, codeOf(totp));
    const device = { device_token: expectStatus(200, first).device_token };
    keywright.clock.advance(PERIOD);
    const set = 'UPDATE user_factors SET failures = $2 WHERE user_id = $1';
    await keywright.database.query(set, [user.user.id, 100]);
    const right = step === 'totp' ? codeOf(totp) : (totp.codes[0] ?? '');
    const stranger = await startSecondStep(tenant, user);
    refused(await proveSecondFactor(tenant, step, stranger, right), 'CODE_WRONG');
    // On known devices, another 100 wrong codes suspend it.
    await keywright.database.query(set, [user.user.id, 200]);
    const late = await startSecondStep(tenant, user, device);
    refused(await proveSecondFactor(tenant, step, late, right), 'CODE_WRONG');
    await keywright.database.query(set, [user.user.id, 199]);
    const onDevice = await startSecondStep(tenant, user, device);
    expectStatus(200, await proveSecondFactor(tenant, step, onDevice, right));
    const next = await startSecondStep(tenant, user);
    keywright.clock.advance(PERIOD);
    expectStatus(200, await proveSecondFactor(tenant, 'totp', next, codeOf(totp)));
  }
});

test('An old session cannot change a factor without the second factor', async () => {
  const { user } = await enrolled();
  const [first] = await statusOf(user);
  const { token } = user;
  const path = `/me/factors/${first?.id}`;
  refused(await tenant.request('DELETE', path, { token }), 'STEP_UP_REQUIRED');
  const body = { refresh_token: user.refreshToken };
  const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', { body });
  const next = expectStatus(200, answer).access_token;
  refused(await tenant.request('DELETE', path, { token: next }), 'STEP_UP_REQUIRED');
});
