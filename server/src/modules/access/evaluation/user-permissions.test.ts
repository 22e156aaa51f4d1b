import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserPermissions } from '@keywright/contract/records/user-permissions';
import { decide } from '@keywright/tests/harness/evaluation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const UNKNOWN_USER = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('permitted');
  for (const [name, scopes] of [
    ['reader', ['read:*']],
    ['editor', ['write:articles', 'read:articles']],
    ['lister', ['read:users']],
  ] as const) {
    expectStatus(201, await administer('POST', '/roles', { name, scopes }));
  }
  for (const name of ['north', 'south', 'closed']) {
    expectStatus(201, await administer('POST', '/workspaces', { name }));
  }
  expectStatus(200, await administer('PATCH', '/workspaces/ws_closed', { is_active: false }));
});

after(() => keywright.close());

async function administer<Body = object>(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return tenant.request<Body>(method, path, { token, ...(body && { body }) });
}

async function read(id: string, token?: string): Promise<Answer<UserPermissions & ErrorBody>> {
  const options = { token: token ?? (await tenant.adminToken()) };
  return tenant.request('GET', `/users/${id}/permissions`, options);
}

const granted = (role: string, covered_by: string, is_builtin = false) => ({
  role,
  is_builtin,
  covered_by,
});

test('Each scope of a user is listed with every role that grants it', async () => {
  const { user } = await tenant.createUser({ roles: ['reader', 'editor', 'member'] });
  assert.deepEqual(expectStatus(200, await read(user.id)), {
    user_id: user.id,
    tenant_id: tenant.id,
    is_active: true,
    permissions: [
      { scope: 'read:*', granted_by: [granted('reader', 'read:*')] },
      {
        scope: 'read:articles',
        granted_by: [granted('editor', 'read:articles'), granted('reader', 'read:*')],
      },
      { scope: 'write:articles', granted_by: [granted('editor', 'write:articles')] },
    ],
    all_workspaces: false,
    workspaces: ['ws_default'],
  });
});

test('A built-in role is named as such, and *:* applies in every workspace', async () => {
  const { user } = await tenant.createUser({ roles: ['admin'] });
  const userPermissions = expectStatus(200, await read(user.id));
  assert.deepEqual(userPermissions.permissions, [
    { scope: '*:*', granted_by: [granted('admin', '*:*', true)] },
  ]);
  assert.equal(userPermissions.all_workspaces, true);
});

test('Permissions apply in the active workspaces that the user belongs to, as evaluations decide', async () => {
  const { user } = await tenant.createUser({ roles: ['reader'] });
  const workspaces = ['ws_closed', 'ws_north'];
  expectStatus(200, await administer('PATCH', `/users/${user.id}`, { workspaces }));
  const userPermissions = expectStatus(200, await read(user.id));
  assert.deepEqual(userPermissions.workspaces, ['ws_default', 'ws_north']);
  const token = await tenant.adminToken();
  for (const id of ['ws_default', 'ws_north', 'ws_south', 'ws_closed'] as const) {
    const question = { subject: user.id, scope: 'read:articles', workspace_id: id };
    const { allowed } = await decide(tenant, question, { token });
    assert.equal(allowed, (userPermissions.workspaces as string[]).includes(id), id);
  }
});

test('Scopes that a role lost, or that an inactive user had, are no longer listed', async () => {
  const { user } = await tenant.createUser({ roles: ['editor'] });
  expectStatus(200, await administer('PATCH', `/users/${user.id}`, { roles: ['lister'] }));
  const lister = [{ scope: 'read:users', granted_by: [granted('lister', 'read:users')] }];
  assert.deepEqual(expectStatus(200, await read(user.id)).permissions, lister);
  expectStatus(200, await administer('PATCH', `/users/${user.id}`, { is_active: false }));
  const { is_active, permissions, workspaces, all_workspaces } = expectStatus(
    200,
    await read(user.id),
  );
  assert.deepEqual(
    { is_active, permissions, workspaces, all_workspaces },
    { is_active: false, permissions: [], workspaces: [], all_workspaces: false },
  );
});

test('Reading the permissions of a user requires the scopes to read users and roles', async () => {
  const { token } = await tenant.createUser({ roles: ['lister'] });
  const reader = await tenant.createUser({ roles: ['reader'] });
  const refused = expectStatus(403, await read(reader.user.id, token));
  assert.match(refused.detail, /read:roles/);
  expectStatus(200, await read(reader.user.id, reader.token));
});

test('An unknown user is not found', async () => {
  for (const id of [UNKNOWN_USER, 'x']) expectStatus(404, await read(id));
});
