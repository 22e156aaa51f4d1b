import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import type { LoginAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { startSecondStep, proveSecondFactor } from '@keywright/tests/harness/second-step';
import type { Credentials, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  tenant = await keywright.tenant('noticed');
});
after(async () => {
  await keywright.close();
  await sink.close();
});

/** A verified user, who has logged in once. */
async function verified(at = tenant): Promise<TestUser> {
  const user = await at.createUser();
  const token = await at.adminToken();
  const body = { identifiers: [{ type: 'email', identifier: user.identifier, verified: true }] };
  expectStatus(200, await at.request('PATCH', `/users/${user.user.id}`, { token, body }));
  return user;
}

/** The notices about a user, which are queued before the response. */
async function noticesOf({ user }: Pick<TestUser, 'user'>): Promise<string[]> {
  const rows = await keywright.database.query<{ kind: string }>(
    `SELECT kind FROM messages WHERE user_id = $1 AND kind LIKE 'notice.%' ORDER BY created_at, id`,
    [user.id],
  );
  return rows.map(({ kind }) => kind.replace('notice.', ''));
}

function mailAbout(subject: string, address: string) {
  return until(subject, () =>
    sink.mails.find(({ to, parsed }) => to.includes(address) && parsed.subject === subject),
  );
}

/** @param earlierLogin an earlier login of the device */
async function loginOf(
  { identifier, password: secret }: Credentials,
  earlierLogin?: LoginAnswer,
): Promise<LoginAnswer> {
  const body = {
    identifier,
    secret,
    ...(earlierLogin && { device_token: earlierLogin.device_token }),
  };
  return expectStatus(200, await tenant.request<LoginAnswer>('POST', '/auth/login', { body }));
}

let addresses = 0;

function step({ flow, flow_token }: StartedFlow, name: string, body: object = {}) {
  return tenant.request<FlowAnswer>('POST', `/auth/flows/${flow.id}/${name}`, {
    body: { flow_token, ...body },
    headers: { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` },
  });
}

/** A flow whose code was entered correctly. */
async function proven(identifier: string, purpose: 'login' | 'recovery', skip = 0) {
  const body = { identifier, purpose };
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', { body });
  const startedFlow = expectStatus(201, answer);
  expectStatus(200, await step(startedFlow, 'message'));
  const { code } = await mailedTo(sink, identifier, skip);
  expectStatus(200, await step(startedFlow, 'code', { code }));
}

describe('a login from a new device', () => {
  test('A user who has logged in before is notified of a login from a new device, named from a closed list', async () => {
    const user = await verified();
    const headers = { 'user-agent': `${FIREFOX} call +1 555 0100 now` };
    await tenant.login(user.identifier, user.password, { headers });
    assert.deepEqual(await noticesOf(user), ['new_device']);
    const { parsed } = await mailAbout('New sign-in to noticed', user.identifier);
    assert.match(parsed.text ?? '', /Device: Firefox on Linux\n/);
    assert.doesNotMatch(`${parsed.text} ${parsed.html}`, /0100/);
  });

  test('No notice of a new device is sent at the first login, for known devices, or without notify_new_device', async () => {
    const identifier = newIdentifier();
    const password = newPassword();
    const token = await tenant.adminToken();
    const body = { identifier, password };
    const answer = await tenant.request<TestUser['user']>('POST', '/users', { token, body });
    const user = expectStatus(201, answer);
    const identifiers = [{ type: 'email', identifier, verified: true }];
    const path = `/users/${user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { identifiers } }));
    const first = await loginOf({ identifier, password });
    const second = await loginOf({ identifier, password }, first);
    await loginOf({ identifier, password }, second);
    assert.deepEqual(await noticesOf({ user }), []);
    const silent = await keywright.tenant('silent', { config: { notify_new_device: false } });
    const other = await verified(silent);
    await silent.login(other.identifier, other.password);
    assert.deepEqual(await noticesOf(other), []);
  });

  test('A notice of a new device is sent for a device that another user has logged in from', async () => {
    const user = await verified();
    const other = await tenant.createUser();
    await loginOf(user, await loginOf(other));
    assert.deepEqual(await noticesOf(user), ['new_device']);
  });

  test('A login by mail sends a new-device notice, and a two-factor login recognizes the device in its first step', async () => {
    const user = await verified();
    await proven(user.identifier, 'login');
    assert.deepEqual(await noticesOf(user), ['new_device']);
    // Another factor makes all devices new.
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(30);
    const first = await startSecondStep(tenant, user);
    const proof = totpOf(secret, keywright.clock.now());
    const { device_token } = expectStatus(
      200,
      await proveSecondFactor(tenant, 'totp', first, proof),
    );
    const count = (await noticesOf(user)).length;
    keywright.clock.advance(30);
    const body = { identifier: user.identifier, secret: user.password, device_token };
    const answer = await tenant.request<{ flow: Parameters<typeof proveSecondFactor>[2] }>(
      'POST',
      '/auth/login',
      { body },
    );
    const code = totpOf(secret, keywright.clock.now());
    const { flow } = expectStatus(401, answer);
    expectStatus(200, await proveSecondFactor(tenant, 'totp', flow, code));
    assert.equal((await noticesOf(user)).length, count);
    keywright.clock.advance(30);
    const elsewhere = await startSecondStep(tenant, user);
    const next = totpOf(secret, keywright.clock.now());
    expectStatus(200, await proveSecondFactor(tenant, 'totp', elsewhere, next));
    assert.deepEqual((await noticesOf(user)).slice(count), ['new_device']);
  });
});

test('A notice of a refused second factor is sent once an hour, however many codes are tried', async () => {
  const user = await verified();
  await enrollTotp(tenant, user.token, keywright.clock);
  const refusedCodes = async () => {
    for (const code of ['000000', '000001']) {
      const flow = await startSecondStep(tenant, user);
      expectStatus(400, await proveSecondFactor(tenant, 'totp', flow, code));
    }
    return (await noticesOf(user)).filter((kind) => kind === 'second_factor_refused').length;
  };
  assert.equal(await refusedCodes(), 1);
  keywright.clock.advance(3601);
  assert.equal(await refusedCodes(), 2);
  const { parsed } = await mailAbout('Sign-in blocked at noticed', user.identifier);
  assert.match(parsed.text ?? '', /but failed the second step/);
});

test('A notice of a recovery is sent to every verified address once its message is confirmed', async () => {
  const user = await verified();
  const second = newIdentifier();
  const identifiers = [user.identifier, second].map((identifier) => ({
    type: 'email',
    identifier,
    verified: true,
  }));
  const token = await tenant.adminToken();
  const path = `/users/${user.user.id}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { identifiers } }));
  await proven(user.identifier, 'recovery');
  const notices = (await noticesOf(user)).filter((kind) => kind !== 'identifier_added');
  assert.deepEqual(notices, ['recovery_begun', 'recovery_begun']);
  await mailAbout('Password reset started at noticed', second);
});

test('A user who takes over an unverified account is notified at the address that was proven', async () => {
  const user = await tenant.createUser();
  await proven(user.identifier, 'login');
  assert.deepEqual(await noticesOf(user), ['account_reclaimed']);
  const { parsed } = await mailAbout('About your noticed account', user.identifier);
  assert.ok(parsed.text?.includes(`The owner of ${user.identifier} confirmed it`));
});

test('The verified addresses of a user are notified when an administrator changes how the user logs in', async () => {
  const user = await verified();
  const token = await tenant.adminToken();
  const change = async (body: object) =>
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
  const other = newIdentifier();
  await change({ metadata: { plan: 'team' } });
  assert.deepEqual(await noticesOf(user), []);
  await change({ password: newPassword(), identifiers: [{ type: 'email', identifier: other }] });
  const expected = ['identifier_added', 'identifier_removed', 'password_changed'];
  assert.deepEqual((await noticesOf(user)).toSorted(), expected);
  const { parsed } = await mailAbout('Email or phone added at noticed', user.identifier);
  assert.ok(parsed.text?.includes(other));
  // The new address is not verified.
  await change({ password: newPassword() });
  assert.deepEqual((await noticesOf(user)).toSorted(), expected);
  assert.ok(!sink.mails.some(({ to }) => to.includes(other)));
});
