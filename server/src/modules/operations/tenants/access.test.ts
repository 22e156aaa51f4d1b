import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantRecord } from '@keywright/contract/records/tenant';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const RANDOM = '/tenants/org_matches-nothing';
const SYSTEM_ONLY = [{ domains: ['taken-over.test'] }, { is_active: true }, { issuer: null }];

let keywright: Keywright;
let callerTenant: TestTenant;
let other: TestTenant;

before(async () => {
  keywright = await startKeywright();
  callerTenant = await keywright.tenant('own');
  other = await keywright.tenant('other');
});

after(() => keywright.close());

interface Who {
  readonly tenant: TestTenant;
  readonly token: string;
}

async function answerTo({ tenant, token }: Who, method: string, path: string, body?: object) {
  const answer = await tenant.request<ErrorBody>(method, path, { token, ...(body && { body }) });
  return { answer, says: `${answer.status} ${answer.body.code ?? ''}`.trim() };
}

async function recordOf(tenant: TestTenant): Promise<TenantRecord> {
  const token = await keywright.adminToken();
  const path = `/tenants/${tenant.id}`;
  return expectStatus(200, await keywright.home.request<TenantRecord>('GET', path, { token }));
}

/** Asserts that none of the five routes grants the caller the privileges of a system administrator. */
async function assertNoSystemAdministrator(who: Who): Promise<void> {
  const refused = '403 SYSTEM_ADMINISTRATOR_REQUIRED';
  assert.equal((await answerTo(who, 'GET', '/tenants')).says, refused);
  assert.equal((await answerTo(who, 'POST', '/tenants', { name: 'Mine' })).says, refused);
  for (const tenant of [callerTenant, other, keywright.home]) {
    assert.equal((await answerTo(who, 'DELETE', `/tenants/${tenant.id}`)).says, refused);
  }
}

describe('a tenant administrator', () => {
  test('A tenant administrator can read and change their own tenant (SPEC endpoints tenants 4, SPEC endpoints tenants 5)', async () => {
    const who = { tenant: callerTenant, token: await callerTenant.adminToken() };
    const read = await answerTo(who, 'GET', `/tenants/${callerTenant.id}`);
    assert.deepEqual(read.answer.body, await recordOf(callerTenant));
    const changed = await answerTo(who, 'PATCH', `/tenants/${callerTenant.id}`, {
      name: 'Renamed',
    });
    assert.equal(changed.says, '200');
    assert.equal((await recordOf(callerTenant)).name, 'Renamed');
  });

  test('A tenant administrator cannot set domains, is_active or the issuer, even to the current values', async () => {
    const earlier = await recordOf(callerTenant);
    const who = { tenant: callerTenant, token: await callerTenant.adminToken() };
    for (const body of [...SYSTEM_ONLY, { domains: earlier.domains }]) {
      const { says } = await answerTo(who, 'PATCH', `/tenants/${callerTenant.id}`, {
        name: 'X',
        ...body,
      });
      assert.equal(says, '403 SYSTEM_ADMINISTRATOR_REQUIRED', JSON.stringify(body));
    }
    assert.deepEqual(await recordOf(callerTenant), earlier);
  });

  test('A tenant administrator finds no other tenant: the response is that for an unknown id (SPEC errors 4)', async () => {
    const who = { tenant: callerTenant, token: await callerTenant.adminToken() };
    const earlier = await recordOf(other);
    const unknown = await answerTo(who, 'GET', RANDOM);
    assert.equal(unknown.says, '404 NOT_FOUND');
    const paths = [other.id, 'org_default', 'org_', 'org_no id', 'org_%00'].map(
      (id) => `/tenants/${id}`,
    );
    for (const path of paths) {
      const { answer } = await answerTo(who, 'GET', encodeURI(path));
      assert.deepEqual([answer.status, answer.text], [404, unknown.answer.text], path);
      for (const body of [{ name: 'Taken over' }, ...SYSTEM_ONLY]) {
        const change = await answerTo(who, 'PATCH', encodeURI(path), body);
        assert.equal(change.answer.text, unknown.answer.text, `${path} ${JSON.stringify(body)}`);
      }
      const dryRun = await answerTo(who, 'PATCH', `${encodeURI(path)}?dry_run=true`, { name: 'T' });
      assert.equal(dryRun.answer.text, unknown.answer.text, path);
    }
    assert.deepEqual(await recordOf(other), earlier);
  });

  test('A tenant administrator cannot list, create or delete tenants, including their own (SPEC endpoints tenants 3)', async () => {
    await assertNoSystemAdministrator({
      tenant: callerTenant,
      token: await callerTenant.adminToken(),
    });
    assert.equal((await recordOf(callerTenant)).is_active, true);
  });

  test('A tenant administrator of the default tenant is not a system administrator', async () => {
    const { token } = await keywright.createUser({ roles: ['admin'] });
    const who = { tenant: keywright.home, token };
    await assertNoSystemAdministrator(who);
    assert.equal((await answerTo(who, 'GET', `/tenants/${callerTenant.id}`)).says, '404 NOT_FOUND');
    assert.equal((await answerTo(who, 'GET', '/tenants/org_default')).says, '200');
    const { says } = await answerTo(who, 'PATCH', '/tenants/org_default', { domains: [] });
    assert.equal(says, '403 SYSTEM_ADMINISTRATOR_REQUIRED');
  });

  test("A tenant's role called system_admin does not make a tenant administrator a system administrator", async () => {
    const token = await callerTenant.adminToken();
    const body = { name: 'system_admin', scopes: ['*:*'] };
    await callerTenant.request('POST', '/roles', { token, body });
    const { user, identifier, password } = await callerTenant.createUser({ roles: ['admin'] });
    // Directly in the database: the API cannot grant such a role.
    await keywright.database.query(
      `INSERT INTO user_roles (tenant_id, user_id, role) SELECT $1, $2, 'system_admin'
        WHERE EXISTS (SELECT FROM roles WHERE tenant_id = $1 AND name = 'system_admin')`,
      [callerTenant.id, user.id],
    );
    const login = await callerTenant.login(identifier, password);
    await assertNoSystemAdministrator({ tenant: callerTenant, token: login.access_token });
  });
});

describe('a user with a custom role', () => {
  const CASES = [
    { scopes: ['read:tenant'], get: '200', patch: '403 SCOPE_REQUIRED' },
    { scopes: ['write:tenant'], get: '403 SCOPE_REQUIRED', patch: '200' },
    { scopes: ['*:tenants'], get: '403 SCOPE_REQUIRED', patch: '403 SCOPE_REQUIRED' },
  ];
  for (const [index, { scopes, get, patch }] of CASES.entries()) {
    test(`A user with a custom role with ${scopes.join()} can do with their own tenant what the role says, and no more`, async () => {
      const token = await callerTenant.adminToken();
      const role = `settings-${index}`;
      const body = { name: role, scopes };
      expectStatus(201, await callerTenant.request('POST', '/roles', { token, body }));
      const user = await callerTenant.createUser({ roles: [role] });
      const who = { tenant: callerTenant, token: user.token };
      assert.equal((await answerTo(who, 'GET', `/tenants/${callerTenant.id}`)).says, get);
      const change = await answerTo(who, 'PATCH', `/tenants/${callerTenant.id}`, {
        name: 'Renamed',
      });
      assert.equal(change.says, patch);
      await assertNoSystemAdministrator(who);
    });
  }
});

test('A member cannot read, change, create, list or delete tenants', async () => {
  const { token } = await callerTenant.createUser();
  const who = { tenant: callerTenant, token };
  for (const id of [callerTenant.id, other.id, 'org_matches-nothing']) {
    assert.equal((await answerTo(who, 'GET', `/tenants/${id}`)).says, '403 SCOPE_REQUIRED');
    const change = await answerTo(who, 'PATCH', `/tenants/${id}`, { name: 'Mine' });
    assert.equal(change.says, '403 SCOPE_REQUIRED');
  }
  await assertNoSystemAdministrator(who);
});

describe('a system administrator', () => {
  test('A system administrator can read and change every tenant', async () => {
    const who = { tenant: keywright.home, token: await keywright.adminToken() };
    for (const tenant of [callerTenant, other, keywright.home]) {
      assert.equal((await answerTo(who, 'GET', `/tenants/${tenant.id}`)).says, '200');
      const name = `Named ${tenant.id}`;
      assert.equal((await answerTo(who, 'PATCH', `/tenants/${tenant.id}`, { name })).says, '200');
      assert.equal((await recordOf(tenant)).name, name);
    }
  });

  test('A system administrator gets 404 for an unknown id, whatever the change', async () => {
    const who = { tenant: keywright.home, token: await keywright.adminToken() };
    const messaging = { email: { smtp_password: 'hush' } };
    const bodies = [{ name: 'X' }, { config: {} }, { messaging }, ...SYSTEM_ONLY];
    for (const body of bodies) {
      const { says } = await answerTo(who, 'PATCH', RANDOM, body);
      assert.equal(says, '404 NOT_FOUND', JSON.stringify(body));
    }
    assert.equal((await answerTo(who, 'GET', RANDOM)).says, '404 NOT_FOUND');
    assert.equal((await answerTo(who, 'DELETE', RANDOM)).says, '404 NOT_FOUND');
  });

  test('A system administrator cannot lock themselves or anyone out of the default tenant, nor can its administrators', async () => {
    const { token: admin } = await keywright.createUser({ roles: ['admin'] });
    for (const [token, refused] of [
      [admin, '403 SCOPE_NOT_HELD'],
      [await keywright.adminToken(), '400 VALIDATION_FAILED'],
    ] as const) {
      const who = { tenant: keywright.home, token };
      for (const config of [{ require_mfa: true }, { allowed_login_methods: ['passkey'] }]) {
        for (const path of ['/tenants/org_default', '/tenants/org_default?dry_run=true']) {
          const { says } = await answerTo(who, 'PATCH', path, { name: 'Shut', config });
          assert.equal(says, refused, JSON.stringify(config));
        }
      }
    }
    assert.notEqual((await recordOf(keywright.home)).name, 'Shut');
    await keywright.login(keywright.admin.identifier, keywright.admin.password);
  });

  test('A system administrator cannot delete or deactivate the default tenant', async () => {
    const who = { tenant: keywright.home, token: await keywright.adminToken() };
    const refused = '400 DEFAULT_TENANT_PROTECTED';
    assert.equal((await answerTo(who, 'DELETE', '/tenants/org_default')).says, refused);
    const off = { name: 'Off', is_active: false };
    assert.equal((await answerTo(who, 'PATCH', '/tenants/org_default', off)).says, refused);
    const { name, is_active: isActive } = await recordOf(keywright.home);
    assert.notEqual(name, 'Off');
    assert.equal(isActive, true);
  });
});

describe('settings that would prevent all logins', () => {
  const LOCKING: readonly (readonly [string, object, RegExp])[] = [
    ['no login method', { allowed_login_methods: [] }, /password/],
  ];
  let locked = 0;
  const patch = async ({ id }: TestTenant, config: object) => {
    const options = { token: await keywright.adminToken(), body: { config } };
    return keywright.home.request<ErrorBody>('PATCH', `/tenants/${id}`, options);
  };
  for (const [what, config, reason] of LOCKING) {
    test(`The settings that would prevent all logins are rejected with the reason, on creation of a tenant and later: ${what}`, async () => {
      const token = await keywright.adminToken();
      const body = { name: 'Locked', slug: 'locked', config };
      const path = `/config/${Object.keys(config).join('')}`;
      const tenant = await keywright.tenant(`locked-${(locked += 1)}`);
      const earlier = await recordOf(tenant);
      for (const answer of [
        await keywright.home.request<ErrorBody>('POST', '/tenants', { token, body }),
        await patch(tenant, config),
        await patch(keywright.home, config),
      ]) {
        const { code, errors } = expectStatus(400, answer);
        assert.equal(code, 'VALIDATION_FAILED');
        assert.deepEqual(
          errors?.map((error) => error.path),
          [path],
        );
        assert.match(errors?.[0]?.message ?? '', reason);
      }
      assert.deepEqual(await recordOf(tenant), earlier);
      const refused = keywright.nodes[0]?.createTenant('unknown', { ...body, config });
      await assert.rejects(async () => refused, { code: 'VALIDATION_FAILED' });
    });
  }

  test('The login methods can include a working method with planned ones, which is the default', async () => {
    const of = await keywright.tenant('planned');
    const all = ['password', 'magic_link', 'oauth', 'passkey'] as const;
    assert.deepEqual((await recordOf(of)).config.allowed_login_methods, all);
    const chosen = ['passkey', 'password'] as const;
    expectStatus(200, await patch(of, { allowed_login_methods: chosen }));
    assert.deepEqual((await recordOf(of)).config.allowed_login_methods, chosen);
  });
});
