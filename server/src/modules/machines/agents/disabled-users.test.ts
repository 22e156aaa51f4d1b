import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserDependents, UserDisabled } from '@keywright/contract/records/dependents';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { sessionOf } from '@keywright/tests/harness/token';

const NODES = [0, 1];
const UNKNOWN = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';
const REASON = 'their laptop was stolen';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length });
  tenant = await keywright.tenant('disabling', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

interface RequestOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function request<Body>(method: string, path: string, options: RequestOptions = {}) {
  const token = options.token ?? (await tenant.adminToken());
  return tenant.request<Body & ErrorBody>(method, path, { ...options, token });
}

function disable(
  id: string,
  options: RequestOptions = {},
): Promise<Answer<UserDisabled & ErrorBody>> {
  return request('POST', `/users/${id}/disable`, { body: { reason: REASON }, ...options });
}

async function dependentsOf(id: string): Promise<UserDependents> {
  return expectStatus(200, await request<UserDependents>('GET', `/users/${id}/dependents`));
}

function totalsOf(dependents: UserDependents | UserDisabled['ended']): number[] {
  return [dependents.sessions, dependents.agents, dependents.api_keys, dependents.delegations].map(
    (list) => list.total,
  );
}

async function assertOut({ token, refreshToken, identifier, password }: TestUser): Promise<void> {
  for (const node of NODES) {
    expectStatus(401, await tenant.request('GET', '/me', { node, token }));
    const refresh = { refresh_token: refreshToken };
    expectStatus(401, await tenant.request('POST', '/auth/refresh', { node, body: refresh }));
    const login = { identifier, secret: password };
    expectStatus(401, await tenant.request('POST', '/auth/login', { node, body: login }));
  }
}

describe('the dependents of a user', () => {
  test('The dependents of a user name the active sessions, newest first, and count all', async () => {
    const user = await tenant.createUser();
    const later: string[] = [];
    for (let count = 0; count < 24; count += 1) {
      const { access_token: token } = await tenant.login(user.identifier, user.password);
      later.push(sessionOf(token));
    }
    const [, ended = ''] = later;
    expectStatus(200, await request('DELETE', `/sessions/${ended}`));
    const { sessions, ...rest } = await dependentsOf(user.user.id);
    assert.equal(sessions.total, 24);
    assert.deepEqual(
      sessions.items.map((session) => session.id),
      later.toReversed().slice(0, 20),
    );
    assert.deepEqual(rest, {
      user_id: user.user.id,
      tenant_id: tenant.id,
      is_active: true,
      agents: { total: 0, items: [] },
      api_keys: { total: 0, items: [] },
      delegations: { total: 0, items: [] },
    });
  });

  test('The dependents of a user are the result of a dry run of the deletion, which changes nothing', async () => {
    const user = await tenant.createUser();
    const path = `/users/${user.user.id}`;
    const dryRun = expectStatus(200, await request('DELETE', `${path}?dry_run=true`));
    assert.deepEqual(dryRun, { dry_run: true, ...(await dependentsOf(user.user.id)) });
    expectStatus(200, await tenant.request('GET', '/me', { token: user.token }));
    expectStatus(400, await request('DELETE', `${path}?dry_run=yes`));
    const deleted = expectStatus(200, await request('DELETE', `${path}?dry_run=false`));
    assert.deepEqual(deleted, { id: user.user.id, deleted: true });
    for (const [method, gone] of [
      ['GET', `${path}/dependents`],
      ['DELETE', `${path}?dry_run=true`],
    ] as const) {
      assert.equal(expectStatus(404, await request(method, gone)).code, 'NOT_FOUND');
    }
  });

  test('The dependents of a user are denied in a dry run to a caller who cannot delete the user', async () => {
    const scopes = ['read:users', 'delete:users'];
    expectStatus(201, await request('POST', '/roles', { body: { name: 'janitor', scopes } }));
    const { token } = await tenant.createUser({ roles: ['janitor'] });
    const { user: admin } = await tenant.createUser({ roles: ['admin'] });
    const path = `/users/${admin.id}`;
    expectStatus(403, await request('DELETE', `${path}?dry_run=true`, { token }));
    expectStatus(403, await request('DELETE', path, { token }));
    expectStatus(200, await request('GET', `${path}/dependents`, { token }));
  });
});

describe('disabling a user', () => {
  test('A request to disable a user ends every session on every node, prevents new logins, and reports what ended', async () => {
    const user = await tenant.createUser();
    const { access_token: token } = await tenant.login(user.identifier, user.password);
    const {
      user_id: _,
      tenant_id: __,
      is_active: ___,
      ...parts
    } = await dependentsOf(user.user.id);
    const { ended, ...rest } = expectStatus(200, await disable(user.user.id));
    assert.deepEqual(rest, { user_id: user.user.id, tenant_id: tenant.id, is_active: false });
    assert.deepEqual(ended, parts);
    assert.deepEqual(totalsOf(ended), [2, 0, 0, 0]);
    await assertOut(user);
    expectStatus(401, await tenant.request('GET', '/me', { token }));
    const left = await dependentsOf(user.user.id);
    assert.equal(left.is_active, false);
    assert.deepEqual(totalsOf(left), [0, 0, 0, 0]);
  });

  test('A second request to disable a user gets the same response and ends nothing more', async () => {
    const { user } = await tenant.createUser();
    expectStatus(200, await disable(user.id));
    assert.deepEqual(totalsOf(expectStatus(200, await disable(user.id)).ended), [0, 0, 0, 0]);
  });

  test('A request to disable a user, repeated with an Idempotency-Key, gets the same response', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    const headers = { 'idempotency-key': 'the laptop' };
    const first = expectStatus(200, await disable(user.user.id, { headers }));
    assert.equal(first.ended.sessions.total, 1);
    assert.deepEqual(expectStatus(200, await disable(user.user.id, { headers })), first);
    // The body does not name the user: the idempotency key of one user must not repeat the response for another.
    assert.equal(
      expectStatus(200, await disable(other.user.id, { headers })).user_id,
      other.user.id,
    );
    await assertOut(other);
  });

  test('A disabled user can log in after reactivation, with no earlier session restored', async () => {
    const user = await tenant.createUser();
    expectStatus(200, await disable(user.user.id));
    const body = { is_active: true };
    expectStatus(200, await request('PATCH', `/users/${user.user.id}`, { body }));
    expectStatus(401, await tenant.request('GET', '/me', { token: user.token }));
    const again = await tenant.login(user.identifier, user.password);
    expectStatus(200, await tenant.request('GET', '/me', { token: again.access_token }));
  });

  test('A user can disable themselves, as the last request of their token', async () => {
    const admin = await tenant.createUser({ roles: ['admin'] });
    expectStatus(200, await disable(admin.user.id, { token: admin.token }));
    await assertOut(admin);
  });

  test('A request to disable a user is denied to callers with fewer scopes, and to those without write:users', async () => {
    const scopes = ['read:users', 'write:users'];
    expectStatus(201, await request('POST', '/roles', { body: { name: 'helpdesk', scopes } }));
    const helpdesk = await tenant.createUser({ roles: ['helpdesk'] });
    const admin = await tenant.createUser({ roles: ['admin'] });
    const { token } = helpdesk;
    assert.equal(expectStatus(403, await disable(admin.user.id, { token })).code, 'SCOPE_NOT_HELD');
    expectStatus(200, await tenant.request('GET', '/me', { token: admin.token }));
    const member = await tenant.createUser();
    const options = { token: member.token };
    assert.equal(
      expectStatus(403, await disable(helpdesk.user.id, options)).code,
      'SCOPE_REQUIRED',
    );
    expectStatus(200, await disable(member.user.id, { token }));
    await assertOut(member);
  });

  test('A request to disable a user requires a reason and an existing user', async () => {
    const { user } = await tenant.createUser();
    for (const body of [{}, { reason: '' }, { reason: 'no' }, { reason: REASON, force: true }]) {
      assert.equal(expectStatus(400, await disable(user.id, { body })).code, 'VALIDATION_FAILED');
    }
    for (const id of [UNKNOWN, 'unknown', keywright.home.id]) {
      assert.equal(expectStatus(404, await disable(id)).code, 'NOT_FOUND');
    }
    assert.equal((await dependentsOf(user.id)).is_active, true);
  });
});
