import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AccountDeletion } from '@keywright/contract/records/account-deletion';
import { createUserWith, delegate, exchange } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await keywright.tenant('leaving', { config: { allow_account_deletion: true } });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

function remove({ token, identifier }: Pick<TestUser, 'token' | 'identifier'>, at = tenant) {
  return at.request('POST', '/me/deletion', { token, body: { identifier } });
}

async function preview({ token }: Pick<TestUser, 'token'>): Promise<AccountDeletion> {
  const answer = await tenant.request<AccountDeletion>('GET', '/me/deletion', { token });
  return expectStatus(200, answer);
}

const exists = async ({ user }: TestUser) =>
  (await tenant.request('GET', `/users/${user.id}`, { token: await tenant.adminToken() }))
    .status === 200;

describe('users delete their accounts', () => {
  test('The deletion of an account deletes its sessions, credentials and addresses, which other users can have then', async () => {
    const user = await tenant.createUser();
    const { refresh_token } = await tenant.login(user.identifier, user.password);
    expectStatus(200, await remove(user));
    assert.equal(await exists(user), false);
    expectStatus(401, await tenant.request('GET', '/me', { token: user.token }));
    const body = { refresh_token };
    expectStatus(401, await tenant.request('POST', '/auth/refresh', { body }));
    const login = { identifier: user.identifier, secret: user.password };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body: login }));
    expectStatus(401, await remove(user));
    await tenant.createUser({ identifier: user.identifier });
  });

  test('The deletion of an account ends the agents that the user owns, and those that act for them', async () => {
    const user = await createUserWith(tenant, ['*:*']);
    const owned = await tenant.createAgent({
      owner_id: user.user.id,
      scopes: ['read:users'],
    });
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    await delegate(tenant, user, robot, ['read:users']);
    const { access_token: acting } = expectStatus(200, await exchange(tenant, robot, user.token));
    const ending = await preview(user);
    assert.deepEqual(
      [ending.agents.items.map(({ id }) => id), ending.api_keys.total, ending.delegations.total],
      [[owned.agent.id], 1, 1],
    );
    expectStatus(200, await remove(user));
    for (const token of [owned.key, acting]) {
      expectStatus(401, await tenant.request('GET', '/users', { token }));
    }
    const token = await tenant.adminToken();
    const agent = await tenant.request('GET', `/agents/${owned.agent.id}`, { token });
    assert.equal(expectStatus(200, agent)['is_active'], false);
    const [entry] = await entriesOf(tenant, { target: user.user.id, action: 'user.deleted' });
    assert.deepEqual([entry?.actor.id, entry?.details['agents']], [user.user.id, [owned.agent.id]]);
  });

  test('The preview of a deletion names the workspaces that will have no member', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    const token = await tenant.adminToken();
    for (const [name, members] of [
      ['Alone', [user]],
      ['Shared', [user, other]],
    ] as const) {
      const made = await tenant.request('POST', '/workspaces', { token, body: { name } });
      const { id } = expectStatus(201, made);
      for (const { user: member } of members) {
        const path = `/workspaces/${String(id)}/members/${member.id}`;
        expectStatus(200, await tenant.request('PUT', path, { token }));
      }
    }
    const { workspaces } = await preview(user);
    assert.deepEqual(
      workspaces.map(({ name, is_only_member: isOnly }) => [name, isOnly]),
      [
        ['Alone', true],
        ['Shared', false],
      ],
    );
  });

  test('The user is notified of the deletion at their verified addresses', async () => {
    const user = await tenant.createUser();
    const token = await tenant.adminToken();
    const body = { identifiers: [{ identifier: user.identifier, verified: true }] };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
    expectStatus(200, await remove(user));
    const mail = await until('the notice', () =>
      sink.mails.find(({ to }) => to.includes(user.identifier)),
    );
    assert.equal(mail.parsed.subject, 'Your leaving account was deleted');
  });
});

describe('an account stays', () => {
  test('allow_account_deletion: an account is not deleted unless the tenant allows it, which it does not by default', async () => {
    const strict = await keywright.tenant('staying');
    const user = await strict.createUser();
    const refused = await remove(user, strict);
    assert.equal(expectStatus(403, refused)['code'], 'ACCOUNT_DELETION_OFF');
    expectStatus(200, await strict.request('GET', '/me', { token: user.token }));
  });

  test('An account is not deleted without one of its own addresses as a confirmation', async () => {
    const [user, other] = [await tenant.createUser(), await tenant.createUser()];
    for (const identifier of [other.identifier, 'unknown@example.com', 'unknown']) {
      expectStatus(400, await remove({ ...user, identifier }));
    }
    assert.deepEqual([await exists(user), await exists(other)], [true, true]);
  });

  test('An account is not deleted after a login that is not recent, nor by a caller who is not the user in person', async () => {
    const user = await createUserWith(tenant, ['*:*']);
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    await delegate(tenant, user, robot, ['*:*']);
    const { access_token: acting } = expectStatus(200, await exchange(tenant, robot, user.token));
    for (const token of [acting, robot.key]) expectStatus(403, await remove({ ...user, token }));
    keywright.clock.advance(301);
    const refused = await remove(user);
    assert.equal(expectStatus(401, refused)['code'], 'STEP_UP_REQUIRED');
    assert.equal(await exists(user), true);
  });
});
