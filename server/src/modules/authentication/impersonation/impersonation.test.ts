import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase } from '@keywright/tests/harness/database';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { startServerProcess } from '@keywright/tests/harness/process';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const NODES = [0, 1];
const LONGEST_SECONDS = 15 * 60;

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length, clock: 'fake' });
  tenant = await keywright.tenant('impersonated');
  other = await keywright.tenant('other');
});

after(() => keywright.close());

interface ImpersonationAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly tenant_id: string;
}

function requestImpersonation(
  token: string,
  body: object = { tenant_id: tenant.id, reason: 'support ticket 7' },
  at: TestTenant = keywright.home,
): Promise<Answer<ImpersonationAnswer & ErrorBody>> {
  return at.request('POST', '/auth/impersonate', { token, body });
}

async function impersonate(token: string, to: TestTenant = tenant): Promise<string> {
  const body = { tenant_id: to.id, reason: 'support ticket 7' };
  return expectStatus(200, await requestImpersonation(token, body)).access_token;
}

/** Another system administrator. */
function systemAdministrator(): Promise<TestUser> {
  return keywright.createUser({ roles: ['system_admin'] });
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

async function assertWorks(token: string, at: TestTenant = tenant): Promise<void> {
  for (const node of NODES) {
    expectStatus(200, await at.request('GET', '/users', { node, token }));
  }
}

async function assertRefused(token: string, code = 'TOKEN_INVALID', at = tenant): Promise<void> {
  for (const node of NODES) {
    const answer = await at.request<ErrorBody>('GET', '/users', { node, token });
    assert.equal(says(answer), `401 ${code}`, `node ${node}`);
  }
}

describe('an impersonation token', () => {
  test("An impersonation token has the rights of the tenant's administrator there, and is valid nowhere else", async () => {
    const token = await impersonate(await keywright.adminToken());
    await assertWorks(token);
    await assertRefused(token, 'TENANT_MISMATCH', other);
    await assertRefused(token, 'TENANT_MISMATCH', keywright.home);
    await assertRefused(await keywright.adminToken(), 'TENANT_MISMATCH');
    const body = { identifier: newIdentifier(), password: newPassword(), roles: ['admin'] };
    const made = await tenant.request<UserRecord>('POST', '/users', { token, body });
    assert.equal(expectStatus(201, made).tenant_id, tenant.id);
    const name = { name: 'Renamed' };
    const path = `/tenants/${tenant.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: name }));
  });

  test('An impersonation token names the actor, the tenant and its expiry, and comes without a refresh token', async () => {
    const { token: adminToken, user } = await systemAdministrator();
    const answer = expectStatus(200, await requestImpersonation(adminToken));
    const { access_token: token, ...rest } = answer;
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: LONGEST_SECONDS,
      tenant_id: tenant.id,
    });
    const { iat, exp, jti: _, ver: __, status, ...claims } = claimsOf(token);
    assert.equal(status?.status_list.uri, `${claims.iss}/status/0`);
    assert.equal(exp - iat, LONGEST_SECONDS);
    assert.deepEqual(claims, {
      token_type: 'access',
      iss: `https://id.example.com/t/${tenant.id}`,
      aud: `https://id.example.com/t/${tenant.id}`,
      sub: user.id,
      act: { sub: user.id, tenant_id: 'org_default', ver: 0 },
      tenant_id: tenant.id,
      workspace_id: 'ws_default',
      roles: ['admin'],
      scopes: ['*:*'],
      scope: '*:*',
      sid: claimsOf(adminToken).sid,
      client_id: 'keywright',
      // The administrator's authentication in the default tenant.
      auth_time: claimsOf(adminToken).auth_time,
      acr: 'aal1',
      amr: ['pwd'],
    });
    const keySet = await tenant.request<{ keys: { kid: string }[] }>(
      'GET',
      '/.well-known/jwks.json',
    );
    assert.deepEqual(
      keySet.body.keys.map((key) => key.kid),
      [headerOf(token).kid],
    );
  });

  test("An impersonation token expires after 15 minutes, or sooner if the tenant's tokens do", async () => {
    const token = await impersonate((await systemAdministrator()).token);
    keywright.clock.advance(LONGEST_SECONDS - 1);
    await assertWorks(token);
    keywright.clock.advance(1 + 10);
    await assertRefused(token);
    const brief = await keywright.tenant('brief', { config: { session_timeout: 60 } });
    const body = { tenant_id: brief.id, reason: 'support ticket 7' };
    const answer = await requestImpersonation(await keywright.adminToken(), body);
    assert.equal(expectStatus(200, answer).expires_in, 60);
  });

  test('An impersonation token does not outlive the token with which it was requested', async () => {
    const { token: adminToken } = await systemAdministrator();
    keywright.clock.advance(3600 - 100);
    const { access_token: token, expires_in: seconds } = expectStatus(
      200,
      await requestImpersonation(adminToken),
    );
    assert.deepEqual([seconds, claimsOf(token).exp], [100, claimsOf(adminToken).exp]);
  });

  test('An impersonation token is revoked with the session of the administrator', async () => {
    const { token: adminToken } = await systemAdministrator();
    const token = await impersonate(adminToken);
    await assertWorks(token);
    expectStatus(200, await keywright.home.request('POST', '/auth/logout', { token: adminToken }));
    await assertRefused(token);
  });

  const CHANGES: readonly [string, object][] = [
    ['other roles', { roles: ['admin'] }],
    ['a further role', { roles: ['system_admin', 'member'] }],
    ['another password', { password: 'kestrel over harbour' }],
    ['no access any more', { is_active: false }],
  ];
  for (const [what, change] of CHANGES) {
    test(`An impersonation token is revoked when the administrator gets ${what}`, async () => {
      const { token: adminToken, user } = await systemAdministrator();
      const token = await impersonate(adminToken);
      await assertWorks(token);
      const options = { token: await keywright.adminToken(), body: change };
      expectStatus(200, await keywright.home.request('PATCH', `/users/${user.id}`, options));
      await assertRefused(token);
    });
  }

  test('An impersonation token is revoked when the administrator is deleted', async () => {
    const { token: adminToken, user } = await systemAdministrator();
    const token = await impersonate(adminToken);
    const root = await keywright.adminToken();
    const path = `/users/${user.id}`;
    expectStatus(200, await keywright.home.request('DELETE', path, { token: root }));
    await assertRefused(token);
  });

  for (const [what, change, refusal] of [
    ['inactive', 'is_active = false', '403 TENANT_INACTIVE'],
    ['deleted', 'is_active = false, deleted_at = now()', '400 TENANT_NOT_FOUND'],
  ] as const) {
    test(`An impersonation token is revoked immediately when the tenant is made ${what}, even on a node that was not notified yet`, async () => {
      const left = await keywright.tenant(`left-${what}`);
      const token = await impersonate(await keywright.adminToken(), left);
      await assertWorks(token, left);
      // Without the triggers, no node is notified.
      await keywright.database.query(
        `BEGIN; SET LOCAL session_replication_role = replica;
         UPDATE tenants SET ${change} WHERE tenant_id = '${left.id}'; COMMIT`,
      );
      assert.equal(says(await left.request<ErrorBody>('GET', '/users', { token })), refusal);
    });
  }

  test('An impersonation token cannot be escalated: no impersonation, no other tenant, no system administration', async () => {
    const refused = '403 SYSTEM_ADMINISTRATOR_REQUIRED';
    const root = await keywright.adminToken();
    for (const at of [tenant, keywright.home]) {
      const token = await impersonate(root, at);
      for (const to of [other, tenant, keywright.home]) {
        const body = { tenant_id: to.id, reason: 'further' };
        assert.equal(says(await requestImpersonation(token, body, at)), refused);
        assert.equal(says(await at.request('DELETE', `/tenants/${to.id}`, { token })), refused);
        const path = `/users?tenant_id=${to.id}`;
        const expected = to === at ? '200' : refused;
        assert.equal(says(await at.request('GET', path, { token })), expected);
      }
      assert.equal(says(await at.request('GET', '/tenants', { token })), refused);
      for (const body of [{ domains: [] }, { is_active: true }, { issuer: null }]) {
        const path = `/tenants/${at.id}`;
        assert.equal(says(await at.request('PATCH', path, { token, body })), refused);
      }
      const grant = {
        identifier: newIdentifier(),
        password: newPassword(),
        roles: ['system_admin'],
      };
      const made = await at.request<ErrorBody>('POST', '/users', { token, body: grant });
      assert.match(says(made), /^(403 SCOPE_NOT_HELD|400 ROLE_UNKNOWN)$/);
    }
  });

  test("An impersonation token belongs to no user: /me and logout reject it, and the administrator's session stays active", async () => {
    const { token: adminToken } = await systemAdministrator();
    const token = await impersonate(adminToken);
    for (const [method, path, body] of [
      ['GET', '/me'],
      ['PATCH', '/me', { user_metadata: {} }],
      ['POST', '/auth/logout'],
    ] as const) {
      const options = body === undefined ? { token } : { token, body };
      const answer = await tenant.request<ErrorBody>(method, path, options);
      assert.equal(says(answer), '403 IMPERSONATION_REFUSED', `${method} ${path}`);
    }
    await assertWorks(token);
    expectStatus(200, await keywright.home.request('GET', '/me', { token: adminToken }));
  });

  test('A revoked impersonation token gets only that error at /me, even before the node was notified', async () => {
    const { token: adminToken } = await systemAdministrator();
    const token = await impersonate(adminToken);
    expectStatus(200, await keywright.home.request('POST', '/auth/logout', { token: adminToken }));
    const answer = await tenant.request<ErrorBody>('GET', '/me', { token });
    assert.equal(says(answer), '401 TOKEN_INVALID');
  });
});

describe('POST /auth/impersonate', () => {
  test('An impersonation requires a reason and a tenant', async () => {
    const token = await keywright.adminToken();
    const to = { tenant_id: tenant.id };
    for (const body of [
      to,
      { reason: 'why' },
      { ...to, reason: '' },
      { ...to, reason: 'no' },
      { ...to, reason: 'a\nb c' },
      { ...to, reason: 'x'.repeat(513) },
      { ...to, reason: 'why', scopes: ['*:*'] },
      { tenant_id: 'impersonated', reason: 'why' },
    ]) {
      assert.equal(says(await requestImpersonation(token, body)), '400 VALIDATION_FAILED');
    }
    const nowhere = { tenant_id: 'org_unknown', reason: 'support ticket 7' };
    assert.equal(says(await requestImpersonation(token, nowhere)), '404 NOT_FOUND');
  });

  test('Callers other than system administrators cannot impersonate', async () => {
    const home = await keywright.createUser({ roles: ['admin'] });
    const refused = '403 SYSTEM_ADMINISTRATOR_REQUIRED';
    for (const to of ['org_other', 'org_impersonated', 'org_default', 'org_unknown']) {
      const body = { tenant_id: to, reason: 'let me in' };
      assert.equal(says(await requestImpersonation(home.token, body)), refused);
      assert.equal(
        says(await requestImpersonation(await tenant.adminToken(), body, tenant)),
        refused,
      );
      assert.equal(
        says(await requestImpersonation((await tenant.createUser()).token, body, tenant)),
        refused,
      );
    }
    const request = { body: { tenant_id: tenant.id, reason: 'let me in' } };
    const answer = await keywright.home.request<ErrorBody>('POST', '/auth/impersonate', request);
    assert.equal(says(answer), '401 TOKEN_INVALID');
  });

  test('An impersonation is recorded with actor, target tenant and reason', async () => {
    const database = await createDatabase();
    const admin = { identifier: 'root@example.com', secret: newPassword() };
    const server = await startServerProcess({
      env: {
        KEYWRIGHT_DATABASE_URL: database.url,
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
        KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
        KEYWRIGHT_ADMIN_SECRET: admin.secret,
      },
    });
    try {
      const headers = { 'x-tenant-id': 'org_default' };
      const login = { headers, body: admin };
      const { access_token: token } = expectStatus(
        200,
        await server.http.request<TokenAnswer>('POST', '/auth/login', login),
      );
      const body = { name: 'Impersonated' };
      expectStatus(201, await server.http.request('POST', '/tenants', { headers, token, body }));
      const impersonation = { tenant_id: 'org_impersonated', reason: 'support ticket 4711' };
      const options = { headers, token, body: impersonation };
      expectStatus(200, await server.http.request('POST', '/auth/impersonate', options));
      const line = await until('the impersonation is in the log', () =>
        server.stdout.split('\n').find((text) => text.includes('support ticket 4711')),
      );
      const entry = JSON.parse(line) as Record<string, unknown>;
      assert.equal(entry['actor'], claimsOf(token).sub);
      assert.equal(entry['reason'], 'impersonate in org_impersonated: support ticket 4711');
      assert.ok(!server.stdout.includes(token));
    } finally {
      await server.interrupt();
      await database.drop();
    }
  });
});

describe('GET /users?tenant_id=', () => {
  type List = { items: UserRecord[]; meta: { total: number } };

  test('A system administrator sees the users of any tenant, filtered and paged like their own', async () => {
    const at = await keywright.tenant('looked-at');
    const [kiwi, zebra] = [
      await at.createUser({ identifier: 'kiwi@looked.example.com' }),
      await at.createUser({ identifier: 'zebra@looked.example.com' }),
    ];
    const token = await keywright.adminToken();
    const list = async (query: string) => {
      const path = `/users?tenant_id=${at.id}${query}`;
      const answer = await keywright.home.request<List>('GET', path, { token });
      return expectStatus(200, answer);
    };
    const all = await list('');
    assert.equal(all.meta.total, 3);
    assert.ok(all.items.every((user) => user.tenant_id === at.id));
    const sorted = (await list('&sort=-identifier&email=LOOKED&limit=1')).items;
    assert.deepEqual(
      sorted.map((user) => user.id),
      [zebra.user.id],
    );
    const found = (await list('&email=kiwi')).items.map((user) => user.id);
    assert.deepEqual(found, [kiwi.user.id]);
    const homeUsers = await keywright.home.request<List>('GET', '/users', { token });
    assert.ok(homeUsers.body.items.every((user) => user.tenant_id === 'org_default'));
  });

  test('The users of an unknown tenant are not found', async () => {
    const token = await keywright.adminToken();
    for (const [id, status] of [
      ['org_unknown', '404 NOT_FOUND'],
      ['unknown', '400 VALIDATION_FAILED'],
    ] as const) {
      const path = `/users?tenant_id=${id}`;
      assert.equal(says(await keywright.home.request('GET', path, { token })), status);
    }
  });

  test('Other callers see only the users of their own tenant', async () => {
    const administrators: [TestTenant, string][] = [
      [tenant, await tenant.adminToken()],
      [keywright.home, (await keywright.createUser({ roles: ['admin'] })).token],
    ];
    for (const [at, token] of administrators) {
      for (const id of ['org_other', 'org_unknown']) {
        const answer = await at.request<ErrorBody>('GET', `/users?tenant_id=${id}`, { token });
        assert.equal(says(answer), '403 SYSTEM_ADMINISTRATOR_REQUIRED');
      }
      const path = `/users?tenant_id=${at.id}`;
      const tenantUsers = expectStatus(200, await at.request<List>('GET', path, { token }));
      assert.ok(tenantUsers.items.every((user) => user.tenant_id === at.id));
    }
    const member = await tenant.createUser();
    const path = '/users?tenant_id=org_other';
    const answer = await tenant.request<ErrorBody>('GET', path, { token: member.token });
    assert.equal(says(answer), '403 SCOPE_REQUIRED');
  });
});
