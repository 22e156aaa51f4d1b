import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import type { MemberRecord, WorkspaceRecord } from '@keywright/contract/records/workspace';
import { createUserWith, delegate, exchange } from '@keywright/tests/harness/delegation';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

let keywright: Keywright;
let tenant: TestTenant;
let made = 0;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  const config = { login_attempts_limit: 10_000, refresh_token_ttl: 3600 };
  tenant = await keywright.tenant('acme', { config });
});

after(() => keywright.close());

async function asAdmin<Body = JsonBody & ErrorBody>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body>> {
  const token = await tenant.adminToken();
  return tenant.request<Body>(method, path, body ? { token, body } : { token });
}

async function freshWorkspace(): Promise<string> {
  made += 1;
  const body = { name: `Workspace ${made}` };
  return expectStatus(201, await asAdmin<WorkspaceRecord>('POST', '/workspaces', body)).id;
}

async function join(workspace: string, { user }: TestUser): Promise<MemberRecord> {
  const path = `/workspaces/${workspace}/members/${user.id}`;
  return expectStatus(200, await asAdmin<MemberRecord>('PUT', path));
}

async function setActive(workspace: string, isActive: boolean): Promise<void> {
  const body = { is_active: isActive };
  expectStatus(200, await asAdmin('PATCH', `/workspaces/${workspace}`, body));
}

async function membersOf(workspace: string): Promise<string[]> {
  const path = `/workspaces/${workspace}/members`;
  const answer = await asAdmin<{ items: MemberRecord[] }>('GET', path);
  return expectStatus(200, answer).items.map((item) => item.user_id);
}

async function workspacesOf({ user }: TestUser): Promise<string[]> {
  return expectStatus(200, await asAdmin<UserRecord>('GET', `/users/${user.id}`)).workspaces;
}

function tryLogin(
  { identifier, password }: TestUser,
  workspace?: string,
): Promise<Answer<TokenAnswer & ErrorBody>> {
  const extra = workspace === undefined ? {} : { workspace_id: workspace };
  const body = { identifier, secret: password, ...extra };
  return tenant.request('POST', '/auth/login', { body });
}

async function landsIn(user: TestUser, workspace?: string): Promise<string> {
  const login = expectStatus(200, await tryLogin(user, workspace));
  return claimsOf(login.access_token).workspace_id;
}

describe('a member of a workspace', () => {
  test("A member of a workspace is added once however often, after the user's other workspaces, and removed", async () => {
    const [first, second] = [await freshWorkspace(), await freshWorkspace()];
    const [user, another] = [await tenant.createUser(), await tenant.createUser()];
    const record = { user_id: user.user.id, workspace_id: first, tenant_id: tenant.id };
    assert.deepEqual(await join(first, user), record);
    await join(second, user);
    assert.deepEqual(await join(first, user), record);
    await join(first, another);
    assert.deepEqual(await membersOf(first), [user.user.id, another.user.id].toSorted());
    assert.deepEqual(await workspacesOf(user), [first, second]);

    const path = `/workspaces/${first}/members/${user.user.id}`;
    const left = expectStatus(200, await asAdmin('DELETE', path));
    assert.deepEqual(left, { id: user.user.id, deleted: true });
    expectStatus(404, await asAdmin('DELETE', path));
    assert.deepEqual(await membersOf(first), [another.user.id]);
    assert.deepEqual(await workspacesOf(user), [second]);
    await join(first, user);
    assert.deepEqual(await workspacesOf(user), [second, first]);
  });

  test('Every user is a member of ws_default, as their tokens say, and cannot be removed', async () => {
    const [alone, elsewhere] = [await tenant.createUser(), await tenant.createUser()];
    const workspace = await freshWorkspace();
    await join(workspace, elsewhere);
    for (const user of [alone, elsewhere]) {
      assert.equal(await landsIn(user, 'ws_default'), 'ws_default');
    }
    assert.equal(await landsIn(alone), 'ws_default');
    type List = { items: { id: string; user_id: string }[]; meta: { total: number } };
    const users = await asAdmin<List>('GET', '/users?limit=100&sort=created_at');
    const everyUser = expectStatus(200, users).items.map((user) => user.id);
    const found: string[] = [];
    for (let page = 1; found.length < everyUser.length; page += 1) {
      const path = `/workspaces/ws_default/members?limit=2&page=${page}`;
      const { items, meta } = expectStatus(200, await asAdmin<List>('GET', path));
      assert.equal(meta.total, everyUser.length);
      found.push(...items.map((item) => item.user_id));
    }
    assert.deepEqual(found, everyUser.toSorted());
    const filtered = '/users?limit=100&sort=created_at&workspace_id=ws_default';
    assert.deepEqual(expectStatus(200, await asAdmin('GET', filtered)), users.body);
    const path = `/workspaces/ws_default/members/${alone.user.id}`;
    const { status, body } = await asAdmin('DELETE', path);
    assert.equal(`${status} ${body.code}`, '400 DEFAULT_WORKSPACE_PROTECTED');
    assert.ok((await membersOf('ws_default')).includes(alone.user.id));
  });

  test('A user with more scopes cannot be added or removed with `write:workspaces` alone', async () => {
    const workspace = await freshWorkspace();
    const keeper = await createUserWith(tenant, ['write:workspaces']);
    const [boss, plain] = [
      await tenant.createUser({ roles: ['admin'] }),
      await tenant.createUser(),
    ];
    const outcomeOf = async (method: string, { user }: TestUser) => {
      const path = `/workspaces/${workspace}/members/${user.id}`;
      const { token } = keeper;
      const { status, body } = await tenant.request<ErrorBody>(method, path, { token });
      return `${status} ${body.code}`;
    };
    assert.equal(await outcomeOf('PUT', boss), '403 SCOPE_NOT_HELD');
    await join(workspace, boss);
    assert.equal(await outcomeOf('DELETE', boss), '403 SCOPE_NOT_HELD');
    assert.deepEqual(await membersOf(workspace), [boss.user.id]);
    for (const allowed of [plain, keeper]) {
      assert.equal(await outcomeOf('PUT', allowed), '200 undefined');
      assert.equal(await outcomeOf('DELETE', allowed), '200 undefined');
    }
    assert.deepEqual(await workspacesOf(boss), [workspace]);
  });

  test('A member of a workspace is listed by page and by cursor', async () => {
    const workspace = await freshWorkspace();
    const users: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const user = await tenant.createUser();
      await join(workspace, user);
      users.push(user.user.id);
    }
    type List = { items: MemberRecord[]; meta: { total: number; next_cursor?: string } };
    const list = async (query: string) =>
      expectStatus(200, await asAdmin<List>('GET', `/workspaces/${workspace}/members?${query}`));
    const first = await list('limit=3');
    const second = await list(`limit=3&cursor=${first.meta.next_cursor}`);
    const found = [...first.items, ...second.items].map((item) => item.user_id);
    assert.deepEqual([found, first.meta.total], [users.toSorted(), 5]);
    assert.deepEqual((await list('limit=3&page=2')).items, second.items);
  });

  test('A member of a workspace is removed when the user is deleted', async () => {
    const workspace = await freshWorkspace();
    const user = await tenant.createUser();
    await join(workspace, user);
    expectStatus(200, await asAdmin('DELETE', `/users/${user.user.id}`));
    assert.deepEqual(await membersOf(workspace), []);
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${workspace}`));
  });
});

describe('a login', () => {
  test("A login uses the user's first workspace, the requested one, or else ws_default", async () => {
    const [first, second, none] = [
      await freshWorkspace(),
      await freshWorkspace(),
      await freshWorkspace(),
    ];
    const user = await tenant.createUser();
    assert.equal(await landsIn(user), 'ws_default');
    await join(first, user);
    await join(second, user);
    assert.equal(await landsIn(user), first);
    assert.equal(await landsIn(user, second), second);
    assert.equal(await landsIn(user, 'ws_default'), 'ws_default');
    const refused = [await tryLogin(user, none), await tryLogin(user, 'ws_matches-nothing')];
    for (const { status, text } of refused) {
      assert.deepEqual([status, text], [404, refused[0]?.text]);
    }
    const workspaces = { workspaces: [second, first] };
    expectStatus(200, await asAdmin('PATCH', `/users/${user.user.id}`, workspaces));
    assert.equal(await landsIn(user), second);
  });

  test('A login keeps its workspace when refreshed', async () => {
    const [first, second] = [await freshWorkspace(), await freshWorkspace()];
    const user = await tenant.createUser();
    await join(first, user);
    await join(second, user);
    const { refresh_token } = expectStatus(200, await tryLogin(user, second));
    const options = { node: 1, body: { refresh_token } };
    const next = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
    assert.equal(claimsOf(expectStatus(200, next).access_token).workspace_id, second);
  });

  test('A login never uses an inactive workspace', async () => {
    const [first, second] = [await freshWorkspace(), await freshWorkspace()];
    const user = await tenant.createUser();
    await join(first, user);
    await join(second, user);
    await setActive(first, false);
    assert.equal(await landsIn(user), second);
    assert.equal((await tryLogin(user, first)).status, 404);
    await setActive(second, false);
    assert.equal(await landsIn(user), 'ws_default');
    await setActive(first, true);
    assert.equal(await landsIn(user), first);
    assert.equal(await landsIn(user, first), first);
  });
});

describe('a deleted workspace', () => {
  /** Requires that the workspace is kept, and that the error names what uses it. */
  async function assertInUse(workspace: string, ...named: readonly string[]): Promise<void> {
    for (const path of [`/workspaces/${workspace}`, `/workspaces/${workspace}?force=false`]) {
      const { code, detail } = expectStatus(400, await asAdmin<ErrorBody>('DELETE', path));
      assert.equal(code, 'IN_USE');
      for (const text of named) assert.ok(detail.includes(text), `${detail} names ${text}`);
    }
    expectStatus(200, await asAdmin('GET', `/workspaces/${workspace}`));
  }

  test('A workspace remains while it has members, who are named', async () => {
    const workspace = await freshWorkspace();
    const users = [await tenant.createUser(), await tenant.createUser()];
    for (const user of users) await join(workspace, user);
    await assertInUse(workspace, '2 members', ...users.map(({ user }) => user.id));
    for (const { user } of users) {
      const path = `/workspaces/${workspace}/members/${user.id}`;
      expectStatus(200, await asAdmin('DELETE', path));
    }
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${workspace}`));
  });

  test('A workspace remains while a session uses it, but not for an ended session', async () => {
    const workspace = await freshWorkspace();
    const user = await tenant.createUser();
    await join(workspace, user);
    const { access_token: token } = expectStatus(200, await tryLogin(user));
    const member = `/workspaces/${workspace}/members/${user.user.id}`;
    expectStatus(200, await asAdmin('DELETE', member));
    await assertInUse(workspace, '0 members', '1 active session');
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));

    await join(workspace, user);
    expectStatus(200, await tryLogin(user));
    expectStatus(200, await asAdmin('DELETE', member));
    await assertInUse(workspace, '1 active session');
    keywright.clock.advance(3601);
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${workspace}`));
  });

  test('A forced deletion of a workspace ends its sessions, removes its members and keeps other sessions', async () => {
    const workspace = await freshWorkspace();
    const [user, another] = [await tenant.createUser(), await tenant.createUser()];
    await join(workspace, user);
    const inside = expectStatus(200, await tryLogin(user));
    const answer = await asAdmin('DELETE', `/workspaces/${workspace}?force=true`);
    assert.deepEqual(expectStatus(200, answer), { id: workspace, deleted: true });
    for (const node of [0, 1]) {
      const dead = { node, token: inside.access_token };
      expectStatus(401, await tenant.request('GET', '/me', dead));
      const body = { refresh_token: inside.refresh_token };
      expectStatus(401, await tenant.request('POST', '/auth/refresh', { node, body }));
      // Both users also have sessions elsewhere.
      for (const { token } of [user, another]) {
        expectStatus(200, await tenant.request('GET', '/me', { node, token }));
      }
    }
    assert.deepEqual(await workspacesOf(user), []);
    assert.equal(await landsIn(user), 'ws_default');
  });
});

describe('a caller with fewer scopes than a user in a workspace', () => {
  let keeper: TestUser;

  before(async () => {
    keeper = await createUserWith(tenant, ['write:workspaces', 'delete:workspaces']);
  });

  async function outcomeOf(method: string, path: string, body?: object, token = keeper.token) {
    const options = body ? { token, body } : { token };
    const answer = await tenant.request<ErrorBody>(method, `/workspaces/${path}`, options);
    return `${answer.status} ${answer.body.code ?? ''}`.trim();
  }

  /** Requires this refusal: the workspace is neither deleted nor deactivated. */
  async function assertUnchanged(workspace: string, refused: string, token = keeper.token) {
    for (const isActive of [true, false]) {
      await setActive(workspace, isActive);
      assert.equal(await outcomeOf('DELETE', `${workspace}?force=true`, undefined, token), refused);
      const change = { name: 'Shut', is_active: !isActive };
      assert.equal(await outcomeOf('PATCH', workspace, change, token), refused);
      const read = await asAdmin<WorkspaceRecord>('GET', `/workspaces/${workspace}`);
      const { name, is_active: now } = expectStatus(200, read);
      assert.deepEqual([name.startsWith('Workspace'), now], [true, isActive]);
    }
    await setActive(workspace, true);
  }

  test('A caller cannot delete, deactivate or activate a workspace of a member with more scopes', async () => {
    const workspace = await freshWorkspace();
    const boss = await tenant.createUser({ roles: ['admin'] });
    await join(workspace, boss);
    await join(workspace, keeper);
    await assertUnchanged(workspace, '403 SCOPE_NOT_HELD');
    assert.ok((await membersOf(workspace)).includes(boss.user.id));
    assert.equal(await outcomeOf('PATCH', workspace, { name: 'Renamed' }), '200');
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${workspace}/members/${boss.user.id}`));
    for (const isActive of [false, true]) {
      assert.equal(await outcomeOf('PATCH', workspace, { is_active: isActive }), '200');
    }
    assert.equal(await outcomeOf('DELETE', `${workspace}?force=true`), '200');
  });

  test('A caller cannot delete, deactivate or activate a workspace in which a user with more scopes is logged in, even if they left it', async () => {
    const workspace = await freshWorkspace();
    const boss = await tenant.createUser({ roles: ['admin'] });
    await join(workspace, boss);
    const { access_token: token } = expectStatus(200, await tryLogin(boss));
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${workspace}/members/${boss.user.id}`));
    await assertUnchanged(workspace, '403 SCOPE_NOT_HELD');
    expectStatus(200, await tenant.request('GET', '/me', { token }));
    expectStatus(200, await tenant.request('POST', '/auth/logout', { token }));
    assert.equal(await outcomeOf('DELETE', workspace), '200');
  });

  test('A caller cannot delete, deactivate or activate a workspace of an agent with more scopes, even an inactive one, with force or without', async () => {
    const [workspace, free] = [await freshWorkspace(), await freshWorkspace()];
    const input = { scopes: ['*:*'], workspace_id: workspace };
    const { agent } = await tenant.createAgent(input as Parameters<TestTenant['createAgent']>[0]);
    await assertUnchanged(workspace, '403 SCOPE_NOT_HELD');
    expectStatus(200, await asAdmin('PATCH', `/agents/${agent.id}`, { is_active: false }));
    assert.equal(await outcomeOf('DELETE', workspace), '403 SCOPE_NOT_HELD');
    expectStatus(200, await asAdmin('PATCH', `/agents/${agent.id}`, { workspace_id: free }));
    assert.equal(await outcomeOf('DELETE', workspace), '200');
  });

  test('An agent that acts for a user in a workspace cannot delete, deactivate or activate it, whatever was delegated', async () => {
    const workspace = await freshWorkspace();
    const principal = await tenant.createUser({ roles: ['admin'] });
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    await delegate(tenant, principal, robot, ['*:*']);
    const acting = await exchange(tenant, robot, principal.token);
    const token = expectStatus(200, acting).access_token;
    assert.equal(await outcomeOf('PATCH', workspace, { is_active: false }, token), '200');
    await join(workspace, principal);
    await assertUnchanged(workspace, '403 PRINCIPAL_PROTECTED', token);
    assert.deepEqual(await membersOf(workspace), [principal.user.id]);
  });
});
