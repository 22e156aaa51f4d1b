import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { Credentials, TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, sessionOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

type Reply = Answer<FlowAnswer & ErrorBody & { readonly flow?: OfferedFlow }>;

const PHONE = '+14155550123';

let sink: MailSink;
let keywright: Keywright;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

/** A tenant that does not require verification yet. */
async function tenantNamed(slug: string): Promise<TestTenant> {
  const tenant = await keywright.tenant(slug, { config: { notify_new_device: false } });
  await tenant.adminToken();
  return tenant;
}

async function demand(tenant: TestTenant, config: Partial<TenantConfig> = {}): Promise<void> {
  const body = { config: { require_verified_identifier: true, ...config } };
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
}

function logIn(tenant: TestTenant, credentials: Credentials, extra: object = {}): Promise<Reply> {
  const body = { identifier: credentials.identifier, secret: credentials.password, ...extra };
  return tenant.request('POST', '/auth/login', { body });
}

function step(tenant: TestTenant, flow: OfferedFlow, name: string, body: object = {}) {
  return tenant.request<FlowAnswer & ErrorBody>('POST', `/auth/flows/${flow.id}/${name}`, {
    body: { flow_token: flow.flow_token, ...body },
  });
}

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

const stepsOf = ({ needs }: Pick<OfferedFlow, 'needs'>) => needs.map((need) => need.step);

/** The flow of a login with a password, which needs a message. */
async function offered(tenant: TestTenant, credentials: Credentials, extra: object = {}) {
  const answer = await logIn(tenant, credentials, extra);
  assert.equal(answer.status, 401);
  refused(answer, 'VERIFICATION_REQUIRED');
  assert.equal(answer.text.includes('access_token"'), false);
  assert.ok(answer.body.flow);
  return answer.body.flow;
}

/** Completes a flow with the code from its message. */
async function confirm(tenant: TestTenant, flow: OfferedFlow, identifier: string) {
  assert.deepEqual(stepsOf(flow), ['message']);
  expectStatus(200, await step(tenant, flow, 'message'));
  const { code } = await mailedTo(sink, identifier);
  return expectStatus(200, await step(tenant, flow, 'code', { code }));
}

async function usersOf({ id }: TestTenant) {
  const found = await keywright.database.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM users WHERE tenant_id = $1',
    [id],
  );
  return found[0]?.n;
}

describe('require_verified_identifier', () => {
  test('A password opens a session after the address is verified, and the account remains as it is', async () => {
    const tenant = await tenantNamed('verify-login');
    const user = await tenant.createUser();
    await demand(tenant);
    refused(await logIn(tenant, { ...user, password: newPassword() }), 'INVALID_CREDENTIALS');
    const answer = await confirm(tenant, await offered(tenant, user), user.identifier);
    assert.deepEqual(claimsOf(answer.access_token ?? '').amr, ['pwd', 'email']);
    assert.deepEqual(answer.user?.identifiers, [
      { type: 'email', identifier: user.identifier, verified: true },
    ]);
    const again = expectStatus(200, await logIn(tenant, user));
    assert.equal(again.user?.id, user.user.id);
    // No one took the account over, so earlier sessions continue.
    expectStatus(200, await tenant.request('GET', '/me', { token: user.token }));
    // Refusals are written later.
    await until('the audit log says why', async () => {
      const entries = await keywright.database.query(
        "SELECT FROM audit_entries WHERE tenant_id = $1 AND details ->> 'reason' = 'verification_required'",
        [tenant.id],
      );
      return entries.length === 1;
    });
  });

  test('A new user verifies the address before the first session', async () => {
    const tenant = await tenantNamed('verify-register');
    await demand(tenant);
    const newcomer = { identifier: newIdentifier(), password: newPassword() };
    const flow = await offered(tenant, newcomer, { register: true });
    await offered(tenant, newcomer);
    const answer = await confirm(tenant, flow, newcomer.identifier);
    const { user } = expectStatus(200, await logIn(tenant, newcomer));
    assert.equal(user?.id, answer.user?.id);
  });

  test('A login in steps needs the message after the password, and a login by mail nothing more', async () => {
    const tenant = await tenantNamed('verify-steps');
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    await demand(tenant);
    const startFlow = async (identifier: string) => {
      const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', {
        body: { identifier },
      });
      const { flow, flow_token } = expectStatus(201, answer);
      return { ...flow, flow_token };
    };
    const flow = await startFlow(user.identifier);
    const half = expectStatus(200, await step(tenant, flow, 'password', { secret: user.password }));
    assert.equal(half.access_token, undefined);
    const done = await confirm(tenant, { ...flow, ...half.flow }, user.identifier);
    assert.equal(done.user?.id, user.user.id);
    expectStatus(200, await logIn(tenant, user));

    const byMail = await startFlow(other.identifier);
    expectStatus(200, await step(tenant, byMail, 'message'));
    const { code } = await mailedTo(sink, other.identifier);
    assert.ok(expectStatus(200, await step(tenant, byMail, 'code', { code })).access_token);
  });

  test('A second factor is required in addition to a verified identifier, even if it must first be added', async () => {
    const tenant = await tenantNamed('verify-mfa');
    const [user, plain] = [await tenant.createUser(), await tenant.createUser()];
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    await demand(tenant, { require_mfa: true });
    const flow = await offered(tenant, user);
    refused(await step(tenant, flow, 'totp', { code: '000000' }), 'STEP_NOT_NEEDED');
    const half = await confirm(tenant, flow, user.identifier);
    assert.deepEqual(stepsOf(half.flow), ['totp', 'recovery_code']);
    keywright.clock.advance(60);
    const code = totpOf(secret, keywright.clock.now());
    const done = expectStatus(200, await step(tenant, flow, 'totp', { code }));
    assert.equal(claimsOf(done.access_token ?? '').acr, 'aal2');

    const verified = await confirm(tenant, await offered(tenant, plain), plain.identifier);
    assert.deepEqual(stepsOf(verified.flow), ['enroll']);
  });

  test('Any verified identifier is enough, and without an e-mail address, an administrator sets it', async () => {
    const tenant = await tenantNamed('verify-phone');
    const [user, byPhone] = [await tenant.createUser(), await tenant.createUser()];
    const token = await tenant.adminToken();
    const set = async ({ user: { id } }: typeof user, identifiers: object[]) => {
      const options = { token, body: { identifiers } };
      expectStatus(200, await tenant.request('PATCH', `/users/${id}`, options));
    };
    const unverified = { identifier: user.identifier, verified: false };
    await set(user, [unverified, { identifier: newIdentifier(), verified: true }]);
    await set(byPhone, [{ identifier: PHONE }]);
    await demand(tenant);
    expectStatus(200, await logIn(tenant, user));
    const credentials = { ...byPhone, identifier: PHONE };
    assert.deepEqual(stepsOf(await offered(tenant, credentials)), []);
    await set(byPhone, [{ identifier: PHONE, verified: true }]);
    expectStatus(200, await logIn(tenant, credentials));

    const count = await usersOf(tenant);
    const newcomer = { identifier: '+14155550199', password: newPassword() };
    refused(await logIn(tenant, newcomer, { register: true }), 'INVALID_CREDENTIALS');
    assert.equal(await usersOf(tenant), count);
  });

  test('A session of an unverified user continues after its next refresh verifies the address', async () => {
    const tenant = await tenantNamed('verify-refresh');
    const user = await tenant.createUser();
    const options = {
      token: await tenant.adminToken(),
      body: { identifiers: [{ identifier: '+14155550177' }, { identifier: user.identifier }] },
    };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
    const { refresh_token, access_token } = await tenant.login(user.identifier, user.password);
    await demand(tenant);
    const refresh = (token: string) =>
      tenant.request<TokenAnswer & ErrorBody & { readonly flow?: OfferedFlow }>(
        'POST',
        '/auth/refresh',
        { body: { refresh_token: token } },
      );
    const weak = await refresh(refresh_token);
    refused(weak, 'STEP_UP_REQUIRED');
    expectStatus(200, await tenant.request('GET', '/me', { token: access_token }));
    const { flow } = weak.body;
    assert.ok(flow);
    const secret = user.password;
    const half = expectStatus(200, await step(tenant, flow, 'password', { secret }));
    const done = await confirm(tenant, { ...flow, ...half.flow }, user.identifier);
    assert.equal(sessionOf(done.access_token ?? ''), sessionOf(access_token));
    expectStatus(200, await refresh(done.refresh_token ?? ''));
  });
});
