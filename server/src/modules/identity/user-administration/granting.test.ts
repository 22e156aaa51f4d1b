import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { delegate, exchange } from '@keywright/tests/harness/delegation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});

after(() => keywright.close());

type Reply = Answer<UserRecord & ErrorBody>;

function create(at: TestTenant, token: string, roles: readonly string[]): Promise<Reply> {
  const body = { identifier: newIdentifier(), password: newPassword(), roles };
  return at.request('POST', '/users', { token, body });
}

function change(at: TestTenant, token: string, id: string, body: unknown): Promise<Reply> {
  return at.request('PATCH', `/users/${id}`, { token, body });
}

function refusal(answer: Reply): string {
  return `${answer.status} ${answer.body.code}`;
}

async function rolesOf(at: TestTenant, id: string): Promise<string[]> {
  const options = { token: await at.adminToken() };
  const answer = await at.request<UserRecord>('GET', `/users/${id}`, options);
  return expectStatus(200, answer).roles;
}

describe('a user with only read:users and write:users', () => {
  let tenant: TestTenant;
  let clerk: TestUser;

  before(async () => {
    tenant = await keywright.tenant('granting', { config: { login_attempts_limit: 10_000 } });
    await keywright.database.query(
      `INSERT INTO roles (tenant_id, name, description, scopes, created_at) VALUES
         ($1, 'clerk', '', ARRAY['read:users', 'write:users', 'read:reports'], now()),
         ($1, 'reader', '', ARRAY['read:reports'], now()),
         ($1, 'auditor', '', ARRAY['read:reports', 'read:audit'], now()),
         ($1, 'all-readers', '', ARRAY['read:*'], now())`,
      [tenant.id],
    );
    clerk = await tenant.createUser({ roles: ['clerk'] });
  });

  test('A caller can grant roles whose scopes they hold (SPEC service 8)', async () => {
    for (const roles of [['reader'], ['clerk', 'member'], []]) {
      const created = expectStatus(201, await create(tenant, clerk.token, roles));
      assert.deepEqual(created.roles, roles);
      expectStatus(200, await change(tenant, clerk.token, created.id, { roles: ['reader'] }));
    }
  });

  for (const role of ['admin', 'auditor', 'all-readers']) {
    test(`A caller with fewer scopes cannot grant ${role} to a new user, another one, or themselves`, async () => {
      const { user } = await tenant.createUser();
      const refused = [
        await create(tenant, clerk.token, ['member', role]),
        await change(tenant, clerk.token, user.id, { roles: [role] }),
        await change(tenant, clerk.token, clerk.user.id, { roles: ['clerk', role] }),
      ];
      assert.deepEqual(
        refused.map(refusal),
        Array.from({ length: 3 }, () => '403 SCOPE_NOT_HELD'),
      );
      assert.deepEqual(await rolesOf(tenant, user.id), ['member']);
      assert.deepEqual(await rolesOf(tenant, clerk.user.id), ['clerk']);
    });
  }

  test('A caller cannot change a user with more scopes', async () => {
    const boss = await tenant.createUser({ roles: ['admin'] });
    const changes = [
      { password: newPassword() },
      { is_active: false },
      { identifiers: [{ identifier: newIdentifier() }] },
      { roles: ['admin'] },
      { roles: [] },
      { metadata: { a: 1 } },
      { workspaces: [] },
    ];
    for (const body of changes) {
      const answer = await change(tenant, clerk.token, boss.user.id, body);
      assert.equal(refusal(answer), '403 SCOPE_NOT_HELD', JSON.stringify(body));
    }
    expectStatus(200, await tenant.request('GET', '/me', { token: boss.token }));
    await tenant.login(boss.identifier, boss.password);
  });

  test('A caller cannot remove a role from a user with more scopes', async () => {
    const { user } = await tenant.createUser({ roles: ['auditor', 'member'] });
    assert.equal(
      refusal(await change(tenant, clerk.token, user.id, { roles: ['member'] })),
      '403 SCOPE_NOT_HELD',
    );
  });

  test('A caller cannot delete users without delete:users', async () => {
    const { user } = await tenant.createUser();
    const answer = await tenant.request<ErrorBody>('DELETE', `/users/${user.id}`, {
      token: clerk.token,
    });
    assert.equal(expectStatus(403, answer).code, 'SCOPE_REQUIRED');
    assert.match(answer.body.detail, /delete:users/);
  });

  test('A caller cannot grant a scope that they lost: their token is rejected from then on', async () => {
    const former = await tenant.createUser({ roles: ['admin'] });
    const { user } = await tenant.createUser();
    const boss = await tenant.createUser({ roles: ['admin'] });
    const admin = await tenant.adminToken();
    expectStatus(200, await change(tenant, admin, former.user.id, { roles: ['member'] }));
    const refused = [
      await change(tenant, former.token, former.user.id, { roles: ['admin'] }),
      await change(tenant, former.token, user.id, { roles: ['admin'] }),
      await change(tenant, former.token, boss.user.id, { password: newPassword() }),
      await create(tenant, former.token, ['admin']),
    ];
    assert.deepEqual(
      refused.map(refusal),
      Array.from({ length: 4 }, () => '401 TOKEN_INVALID'),
    );
  });

  test('A caller loses removed scopes with the next token', async () => {
    const other = await tenant.createUser({ roles: ['clerk'] });
    const admin = await tenant.adminToken();
    expectStatus(200, await change(tenant, admin, other.user.id, { roles: ['member'] }));
    const body = { refresh_token: other.refreshToken };
    const next = await tenant.request<{ access_token: string }>('POST', '/auth/refresh', { body });
    const token = expectStatus(200, next).access_token;
    const refused = await tenant.request<ErrorBody>('GET', '/users', { token });
    assert.equal(expectStatus(403, refused).code, 'SCOPE_REQUIRED');
  });
});

describe('a member', () => {
  test('A member is denied on every route of users, with the missing scope', async () => {
    const tenant = await keywright.tenant('members', { config: { login_attempts_limit: 10_000 } });
    const { user, token } = await tenant.createUser();
    const calls: readonly (readonly [method: string, path: string, scope: string])[] = [
      ['GET', '/users', 'read:users'],
      ['GET', `/users/${user.id}`, 'read:users'],
      ['POST', '/users', 'write:users'],
      ['PATCH', `/users/${user.id}`, 'write:users'],
      ['DELETE', `/users/${user.id}`, 'delete:users'],
    ];
    for (const [method, path, scope] of calls) {
      const answer = await tenant.request<ErrorBody>(method, path, { token });
      assert.equal(expectStatus(403, answer).code, 'SCOPE_REQUIRED', `${method} ${path}`);
      assert.equal(answer.body.detail, `The token lacks: ${scope}.`);
    }
  });
});

describe('an admin of the default tenant who is not a system administrator', () => {
  let root: UserRecord;
  let admin: TestUser;

  before(async () => {
    const token = await keywright.adminToken();
    root = expectStatus(200, await keywright.home.request<UserRecord>('GET', '/me', { token }));
    admin = await keywright.createUser({ roles: ['admin'] });
  });

  test('An admin of the default tenant cannot make any user a system administrator, themselves included', async () => {
    const { home } = keywright;
    const { user } = await home.createUser();
    const refused = [
      await create(home, admin.token, ['system_admin']),
      await change(home, admin.token, user.id, { roles: ['system_admin'] }),
      await change(home, admin.token, admin.user.id, { roles: ['admin', 'system_admin'] }),
    ];
    assert.deepEqual(
      refused.map(refusal),
      Array.from({ length: 3 }, () => '403 SCOPE_NOT_HELD'),
    );
    assert.deepEqual(await rolesOf(home, admin.user.id), ['admin']);
  });

  test('An admin of the default tenant cannot change or delete a system administrator', async () => {
    const { home } = keywright;
    for (const body of [{ password: newPassword() }, { is_active: false }, { roles: ['admin'] }]) {
      const answer = await change(home, admin.token, root.id, body);
      assert.equal(refusal(answer), '403 SCOPE_NOT_HELD', JSON.stringify(body));
    }
    const options = { token: admin.token };
    const deleting = await home.request<ErrorBody>('DELETE', `/users/${root.id}`, options);
    assert.equal(expectStatus(403, deleting).code, 'SCOPE_NOT_HELD');
    await keywright.login(keywright.admin.identifier, keywright.admin.password);
  });

  test('An admin of the default tenant can still administer all other users, including other admins', async () => {
    const { home } = keywright;
    const other = await home.createUser({ roles: ['admin'] });
    expectStatus(200, await change(home, admin.token, other.user.id, { roles: ['member'] }));
    const options = { token: admin.token };
    expectStatus(200, await home.request('DELETE', `/users/${other.user.id}`, options));
  });

  test('A system administrator can appoint another', async () => {
    const { home } = keywright;
    const token = await keywright.adminToken();
    const second = expectStatus(201, await create(home, token, ['system_admin']));
    expectStatus(200, await change(home, token, second.id, { roles: ['member'] }));
    expectStatus(200, await change(home, admin.token, second.id, { metadata: { a: 1 } }));
  });
});

describe('delegated scopes cannot be passed on', () => {
  let tenant: TestTenant;
  let boss: TestUser;
  let robot: TestAgent;

  before(async () => {
    tenant = await keywright.tenant('lending', { config: { login_attempts_limit: 10_000 } });
    boss = await tenant.createUser({ roles: ['admin'] });
    robot = await tenant.createAgent({ scopes: ['*:*'] });
  });

  /** A token with which the agent acts for the boss, with these scopes. */
  async function actingToken(scopes: readonly string[]): Promise<string> {
    await delegate(tenant, boss, robot, scopes);
    return expectStatus(200, await exchange(tenant, robot, boss.token)).access_token;
  }

  test('A delegate cannot pass on scopes in a role, to a new user or to another', async () => {
    const token = await actingToken(['*:*']);
    const { user } = await tenant.createUser();
    const role = { name: 'left-behind', scopes: ['read:users'] };
    const empty = { name: 'empty', scopes: [] };
    const request = (method: string, path: string, body: object): Promise<Reply> =>
      tenant.request(method, path, { token, body });
    expectStatus(201, await request('POST', '/roles', empty));
    expectStatus(201, await request('POST', '/roles', role));
    const refused = [
      await create(tenant, token, ['admin']),
      await change(tenant, token, user.id, { roles: ['admin'] }),
      await change(tenant, token, user.id, { roles: [role.name] }),
      await request('PATCH', '/roles/empty', { scopes: ['read:users'] }),
    ];
    assert.deepEqual(
      refused.map(refusal),
      Array.from({ length: 4 }, () => '403 SCOPE_NOT_HELD'),
    );
    expectStatus(201, await create(tenant, token, ['member', 'empty']));
  });

  test('A delegate cannot pass on scopes by logging in as a user who holds them', async () => {
    const token = await actingToken(['*:*']);
    const peer = await tenant.createUser({ roles: ['admin'] });
    const plain = await tenant.createUser();
    for (const body of [
      { password: newPassword() },
      { identifiers: [{ identifier: newIdentifier() }] },
    ]) {
      const answer = await change(tenant, token, peer.user.id, body);
      assert.equal(refusal(answer), '403 SCOPE_NOT_HELD');
      expectStatus(200, await change(tenant, token, plain.user.id, body));
    }
    await tenant.login(peer.identifier, peer.password);
    expectStatus(200, await change(tenant, token, peer.user.id, { is_active: false }));
  });

  test('A delegate with fewer scopes than its user cannot change or delete an administrator', async () => {
    const victim = await tenant.createUser({ roles: ['admin'] });
    const token = await actingToken(['*:users', '*:sessions']);
    await assertUntouchable(tenant, token, victim);
  });

  test('An agent whose key has fewer scopes than the agent cannot change or delete an administrator', async () => {
    const victim = await tenant.createUser({ roles: ['admin'] });
    const scopes = ['*:users', '*:sessions'];
    const { key } = await tenant.createApiKey(robot.agent.id, { scopes });
    await assertUntouchable(tenant, key, victim);
    const { key: wide } = await tenant.createApiKey(robot.agent.id);
    expectStatus(200, await change(tenant, wide, victim.user.id, { is_active: false }));
  });
});

/** Requires that a caller with only some permissions of an administrator cannot change or create an administrator. */
async function assertUntouchable(at: TestTenant, token: string, victim: TestUser): Promise<void> {
  const { id } = victim.user;
  const session = sessionOf(victim.token);
  const refused = [
    await change(at, token, id, { password: newPassword() }),
    await change(at, token, id, { is_active: false }),
    await change(at, token, id, { roles: [] }),
    await change(at, token, id, { metadata: { a: 1 } }),
    await at.request<Reply['body']>('DELETE', `/users/${id}`, { token }),
    await at.request<Reply['body']>('DELETE', `/sessions/${session}`, { token }),
    await at.request<Reply['body']>('DELETE', `/sessions?user_id=${id}`, { token }),
    await create(at, token, ['admin']),
  ];
  assert.deepEqual(
    refused.map(refusal),
    refused.map(() => '403 SCOPE_NOT_HELD'),
  );
  expectStatus(200, await at.request('GET', '/me', { token: victim.token }));
  // The caller's permissions are enough for a user without any.
  const { user } = await at.createUser();
  expectStatus(200, await change(at, token, user.id, { metadata: { a: 1 } }));
}
