import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import { importPrivateKey, newSignatureKey, signToken } from '../../../platform/crypto/jws.ts';

type Refreshed = Answer<TokenAnswer & ErrorBody>;

const DAY_SECONDS = 86_400;

let keywright: Keywright;
let tenant: TestTenant;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('refresh', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

function tenantWith(config: Partial<TenantConfig>): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`refresh-${tenants}`, { config });
}

function logIn(at: TestTenant = tenant): Promise<TokenAnswer> {
  return at.login(newIdentifier(), newPassword(), { extra: { register: true } });
}

function refresh(token: string, at: TestTenant = tenant, node = 0): Promise<Refreshed> {
  return at.request('POST', '/auth/refresh', { node, body: { refresh_token: token } });
}

async function refreshed(token: string, at: TestTenant = tenant): Promise<TokenAnswer> {
  return expectStatus(200, await refresh(token, at));
}

async function assertRefused(
  token: string,
  code: 'TOKEN_INVALID' | 'REFRESH_TOKEN_REUSED' | 'TENANT_MISMATCH',
  at: TestTenant = tenant,
): Promise<void> {
  const answer = await refresh(token, at);
  assert.equal(`${answer.status} ${answer.body.code}`, `401 ${code}`);
}

async function statusOfMe(token: string, at: TestTenant = tenant): Promise<number> {
  return (await at.request('GET', '/me', { token })).status;
}

describe('a refresh', () => {
  test('A refresh returns new tokens that replace the old ones (SPEC endpoints auth 3, SPEC states refresh token 2, SPEC authentication 3, SPEC service 3)', async () => {
    const login = await logIn();
    keywright.clock.advance(10);
    const next = await refreshed(login.refresh_token);
    // A device is recorded at the login.
    const expected = Object.keys(login).filter((name) => name !== 'device_token');
    assert.deepEqual(Object.keys(next).toSorted(), expected.toSorted());
    assert.deepEqual(next.user, login.user);
    assert.equal(next.expires_in, 3600);
    assert.notEqual(next.refresh_token, login.refresh_token);
    assert.notEqual(next.access_token, login.access_token);
    const [then, now] = [claimsOf(login.access_token), claimsOf(next.access_token)];
    assert.equal(now.iat - then.iat, 10);
    assert.notEqual(now.jti, then.jti);
    for (const name of ['sub', 'sid', 'workspace_id', 'tenant_id', 'aud', 'iss'] as const) {
      assert.equal(now[name], then[name], name);
    }
    // RFC 9068 §2.2.1: these claims describe the login, however often it is refreshed.
    const authenticated = { auth_time: then.iat, acr: 'aal1', amr: ['pwd'] };
    for (const { auth_time, acr, amr } of [then, now]) {
      assert.deepEqual({ auth_time, acr, amr }, authenticated);
    }
    assert.equal(await statusOfMe(next.access_token), 200);
    await refreshed(next.refresh_token);
  });

  test('A refresh requires no bearer token, and ignores an expired one', async () => {
    const { access_token, refresh_token } = await logIn();
    keywright.clock.advance(3600 + 11);
    assert.equal(await statusOfMe(access_token), 401);
    const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', {
      token: access_token,
      body: { refresh_token },
    });
    assert.equal(await statusOfMe(expectStatus(200, answer).access_token), 200);
  });

  test('A refresh returns the current roles and identifiers of the user', async () => {
    const { user, refreshToken } = await tenant.createUser();
    const patch = { roles: ['admin'], identifiers: [{ identifier: newIdentifier() }] };
    const options = { token: await tenant.adminToken(), body: patch };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
    const next = await refreshed(refreshToken);
    assert.deepEqual(claimsOf(next.access_token).roles, ['admin']);
    assert.deepEqual(claimsOf(next.access_token).scopes, ['*:*']);
    assert.equal(next.user.identifiers[0]?.identifier, patch.identifiers[0]?.identifier);
  });

  test('A refresh rejects anything but a refresh token of this tenant', async () => {
    const { access_token, refresh_token } = await logIn();
    await assertRefused(access_token, 'TOKEN_INVALID');
    await assertRefused('not.a.token', 'TOKEN_INVALID');
    const other = await tenantWith({});
    await assertRefused(refresh_token, 'TENANT_MISMATCH', other);
    await refreshed(refresh_token);
  });
});

describe('a refresh token that is used again', () => {
  test('A refresh token used again within 30 seconds yields the same successor, byte for byte, on every node', async () => {
    const { refresh_token } = await logIn();
    const first = await refreshed(refresh_token);
    keywright.clock.advance(29);
    for (const node of [1, 0]) {
      const again = expectStatus(200, await refresh(refresh_token, tenant, node));
      assert.equal(again.refresh_token, first.refresh_token);
      assert.equal(await statusOfMe(again.access_token), 200);
    }
    await refreshed(first.refresh_token);
  });

  test('A refresh token used again after 30 seconds ends the whole session', async () => {
    const login = await logIn();
    const next = await refreshed(login.refresh_token);
    keywright.clock.advance(31);
    await assertRefused(login.refresh_token, 'REFRESH_TOKEN_REUSED');
    await assertSessionIsOver([login, next]);
  });

  test('A refresh token used again after its successor was used ends the whole session', async () => {
    const login = await logIn();
    const next = await refreshed(login.refresh_token);
    const newest = await refreshed(next.refresh_token);
    await assertRefused(login.refresh_token, 'REFRESH_TOKEN_REUSED');
    await assertSessionIsOver([login, next, newest]);
  });

  /** Asserts that both tokens of each response are invalid and that the reason is stored. */
  async function assertSessionIsOver(answers: readonly TokenAnswer[]): Promise<void> {
    for (const { access_token, refresh_token } of answers) {
      assert.equal(await statusOfMe(access_token), 401);
      await assertRefused(refresh_token, 'TOKEN_INVALID');
    }
    const sid = claimsOf(answers[0]?.access_token ?? '').sid;
    const rows = await keywright.database.query<{ is_active: boolean; end_reason: string }>(
      'SELECT is_active, end_reason FROM sessions WHERE id = $1',
      [sid],
    );
    assert.deepEqual(rows, [{ is_active: false, end_reason: 'refresh_token_reused' }]);
  }

  test('A reused refresh token ends no other session of the user', async () => {
    const { identifier, password, token, refreshToken } = await tenant.createUser();
    const other = await tenant.login(identifier, password);
    await refreshed((await refreshed(refreshToken)).refresh_token);
    await assertRefused(refreshToken, 'REFRESH_TOKEN_REUSED');
    assert.equal(await statusOfMe(token), 401);
    assert.equal(await statusOfMe(other.access_token), 200);
    await refreshed(other.refresh_token);
  });

  test('A reused refresh token is rejected immediately if the tenant configures no retry window', async () => {
    const strict = await tenantWith({ refresh_retry_window: 0 });
    const login = await logIn(strict);
    const next = await refreshed(login.refresh_token, strict);
    await assertRefused(login.refresh_token, 'REFRESH_TOKEN_REUSED', strict);
    await assertRefused(next.refresh_token, 'TOKEN_INVALID', strict);
  });
});

describe('a forged refresh token', () => {
  const forgeries = {
    'signed by another key': (token: string) => {
      const { privateKey } = newSignatureKey();
      const key = { kid: headerOf(token).kid, privateKey: importPrivateKey(privateKey) };
      return signToken(key, 'rt+jwt', claimsOf(token));
    },
    'with another jti under the old signature': (token: string) => {
      const [header = '', , signature = ''] = token.split('.');
      const claims = { ...claimsOf(token), jti: 'AAAAAAAAAAAAAAAAAAAAAA' };
      return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
    },
    'under an unknown key': (token: string) => {
      const { privateKey } = newSignatureKey();
      const kid = 'key_01jdq3xaaaaaaaaaaaaaaaaaaa';
      return signToken(
        { kid, privateKey: importPrivateKey(privateKey) },
        'rt+jwt',
        claimsOf(token),
      );
    },
  };
  for (const [kind, forge] of Object.entries(forgeries)) {
    test(`${kind}, is rejected and does not affect the session`, async () => {
      const { access_token, refresh_token } = await logIn();
      await assertRefused(forge(refresh_token), 'TOKEN_INVALID');
      const next = await refreshed(refresh_token);
      await assertRefused(forge(refresh_token), 'TOKEN_INVALID');
      assert.equal(await statusOfMe(access_token), 200);
      await refreshed(next.refresh_token);
    });
  }
});

describe('the lifetime of a refresh token', () => {
  test('The lifetime of a refresh token is 30 days unless the tenant configures otherwise (SPEC limits 2, SPEC resources tenant config 6)', async () => {
    const usual = await logIn();
    const { iat, exp } = claimsOf(usual.refresh_token);
    assert.equal(exp - iat, 2_592_000);
    const other = await tenantWith({ refresh_token_ttl: 600 });
    const [early, late] = [await logIn(other), await logIn(other)];
    keywright.clock.advance(599);
    await refreshed(early.refresh_token, other);
    keywright.clock.advance(1);
    await assertRefused(late.refresh_token, 'TOKEN_INVALID', other);
    keywright.clock.advance(30 * DAY_SECONDS - 601);
    await refreshed(usual.refresh_token);
  });

  test('The lifetime of a refresh token restarts with each use, until the session has reached its end', async () => {
    const other = await tenantWith({ refresh_token_ttl: 600, refresh_token_absolute_ttl: 1500 });
    let { refresh_token } = await logIn(other);
    for (let use = 0; use < 2; use += 1) {
      keywright.clock.advance(590);
      ({ refresh_token } = await refreshed(refresh_token, other));
    }
    const { iat, exp } = claimsOf(refresh_token);
    assert.equal(exp - iat, 1500 - 2 * 590, 'the last one ends with the session');
    keywright.clock.advance(319);
    const last = await refreshed(refresh_token, other);
    assert.equal(last.expires_in, 1, 'nor does an access token outlive the session');
    keywright.clock.advance(1);
    await assertRefused(last.refresh_token, 'TOKEN_INVALID', other);
  });

  test('The lifetime of a refresh token ends 90 days after the login, however often it was used', async () => {
    let { refresh_token } = await logIn();
    for (let use = 0; use < 3; use += 1) {
      keywright.clock.advance(29 * DAY_SECONDS);
      ({ refresh_token } = await refreshed(refresh_token));
    }
    keywright.clock.advance(3 * DAY_SECONDS - 1);
    ({ refresh_token } = await refreshed(refresh_token));
    keywright.clock.advance(1);
    await assertRefused(refresh_token, 'TOKEN_INVALID');
  });
});

test('The database stores only the hash and state of a refresh token (SPEC resources session 4, SPEC states refresh token 1)', async () => {
  const { refresh_token, access_token } = await logIn();
  const next = await refreshed(refresh_token);
  const { sid } = claimsOf(access_token);
  const [row] = await keywright.database.query<{ text: string; refresh_hash: Buffer }>(
    'SELECT row_to_json(s)::text AS text, refresh_hash FROM sessions s WHERE id = $1',
    [sid],
  );
  assert.equal(row?.refresh_hash.length, 32);
  for (const token of [refresh_token, next.refresh_token]) {
    const [, , signature = 'missing'] = token.split('.');
    assert.equal(row?.text.includes(signature), false);
    assert.equal(row?.text.includes(claimsOf(token).jti), false);
  }
  expectStatus(
    200,
    await tenant.request('DELETE', `/sessions/${sid}`, { token: next.access_token }),
  );
  await assertRefused(next.refresh_token, 'TOKEN_INVALID');
});
