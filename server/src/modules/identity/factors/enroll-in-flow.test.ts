import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody, ErrorCode } from '@keywright/contract/errors';
import type { FactorRecord } from '@keywright/contract/records/factor';
import type { FlowAnswer, OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startSecondStep, proveSecondFactor } from '@keywright/tests/harness/second-step';
import type { Credentials, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { totpOf } from '@keywright/tests/harness/totp';

const PERIOD = 30;

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});

after(() => keywright.close());

/** A tenant that requires second factors after the creation of its user. */
async function strict(
  slug: string,
  policy: Partial<TenantConfig> = { require_mfa: true },
): Promise<{ tenant: TestTenant; user: TestUser; admin: string }> {
  const tenant = await keywright.tenant(slug, { config: { login_attempts_limit: 1000 } });
  const admin = await tenant.adminToken();
  const user = await tenant.createUser();
  const body = { config: policy };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token: admin, body }));
  return { tenant, user, admin };
}

type EnrollAnswer = FlowAnswer & ErrorBody & { secret: string; uri: string };

function enroll(
  tenant: TestTenant,
  { id, flow_token }: OfferedFlow,
): Promise<Answer<EnrollAnswer>> {
  return tenant.request('POST', `/auth/flows/${id}/enroll/totp`, { body: { flow_token } });
}

type Enrolled = FlowAnswer & ErrorBody & { factor: FactorRecord; recovery_codes: string[] };

function confirm(
  tenant: TestTenant,
  { id, flow_token }: OfferedFlow,
  code: string,
  extra: object = {},
): Promise<Answer<Enrolled>> {
  const path = `/auth/flows/${id}/enroll/totp/confirm`;
  return tenant.request('POST', path, { body: { flow_token, code, ...extra } });
}

function refused(answer: Answer<ErrorBody>, code: ErrorCode): void {
  assert.equal(answer.body.code, code, answer.text);
}

const stepsOf = ({ needs }: Pick<OfferedFlow, 'needs'>) => needs.map(({ step }) => step);
const codeOf = (secret: string) => totpOf(secret, keywright.clock.now());

/** Adds the factor that the tenant requires. */
async function enrolled(tenant: TestTenant, user: Credentials) {
  const flow = await startSecondStep(tenant, user);
  const { secret } = expectStatus(200, await enroll(tenant, flow));
  const answer = expectStatus(200, await confirm(tenant, flow, codeOf(secret)));
  return { flow, secret, answer };
}

async function sessionsOf({ id }: TestTenant, userId: string): Promise<number> {
  const rows = await keywright.database.query(
    'SELECT FROM sessions WHERE tenant_id = $1 AND user_id = $2',
    [id, userId],
  );
  return rows.length;
}

describe('a tenant that requires a second factor', () => {
  test('A user without a second factor adds one during the login, and gets no session before', async () => {
    const { tenant, user } = await strict('enroll');
    const flow = await startSecondStep(tenant, user);
    assert.deepEqual(stepsOf(flow), ['enroll']);
    const shown = expectStatus(200, await enroll(tenant, flow));
    assert.deepEqual(stepsOf(shown.flow), ['enroll']);
    assert.ok(shown.uri.includes(`secret=${shown.secret}`));
    assert.equal(await sessionsOf(tenant, user.user.id), 1, 'the previous one');
    refused(await confirm(tenant, flow, '000000'), 'CODE_WRONG');
    const name = 'Work phone';
    const code = codeOf(shown.secret);
    const answer = expectStatus(200, await confirm(tenant, flow, code, { name }));
    assert.equal(answer.flow.status, 'complete');
    assert.deepEqual([answer.factor.name, answer.factor.type], [name, 'totp']);
    assert.ok(answer.factor.confirmed_at);
    assert.equal(new Set(answer.recovery_codes).size, 10);
    const { acr, amr } = claimsOf(answer.access_token ?? '');
    assert.deepEqual([acr, amr], ['aal2', ['pwd', 'otp', 'mfa']]);
    refused(await confirm(tenant, flow, code), 'FLOW_ENDED');
    refused(await enroll(tenant, flow), 'FLOW_ENDED');
  });

  test('Later logins require the added factor; its first code is used up, and its recovery codes work', async () => {
    const { tenant, user } = await strict('enrolled');
    const { secret, answer } = await enrolled(tenant, user);
    const next = await startSecondStep(tenant, user);
    assert.deepEqual(stepsOf(next), ['totp', 'recovery_code']);
    refused(await proveSecondFactor(tenant, 'totp', next, codeOf(secret)), 'CODE_WRONG');
    keywright.clock.advance(PERIOD);
    expectStatus(200, await proveSecondFactor(tenant, 'totp', next, codeOf(secret)));
    const [recoveryCode = ''] = answer.recovery_codes;
    const other = await startSecondStep(tenant, user);
    expectStatus(200, await proveSecondFactor(tenant, 'recovery-code', other, recoveryCode));
  });

  test('A user who registers is created, and the login continues with a second factor', async () => {
    const { tenant } = await strict('enroll-new');
    const user = { identifier: newIdentifier(), password: newPassword() };
    const body = { identifier: user.identifier, secret: user.password, register: true };
    const answer = await tenant.request<ErrorBody>('POST', '/auth/login', { body });
    refused(answer, 'MFA_REQUIRED');
    assert.deepEqual(answer.body.flow && stepsOf(answer.body.flow), ['enroll']);
    const again = await tenant.request<ErrorBody>('POST', '/auth/login', { body });
    refused(again, 'MFA_REQUIRED');
    const { answer: done } = await enrolled(tenant, user);
    assert.equal(done.user?.identifiers[0]?.identifier, user.identifier);
  });

  test('The secret is shown only after a proof, and with the token of the flow', async () => {
    const { tenant, user } = await strict('enroll-early');
    const answer = await tenant.request<{ flow: OfferedFlow; flow_token: string }>(
      'POST',
      '/auth/flows',
      { body: { identifier: user.identifier } },
    );
    const { flow, flow_token } = expectStatus(201, answer);
    refused(await enroll(tenant, { ...flow, flow_token }), 'STEP_NOT_NEEDED');
    refused(await confirm(tenant, { ...flow, flow_token }, '000000'), 'STEP_NOT_NEEDED');
    const proven = await startSecondStep(tenant, user);
    refused(await enroll(tenant, { ...proven, flow_token }), 'FLOW_ENDED');
    const elsewhere = await keywright.tenant('enroll-elsewhere');
    refused(await enroll(elsewhere, proven), 'FLOW_ENDED');
  });

  test('Each flow has its own secret, which no other flow confirms', async () => {
    const { tenant, user } = await strict('enroll-keys');
    const [flow, other] = [
      await startSecondStep(tenant, user),
      await startSecondStep(tenant, user),
    ];
    const [first, second] = [await enroll(tenant, flow), await enroll(tenant, other)];
    assert.notEqual(first.body.secret, second.body.secret);
    refused(await confirm(tenant, flow, codeOf(second.body.secret)), 'CODE_WRONG');
    expectStatus(200, await confirm(tenant, flow, codeOf(first.body.secret)));
  });

  test('Other flows of a user end when a second factor is added', async () => {
    const { tenant, user } = await strict('enroll-others');
    const other = await startSecondStep(tenant, user);
    const { secret } = expectStatus(200, await enroll(tenant, other));
    await enrolled(tenant, user);
    refused(await confirm(tenant, other, codeOf(secret)), 'STEP_NOT_NEEDED');
    refused(await proveSecondFactor(tenant, 'totp', other, '000000'), 'STEP_NOT_NEEDED');
  });

  test('The login first requires a code to a verified address, if the tenant can send one', async () => {
    const messaging = { email: { smtp_host: 'mail.example.com', from_address: 'id@example.com' } };
    const { tenant, user, admin } = await strict('enroll-mailbox');
    const verify = 'UPDATE user_identifiers SET verified = true WHERE user_id = $1';
    await keywright.database.query(verify, [user.user.id]);
    assert.deepEqual(stepsOf(await startSecondStep(tenant, user)), ['enroll']);
    const path = `/tenants/${tenant.id}`;
    const body = { messaging };
    expectStatus(200, await tenant.request('PATCH', path, { token: admin, body }));
    const flow = await startSecondStep(tenant, user);
    assert.deepEqual(stepsOf(flow), ['message']);
    refused(await enroll(tenant, flow), 'STEP_NOT_NEEDED');
    refused(await confirm(tenant, flow, '000000'), 'STEP_NOT_NEEDED');
  });

  test('A user cannot remove the last second factor', async () => {
    const { tenant, user } = await strict('enroll-last');
    const { answer } = await enrolled(tenant, user);
    const path = `/me/factors/${answer.factor.id}`;
    const token = answer.access_token ?? '';
    refused(await tenant.request('DELETE', path, { token }), 'FACTOR_REQUIRED');
  });

  test('The factor is recorded, and its secret is not stored before it is confirmed', async () => {
    const { tenant, user } = await strict('enroll-stored');
    const flow = await startSecondStep(tenant, user);
    const { secret } = expectStatus(200, await enroll(tenant, flow));
    const ofUser = () =>
      keywright.database.query('SELECT FROM user_factors WHERE user_id = $1', [user.user.id]);
    assert.equal((await ofUser()).length, 0);
    const { factor } = expectStatus(200, await confirm(tenant, flow, codeOf(secret)));
    assert.equal((await ofUser()).length, 2);
    const entries = await keywright.database.query<{ action: string }>(
      "SELECT action FROM audit_entries WHERE tenant_id = $1 AND details ->> 'user_id' = $2 ORDER BY id",
      [tenant.id, user.user.id],
    );
    const added = entries.filter(({ action }) => action === 'factor.added');
    assert.equal(added.length, 2, factor.id);
  });
});

describe('a tenant that requires a second factor because of a role', () => {
  test('A required role demands a second factor of all users who hold its scopes, and of no others', async () => {
    const { tenant, user, admin } = await strict('enroll-role', {});
    const scopes = ['read:users', 'write:users'];
    const role = { token: admin, body: { name: 'support', scopes } };
    expectStatus(201, await tenant.request('POST', '/roles', role));
    const wider = { token: admin, body: { name: 'wider', scopes: ['*:users'] } };
    expectStatus(201, await tenant.request('POST', '/roles', wider));
    const less = { token: admin, body: { name: 'less', scopes: ['read:users'] } };
    expectStatus(201, await tenant.request('POST', '/roles', less));
    const created = (roles: string[]) => tenant.createUser({ roles });
    const demanded = [
      await created(['support']),
      await created(['wider']),
      await created(['admin']),
    ];
    const others = [user, await created(['less']), await created([])];
    const body = { config: { require_mfa_role: 'support' } };
    const path = `/tenants/${tenant.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token: admin, body }));
    for (const outsider of others) await tenant.login(outsider.identifier, outsider.password);
    for (const holder of demanded) {
      assert.deepEqual(stepsOf(await startSecondStep(tenant, holder)), ['enroll']);
      await enrolled(tenant, holder);
    }
    await tenant.login(newIdentifier(), newPassword(), { extra: { register: true } });
    for (const query of ['', '?force=true']) {
      refused(await tenant.request('DELETE', `/roles/support${query}`, { token: admin }), 'IN_USE');
    }
  });

  test('A required role also demands a second factor of new users who hold its scopes', async () => {
    const { tenant } = await strict('enroll-member', { require_mfa_role: 'member' });
    const body = { identifier: newIdentifier(), secret: newPassword(), register: true };
    const answer = await tenant.request<ErrorBody>('POST', '/auth/login', { body });
    refused(answer, 'MFA_REQUIRED');
  });

  test('An unknown role cannot be required', async () => {
    const { tenant, admin: token } = await strict('enroll-unknown', {});
    const path = `/tenants/${tenant.id}`;
    const body = { config: { require_mfa_role: 'unknown' } };
    for (const query of ['', '?dry_run=true']) {
      const answer = await tenant.request<ErrorBody>('PATCH', `${path}${query}`, { token, body });
      assert.equal(expectStatus(400, answer).errors?.[0]?.path, '/config/require_mfa_role');
    }
    const owner = await keywright.adminToken();
    const made = { token: owner, body: { name: 'Made', slug: 'made', config: body.config } };
    refused(await keywright.home.request('POST', '/tenants', made), 'VALIDATION_FAILED');
  });
});
