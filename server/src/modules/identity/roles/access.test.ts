import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

const NODES = [0, 1];

let keywright: Keywright;
let tenant: TestTenant;
let roles = 0;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length });
  tenant = await keywright.tenant('acme', { config: { login_attempts_limit: 10_000 } });
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

async function freshRole(...scopes: readonly string[]): Promise<string> {
  roles += 1;
  const name = `role-${roles}`;
  expectStatus(201, await asAdmin('POST', '/roles', { name, scopes }));
  return name;
}

/** Requires that every node still accepts the token, with exactly these scopes. */
async function assertGood(token: string, ...scopes: readonly string[]): Promise<void> {
  assert.deepEqual(claimsOf(token).scopes, scopes);
  for (const node of NODES) {
    expectStatus(200, await tenant.request('GET', '/me', { node, token }));
    const mayRead = scopes.some((scope) => scope === 'read:users' || scope === '*:*');
    const users = await tenant.request('GET', '/users', { node, token });
    expectStatus(mayRead ? 200 : 403, users);
  }
}

/** Requires that every node rejects the next request with the token. */
async function assertOutdated(token: string): Promise<void> {
  for (const node of NODES) {
    const me = await tenant.request<ErrorBody>('GET', '/me', { node, token });
    assert.equal(`${me.status} ${me.body.code}`, '401 TOKEN_INVALID');
    const admin = await tenant.adminToken();
    const options = { node, token: admin, body: { token } };
    const verified = await tenant.request('POST', '/auth/verify-token', options);
    assert.deepEqual(expectStatus(200, verified), { active: false });
  }
}

async function refreshed(token: string, node: number): Promise<TokenAnswer> {
  const options = { node, body: { refresh_token: token } };
  return expectStatus(200, await tenant.request<TokenAnswer>('POST', '/auth/refresh', options));
}

interface Scene {
  readonly role: string;
  readonly holder: TestUser;
  /** A second session of the same user. */
  readonly elsewhere: TokenAnswer;
  readonly bystanders: readonly TestUser[];
}

async function setScene(): Promise<Scene> {
  const role = await freshRole('read:users');
  const similar = await freshRole('read:users');
  const holder = await tenant.createUser({ roles: [role] });
  return {
    role,
    holder,
    elsewhere: await tenant.login(holder.identifier, holder.password, { node: 1 }),
    bystanders: [
      await tenant.createUser({ roles: [similar] }),
      await tenant.createUser({ roles: ['admin'] }),
    ],
  };
}

/**
 * Requires that earlier tokens of the holder are rejected, each session continues by refreshing, and other users are
 * unaffected.
 */
async function assertAccessIs(scene: Scene, ...scopes: readonly string[]): Promise<void> {
  const { holder, elsewhere, bystanders } = scene;
  await assertOutdated(holder.token);
  await assertOutdated(elsewhere.access_token);
  for (const [node, { token: earlier, refreshToken }] of [
    holder,
    { token: elsewhere.access_token, refreshToken: elsewhere.refresh_token },
  ].entries()) {
    const { access_token: token } = await refreshed(refreshToken, node);
    assert.ok(claimsOf(token).ver > claimsOf(earlier).ver, 'ver has gone up');
    assert.equal(claimsOf(token).sid, claimsOf(earlier).sid);
    await assertGood(token, ...scopes);
  }
  const [similar, admin] = bystanders;
  await assertGood(similar?.token ?? '', 'read:users');
  await assertGood(admin?.token ?? '', '*:*');
  const login = await tenant.login(holder.identifier, holder.password);
  await assertGood(login.access_token, ...scopes);
}

describe('previously issued access tokens are rejected on the next request, and refreshing gives the new scopes, when', () => {
  test('A role loses a scope', async () => {
    const scene = await setScene();
    await assertGood(scene.holder.token, 'read:users');
    expectStatus(200, await asAdmin('PATCH', `/roles/${scene.role}`, { scopes: [] }));
    await assertAccessIs(scene);
  });

  test('A role gains a scope', async () => {
    const scene = await setScene();
    const scopes = ['read:users', 'read:workspaces'];
    expectStatus(200, await asAdmin('PATCH', `/roles/${scene.role}`, { scopes }));
    await assertAccessIs(scene, ...scopes);
  });

  test('A role is deleted by force', async () => {
    const scene = await setScene();
    expectStatus(200, await asAdmin('DELETE', `/roles/${scene.role}?force=true`));
    await assertAccessIs(scene);
  });

  test('A role is removed from the user', async () => {
    const scene = await setScene();
    const path = `/users/${scene.holder.user.id}`;
    expectStatus(200, await asAdmin('PATCH', path, { roles: ['member'] }));
    await assertAccessIs(scene);
  });

  test('A role is granted to the user', async () => {
    const scene = await setScene();
    const more = await freshRole('read:workspaces');
    const path = `/users/${scene.holder.user.id}`;
    expectStatus(200, await asAdmin('PATCH', path, { roles: [scene.role, more] }));
    await assertAccessIs(scene, 'read:users', 'read:workspaces');
  });
});

describe('access tokens stay valid when', () => {
  test('Access tokens remain valid when only the description of a role changes', async () => {
    const { role, holder } = await setScene();
    expectStatus(200, await asAdmin('PATCH', `/roles/${role}`, { description: 'Reads' }));
    await assertGood(holder.token, 'read:users');
  });

  test('A change of the role was rejected', async () => {
    const { role, holder } = await setScene();
    expectStatus(400, await asAdmin('PATCH', `/roles/${role}`, { scopes: ['no scope'] }));
    expectStatus(400, await asAdmin('DELETE', `/roles/${role}`));
    await assertGood(holder.token, 'read:users');
  });

  test('A role of the same name changes in another tenant', async () => {
    const { role, holder } = await setScene();
    const other = await keywright.tenant('other');
    const token = await other.adminToken();
    const body = { name: role, scopes: ['read:users'] };
    expectStatus(201, await other.request('POST', '/roles', { token, body }));
    const twin = await other.createUser({ roles: [role] });
    const path = `/roles/${role}`;
    expectStatus(200, await other.request('PATCH', path, { token, body: { scopes: [] } }));
    expectStatus(401, await other.request('GET', '/me', { token: twin.token }));
    await assertGood(holder.token, 'read:users');
  });
});

describe('a user with a custom role', () => {
  let token: string;
  let member: TestUser;
  let admin: TestUser;

  before(async () => {
    const role = await freshRole('read:users', 'write:users', 'delete:users');
    ({ token } = await tenant.createUser({ roles: [role] }));
    member = await tenant.createUser();
    admin = await tenant.createUser({ roles: ['admin'] });
  });

  async function tryOn({ user }: TestUser, method: string, body?: object): Promise<string> {
    const options = body ? { token, body } : { token };
    const answer = await tenant.request<ErrorBody>(method, `/users/${user.id}`, options);
    return `${answer.status} ${answer.body.code ?? ''}`.trim();
  }

  test('A user with a custom role sets the password of a member, and not that of an administrator', async () => {
    const password = newPassword();
    assert.equal(await tryOn(member, 'PATCH', { password }), '200');
    await tenant.login(member.identifier, password);
    assert.equal(await tryOn(admin, 'PATCH', { password }), '403 SCOPE_NOT_HELD');
    const options = { body: { identifier: admin.identifier, secret: password } };
    expectStatus(401, await tenant.request('POST', '/auth/login', options));
    await tenant.login(admin.identifier, admin.password);
  });

  test('A user with a custom role cannot change an administrator, nor make any user one', async () => {
    const read = () => asAdmin<UserRecord>('GET', `/users/${admin.user.id}`);
    const earlier = (await read()).body;
    for (const change of [
      { is_active: false },
      { roles: ['member'] },
      { roles: [] },
      { identifiers: [{ identifier: newIdentifier() }] },
      { metadata: {} },
    ]) {
      assert.equal(await tryOn(admin, 'PATCH', change), '403 SCOPE_NOT_HELD');
    }
    assert.equal(await tryOn(admin, 'DELETE'), '403 SCOPE_NOT_HELD');
    assert.equal(await tryOn(member, 'PATCH', { roles: ['admin'] }), '403 SCOPE_NOT_HELD');
    const body = { identifier: newIdentifier(), password: newPassword(), roles: ['admin'] };
    expectStatus(403, await tenant.request('POST', '/users', { token, body }));
    assert.deepEqual((await read()).body, earlier);
    expectStatus(200, await tenant.request('GET', '/me', { token: admin.token }));
  });

  test('A user with a custom role ranks below a role with one more scope', async () => {
    const more = await freshRole('read:users', 'write:users', 'delete:users', 'read:audit');
    const above = await tenant.createUser({ roles: [more] });
    assert.equal(await tryOn(above, 'PATCH', { password: newPassword() }), '403 SCOPE_NOT_HELD');
    const same = await freshRole('read:users', 'write:users');
    const beneath = await tenant.createUser({ roles: [same] });
    assert.equal(await tryOn(beneath, 'PATCH', { password: newPassword() }), '200');
  });
});
