import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { WorkspaceRecord } from '@keywright/contract/records/workspace';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('members');
  token = await tenant.adminToken();
  for (const slug of ['paper', 'ink', 'glue']) {
    const made = { token, body: { name: slug, slug } };
    expectStatus(201, await tenant.request('POST', '/workspaces', made));
  }
});
after(() => keywright.close());

async function userIn(...workspaces: string[]): Promise<TestUser> {
  const user = await tenant.createUser();
  const options = { token, body: { workspaces } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  return user;
}

async function workspacesOf(user: TestUser): Promise<readonly string[]> {
  const answer = await tenant.request<{ items: WorkspaceRecord[] }>('GET', '/me/workspaces', {
    token: user.token,
  });
  return expectStatus(200, answer).items.map(({ id }) => id);
}

const leave = (user: TestUser, id: string) =>
  tenant.request<ErrorBody>('DELETE', `/me/workspaces/${id}`, { token: user.token });

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

test('Users read the workspaces that they are in: the default one first, and none of others', async () => {
  const [user, other] = [await userIn('ws_ink', 'ws_paper'), await userIn()];
  assert.deepEqual(await workspacesOf(user), ['ws_default', 'ws_ink', 'ws_paper']);
  assert.deepEqual(await workspacesOf(other), ['ws_default']);
});

test('Users leave a workspace, once, and it is recorded', async () => {
  const [user, other] = [await userIn('ws_ink', 'ws_paper'), await userIn('ws_ink')];
  expectStatus(200, await leave(user, 'ws_ink'));
  assert.deepEqual(await workspacesOf(user), ['ws_default', 'ws_paper']);
  assert.deepEqual(await workspacesOf(other), ['ws_default', 'ws_ink']);
  refused(await leave(user, 'ws_ink'), 404, 'NOT_FOUND');
  const log = await tenant.request<{ items: { action: string }[] }>('GET', '/me/audit', {
    token: user.token,
  });
  const { items } = expectStatus(200, log);
  const left = items.filter(({ action }) => action === 'workspace.member_removed');
  assert.equal(left.length, 1);
});

test('Users do not leave the default workspace, nor one that they are not in', async () => {
  const user = await userIn('ws_ink');
  refused(await leave(user, 'ws_default'), 400, 'DEFAULT_WORKSPACE_PROTECTED');
  for (const id of ['ws_glue', 'ws_unknown', 'nonsense']) {
    refused(await leave(user, id), 404, 'NOT_FOUND');
  }
});
