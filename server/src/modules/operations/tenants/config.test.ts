import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { TenantConfig } from '@keywright/contract/records/tenant';
import type { UserRecord } from '@keywright/contract/records/user';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

const NODES = [0, 1];
/** The maximum clock skew. */
const SKEW_SECONDS = 10;

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length, clock: 'fake' });
});

after(() => keywright.close());

/** A tenant of its own for each test; its logins are not throttled unless the test is about that. */
function tenantWith(config: Partial<TenantConfig> = {}): Promise<TestTenant> {
  tenants += 1;
  const calm = { login_attempts_limit: 10_000 };
  return keywright.tenant(`config-${tenants}`, { config: { ...calm, ...config } });
}

type LoggedIn = Answer<TokenAnswer & ErrorBody>;

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

function attempt(
  tenant: TestTenant,
  identifier: string,
  secret: string,
  options: { node?: number; register?: boolean; name?: string } = {},
): Promise<LoggedIn> {
  const { node = 0, ...rest } = options;
  const body = { identifier, secret, ...rest };
  return tenant.request('POST', '/auth/login', { node, body });
}

function register(tenant: TestTenant, secret = newPassword()): Promise<LoggedIn> {
  return attempt(tenant, newIdentifier(), secret, { register: true });
}

function refresh(tenant: TestTenant, token: string, node = 0): Promise<LoggedIn> {
  return tenant.request('POST', '/auth/refresh', { node, body: { refresh_token: token } });
}

async function statusOfMe(tenant: TestTenant, token: string, node = 0): Promise<number> {
  return (await tenant.request('GET', '/me', { token, node })).status;
}

/** Changes a setting through the API, and waits until every node acts by it. */
async function change(
  tenant: TestTenant,
  config: Partial<TenantConfig>,
  isInForce: (node: number) => Promise<boolean>,
): Promise<void> {
  const token = await keywright.adminToken();
  const options = { token, body: { config } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, options));
  for (const node of NODES) await until('it is in force', () => isInForce(node), 1000);
}

/** Bypasses the API, which rejects settings that prevent every login: a later version may have stored them. */
async function store(
  { id }: TestTenant,
  config: Partial<TenantConfig>,
  isInForce: (node: number) => Promise<boolean>,
): Promise<void> {
  await keywright.database.query('UPDATE tenants SET config = config || $2 WHERE tenant_id = $1', [
    id,
    config,
  ]);
  for (const node of NODES) await until('it is in force', () => isInForce(node), 1000);
}

test('allowed_login_methods: no one can log in or register with a password without that method (SPEC resources tenant config 1)', async () => {
  const tenant = await tenantWith();
  const { identifier, password, token } = await tenant.createUser();
  const refusal = async (node: number) =>
    says(await attempt(tenant, identifier, password, { node }));
  await store(
    tenant,
    { allowed_login_methods: ['magic_link', 'oauth', 'passkey'] },
    async (node) => (await refusal(node)) === '401 INVALID_CREDENTIALS',
  );
  assert.equal(says(await register(tenant)), '401 INVALID_CREDENTIALS');
  assert.equal(await statusOfMe(tenant, token), 200);
  await change(
    tenant,
    { allowed_login_methods: ['password'] },
    async (node) => (await refusal(node)) === '200',
  );
});

test('require_mfa: a correct password is not sufficient, and a wrong one discloses nothing (SPEC resources tenant config 2)', async () => {
  const tenant = await tenantWith();
  const { identifier, password } = await tenant.createUser();
  await store(
    tenant,
    { require_mfa: true },
    async (node) =>
      says(await attempt(tenant, identifier, password, { node })) === '401 MFA_REQUIRED',
  );
  const wrong = await attempt(tenant, identifier, newPassword());
  const unknown = await attempt(tenant, newIdentifier(), password);
  assert.deepEqual([says(wrong), wrong.text], ['401 INVALID_CREDENTIALS', unknown.text]);
  assert.equal((await attempt(tenant, identifier, password)).body.access_token, undefined);
  assert.equal(says(await register(tenant)), '401 MFA_REQUIRED');
});

test('require_mfa_role: a user who holds the scopes of the role needs a second factor', async () => {
  const tenant = await tenantWith();
  const [administrator, member] = [
    await tenant.createUser({ roles: ['admin'] }),
    await tenant.createUser(),
  ];
  const attempted = (user: TestUser, node: number) =>
    attempt(tenant, user.identifier, user.password, { node });
  await change(
    tenant,
    { require_mfa_role: 'admin' },
    async (node) => says(await attempted(administrator, node)) === '401 MFA_REQUIRED',
  );
  expectStatus(200, await attempted(member, 0));
});

test('password_min_length: a new password has at least this many characters (SPEC resources tenant config 3)', async () => {
  const tenant = await tenantWith({ password_min_length: 20 });
  const [short, long] = ['kestrel-over-harbou', 'kestrel-over-harbour'];
  const refused = await register(tenant, short);
  assert.equal(says(refused), '400 VALIDATION_FAILED');
  assert.equal(refused.body.errors?.[0]?.path, '/secret');
  expectStatus(200, await register(tenant, long));
  const token = await tenant.adminToken();
  for (const [password, status] of [
    [short, 400],
    [long, 201],
  ] as const) {
    const body = { identifier: newIdentifier(), password };
    expectStatus(status, await tenant.request('POST', '/users', { token, body }));
  }
  await change(
    tenant,
    { password_min_length: 19 },
    async () => (await register(tenant, short)).status === 200,
  );
});

test('password_require_special: a new password has a character beyond letters and digits (SPEC resources tenant config 4)', async () => {
  const tenant = await tenantWith({ password_require_special: true });
  assert.equal(says(await register(tenant, 'kestreloverharbour7')), '400 VALIDATION_FAILED');
  expectStatus(200, await register(tenant, 'kestrel over harbour!'));
  expectStatus(200, await register(await tenantWith(), 'kestreloverharbour7'));
});

test('session_timeout: an access token expires after this many seconds (SPEC resources tenant config 5, SPEC limits 1)', async () => {
  const tenant = await tenantWith({ session_timeout: 120 });
  const login = expectStatus(200, await register(tenant));
  const { iat, exp } = claimsOf(login.access_token);
  assert.deepEqual([login.expires_in, exp - iat], [120, 120]);
  keywright.clock.advance(119);
  assert.equal(await statusOfMe(tenant, login.access_token), 200);
  const next = expectStatus(200, await refresh(tenant, login.refresh_token));
  keywright.clock.advance(1 + SKEW_SECONDS);
  assert.equal(await statusOfMe(tenant, login.access_token), 401);
  assert.equal(await statusOfMe(tenant, next.access_token), 200);
  await change(
    tenant,
    { session_timeout: 60 },
    async () => expectStatus(200, await register(tenant)).expires_in === 60,
  );
});

test('refresh_token_ttl: each refresh token expires after this many seconds (SPEC resources tenant config 6, SPEC limits 2)', async () => {
  const tenant = await tenantWith({ refresh_token_ttl: 600 });
  let token = expectStatus(200, await register(tenant)).refresh_token;
  for (let use = 0; use < 3; use += 1) {
    keywright.clock.advance(599);
    token = expectStatus(200, await refresh(tenant, token, use % 2)).refresh_token;
  }
  keywright.clock.advance(601);
  assert.equal(says(await refresh(tenant, token)), '401 TOKEN_INVALID');
});

test('refresh_token_absolute_ttl: a session ends after this many seconds, however often it was refreshed', async () => {
  const tenant = await tenantWith({ refresh_token_ttl: 600, refresh_token_absolute_ttl: 1000 });
  const login = expectStatus(200, await register(tenant));
  keywright.clock.advance(590);
  const next = expectStatus(200, await refresh(tenant, login.refresh_token));
  assert.equal(next.expires_in, 410, 'no token outlives its session');
  keywright.clock.advance(409);
  const last = expectStatus(200, await refresh(tenant, next.refresh_token));
  keywright.clock.advance(1);
  assert.equal(says(await refresh(tenant, last.refresh_token)), '401 TOKEN_INVALID');
  keywright.clock.advance(SKEW_SECONDS);
  assert.equal(await statusOfMe(tenant, last.access_token), 401);
});

describe('refresh_retry_window', () => {
  test('A used refresh token yields the same successor for refresh_retry_window seconds', async () => {
    const tenant = await tenantWith({ refresh_retry_window: 5 });
    const { refresh_token: token } = expectStatus(200, await register(tenant));
    const next = expectStatus(200, await refresh(tenant, token));
    keywright.clock.advance(4);
    const again = expectStatus(200, await refresh(tenant, token, 1));
    assert.equal(again.refresh_token, next.refresh_token);
    keywright.clock.advance(2);
    assert.equal(says(await refresh(tenant, token)), '401 REFRESH_TOKEN_REUSED');
  });

  test('A refresh_retry_window of 0 makes every second use of a refresh token a reuse', async () => {
    const tenant = await tenantWith({ refresh_retry_window: 0 });
    const { refresh_token: token } = expectStatus(200, await register(tenant));
    expectStatus(200, await refresh(tenant, token));
    assert.equal(says(await refresh(tenant, token, 1)), '401 REFRESH_TOKEN_REUSED');
  });
});

test('login_attempts_limit and login_attempts_window: this many failures in this many seconds (SPEC resources tenant config 7, SPEC limits 5)', async () => {
  const tenant = await tenantWith({ login_attempts_limit: 3, login_attempts_window: 100 });
  const identifier = newIdentifier();
  for (let failure = 0; failure < 3; failure += 1) {
    expectStatus(401, await attempt(tenant, identifier, newPassword(), { node: failure % 2 }));
  }
  keywright.clock.advance(99);
  const refused = await attempt(tenant, identifier, newPassword());
  assert.equal(says(refused), '429 TOO_MANY_ATTEMPTS');
  assert.equal(refused.headers['retry-after'], '1');
  keywright.clock.advance(1);
  expectStatus(401, await attempt(tenant, identifier, newPassword()));
  // The settings of one tenant do not affect another.
  const other = await tenantWith({ login_attempts_limit: 4, login_attempts_window: 100 });
  for (const status of [401, 401, 401, 401, 429]) {
    expectStatus(status, await attempt(other, identifier, newPassword()));
  }
});

test('allow_registration: no one gets an account by logging in without it, and existing users can log in', async () => {
  const tenant = await tenantWith({ allow_registration: true });
  const { identifier, password } = await tenant.createUser();
  await change(
    tenant,
    { allow_registration: false },
    async (node) =>
      says(await attempt(tenant, newIdentifier(), newPassword(), { node, register: true })) ===
      '401 INVALID_CREDENTIALS',
  );
  const refused = await register(tenant);
  assert.equal(refused.text, (await attempt(tenant, identifier, newPassword())).text);
  expectStatus(200, await attempt(tenant, identifier, password, { register: true }));
  const token = await tenant.adminToken();
  const body = { identifier: newIdentifier(), password: newPassword() };
  expectStatus(201, await tenant.request('POST', '/users', { token, body }));
});

test('audience: it is `aud` of access tokens, and a token for another one is rejected', async () => {
  const tenant = await tenantWith();
  const login = expectStatus(200, await register(tenant));
  const { iss, aud } = claimsOf(login.access_token);
  assert.equal(aud, iss);
  await change(
    tenant,
    { audience: 'https://api.example.com' },
    async (node) => (await statusOfMe(tenant, login.access_token, node)) === 401,
  );
  const next = expectStatus(200, await refresh(tenant, login.refresh_token));
  assert.equal(claimsOf(next.access_token).aud, 'https://api.example.com');
  assert.equal(claimsOf(next.access_token).iss, iss);
  for (const node of NODES) assert.equal(await statusOfMe(tenant, next.access_token, node), 200);
  await change(
    tenant,
    { audience: null },
    async (node) => (await statusOfMe(tenant, login.access_token, node)) === 200,
  );
});

test('mfa_methods: users add these during a login, and keep what they have', async () => {
  const tenant = await tenantWith();
  const { identifier, password: secret, token: userToken } = await tenant.createUser();
  const set = async (config: Partial<TenantConfig>) => {
    const options = { token: await tenant.adminToken(), body: { config } };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, options));
  };
  const needs = async () => {
    const options = { body: { identifier, secret } };
    return (await tenant.request<ErrorBody>('POST', '/auth/login', options)).body.flow?.needs;
  };
  await set({ require_mfa: true, mfa_methods: ['totp'] });
  assert.deepEqual(await needs(), [{ step: 'enroll', methods: ['totp'] }]);
  await enrollTotp(tenant, userToken, keywright.clock);
  await set({ mfa_methods: ['passkey'] });
  assert.deepEqual(await needs(), [{ step: 'totp' }, { step: 'recovery_code' }]);
});

test('registration_name: a registration without a name is rejected alike for known and unknown identifiers, and a name changes no existing user', async () => {
  const tenant = await tenantWith({ registration_name: 'required' });
  const [identifier, password] = [newIdentifier(), newPassword()];
  const registering = (as: string, more: { name?: string } = {}) =>
    attempt(tenant, as, password, { register: true, ...more });
  expectStatus(200, await registering(identifier, { name: ' Ada  Lovelace ' }));
  const rejected = await registering(newIdentifier());
  assert.equal(says(rejected), '400 VALIDATION_FAILED');
  assert.equal((await registering(identifier)).text, rejected.text);
  for (const known of [identifier, newIdentifier()]) {
    const flow = { body: { identifier: known, register: true } };
    assert.equal(says(await tenant.request('POST', '/auth/flows', flow)), '400 VALIDATION_FAILED');
  }
  // A flow without an identifier leads to a provider, which has a name of the user.
  expectStatus(201, await tenant.request('POST', '/auth/flows', { body: { register: true } }));
  const again = await registering(identifier, { name: 'Mallory' });
  const { access_token: token } = expectStatus(200, again);
  const me = await tenant.request<UserRecord>('GET', '/me', { token });
  assert.equal(expectStatus(200, me).name, 'Ada Lovelace');
});

test('Every setting has a test of its effect, whose title starts with its name', () => {
  const tests = [
    import.meta.filename,
    join(import.meta.dirname, '../../authentication/passwords/breached-passwords.test.ts'),
    join(import.meta.dirname, '../../authentication/login/imported-passwords.test.ts'),
    join(import.meta.dirname, '../../authentication/login/throttle.test.ts'),
    join(import.meta.dirname, '../../authentication/mailboxes/mailboxes.test.ts'),
    join(import.meta.dirname, '../../events/messages/notices.test.ts'),
    join(import.meta.dirname, '../../events/messages/sms-limits.test.ts'),
    join(import.meta.dirname, '../../authentication/mailboxes/verification-required.test.ts'),
    join(import.meta.dirname, '../../events/messages/templates.test.ts'),
    join(import.meta.dirname, '../../authentication/upstream-logins/upstream-logins.test.ts'),
    join(import.meta.dirname, '../../identity/factors/factors.test.ts'),
    join(import.meta.dirname, '../../identity/factors/passkeys.test.ts'),
    join(import.meta.dirname, '../../oauth/authorize/authorization-settings.test.ts'),
    join(import.meta.dirname, '../../oauth/authorize/pushed-requests.test.ts'),
    join(import.meta.dirname, '../../oauth/clients/documents.test.ts'),
    join(import.meta.dirname, '../../oauth/clients/unusable-documents.test.ts'),
    join(import.meta.dirname, '../../oauth/registration/open-registration.test.ts'),
    join(import.meta.dirname, '../../oauth/authorize/oauth-disabled.test.ts'),
    join(import.meta.dirname, '../../oauth/token-endpoint/dpop-nonces.test.ts'),
    join(import.meta.dirname, '../../oauth/clients/profile.test.ts'),
    join(import.meta.dirname, '../../identity/me/deletion.test.ts'),
    join(import.meta.dirname, '../../pages/console/console.test.ts'),
    join(import.meta.dirname, '../../tokens/sessions/custom-claims.test.ts'),
    join(import.meta.dirname, '../../../../../tests/conformance/browser-app.test.ts'),
  ]
    .map((file) => readFileSync(file, 'utf8'))
    .join();
  const names = [...tests.matchAll(/^\s*(?:test|describe)\('([^']+)'/gm)].map(([, title]) => title);
  for (const setting of Object.keys(TenantConfig.properties)) {
    const isTested = names.some((title) => title?.split(/ and |[: ]/).includes(setting));
    assert.ok(isTested, `the setting ${setting} has none`);
  }
});
