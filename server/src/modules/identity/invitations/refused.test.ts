import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '@keywright/contract/ids';
import { delegate, exchange } from '@keywright/tests/harness/delegation';
import { newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  type FlowReply,
  flowStep,
  type Invited,
  invite as inviteThrough,
  openedInvitation,
} from '@keywright/tests/harness/invitations';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let admin: string;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const config = { login_attempts_limit: 10_000, magic_link_url: 'https://app.example.com/in' };
  tenant = await keywright.tenant('refusing', { config });
  const token = await tenant.adminToken();
  const roles = {
    reader: ['read:users'],
    inviter: ['read:users', 'write:users', 'write:workspaces'],
  };
  for (const [name, scopes] of Object.entries(roles)) {
    expectStatus(201, await tenant.request('POST', '/roles', { token, body: { name, scopes } }));
  }
});
beforeEach(async () => {
  admin = await tenant.adminToken();
});
after(async () => {
  await keywright.close();
  await sink.close();
});

const invite = (body: object = {}, by?: string): Promise<Invited> =>
  inviteThrough({ keywright, sink }, tenant, body, by);

async function usersCalled(identifier: string, at = tenant): Promise<number> {
  const rows = await keywright.database.query(
    'SELECT FROM user_identifiers WHERE tenant_id = $1 AND identifier = $2',
    [at.id, identifier],
  );
  return rows.length;
}

/** Accepts the invitation as a new user. */
async function join({ token }: Invited): Promise<FlowReply> {
  const startedFlow = await openedInvitation(tenant, token);
  return flowStep(tenant, startedFlow, 'new-password', { secret: newPassword() });
}

/** Requires that the invitation grants nothing and leaves no user behind. */
async function refusesToJoin(invited: Invited, reason: string): Promise<void> {
  const reply = await join(invited);
  assert.equal(reply.body.code, 'FLOW_ENDED', reply.text);
  assert.equal(await usersCalled(invited.invitation.identifier), 0);
  await requireReason(invited, reason);
}

async function requireReason({ invitation }: Invited, reason: string): Promise<void> {
  const found = await until('a refused invitation in the log', async () => {
    const rows = await keywright.database.query<{ reason: string }>(
      `SELECT details ->> 'reason' AS reason FROM audit_entries
        WHERE tenant_id = $1 AND action = 'invitation.refused' AND target_id = $2`,
      [tenant.id, invitation.id],
    );
    return rows.at(-1)?.reason;
  });
  assert.equal(found, reason);
}

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  await keywright.database.query(
    'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND user_id = $2',
    [tenant.id, user.user.id],
  );
  return user;
}

describe('nothing is granted that the inviter could not grant now:', () => {
  const GRANTS = { roles: ['reader'], workspaces: [] as string[] };

  async function inviter(): Promise<TestUser> {
    return tenant.createUser({ roles: ['inviter'] });
  }

  async function patch(id: UserId, body: object): Promise<void> {
    expectStatus(200, await tenant.request('PATCH', `/users/${id}`, { token: admin, body }));
  }

  test('An invitation grants nothing while its inviter is inactive', async () => {
    const by = await inviter();
    const invited = await invite({ roles: [] }, by.token);
    await patch(by.user.id, { is_active: false });
    await refusesToJoin(invited, 'grantor_not_entitled');
    await patch(by.user.id, { is_active: true });
    expectStatus(200, await join(invited));
  });

  test('An invitation grants nothing if its inviter was deleted', async () => {
    const by = await inviter();
    const invited = await invite({ roles: [] }, by.token);
    expectStatus(200, await tenant.request('DELETE', `/users/${by.user.id}`, { token: admin }));
    await refusesToJoin(invited, 'grantor_not_entitled');
  });

  test('An invitation grants nothing if its inviter may no longer invite', async () => {
    const by = await inviter();
    const invited = await invite({ roles: [] }, by.token);
    await patch(by.user.id, { roles: ['reader'] });
    await refusesToJoin(invited, 'grantor_not_entitled');
  });

  test('An invitation grants nothing if its inviter lost what it grants', async () => {
    const body = { name: 'narrow', scopes: ['write:users'] };
    expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body }));
    const by = await inviter();
    const invited = await invite(GRANTS, by.token);
    await patch(by.user.id, { roles: ['narrow'] });
    await refusesToJoin(invited, 'grantor_not_entitled');
  });

  test('An invitation grants nothing if a role has more scopes than when it was granted', async () => {
    const body = { name: 'growing', scopes: ['read:users'] };
    expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body }));
    const by = await inviter();
    const invited = await invite({ roles: ['growing'] }, by.token);
    const more = { token: admin, body: { scopes: ['read:users', 'write:tenant'] } };
    expectStatus(200, await tenant.request('PATCH', '/roles/growing', more));
    await refusesToJoin(invited, 'grantor_not_entitled');
  });

  test('An invitation grants nothing if a role of it was deleted', async () => {
    const body = { name: 'passing', scopes: [] };
    expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body }));
    const invited = await invite({ roles: ['passing', 'reader'] });
    expectStatus(200, await tenant.request('DELETE', '/roles/passing', { token: admin }));
    await refusesToJoin(invited, 'role_unknown');
  });

  test('An invitation grants nothing if a workspace of it was deleted', async () => {
    const body = { name: 'Passing', slug: 'passing' };
    expectStatus(201, await tenant.request('POST', '/workspaces', { token: admin, body }));
    const invited = await invite({ ...GRANTS, workspaces: ['ws_passing'] });
    const gone = await tenant.request('DELETE', '/workspaces/ws_passing', { token: admin });
    expectStatus(200, gone);
    await refusesToJoin(invited, 'workspace_unknown');
  });

  test('An invitation grants nothing to a user who holds more than the inviter', async () => {
    const by = await inviter();
    const user = await verified();
    await patch(user.user.id, { roles: ['admin'] });
    const invited = await invite({ ...GRANTS, identifier: user.identifier }, by.token);
    const startedFlow = await openedInvitation(tenant, invited.token);
    const reply = await flowStep(tenant, startedFlow, 'password', { secret: user.password });
    assert.equal(reply.body.code, 'FLOW_ENDED');
    await requireReason(invited, 'grantor_not_entitled');
  });

  test('An account whose user holds scopes does not pass to the person who was invited', async () => {
    const by = await inviter();
    const user = await tenant.createUser({ roles: ['admin'] });
    const invited = await invite({ roles: [], identifier: user.identifier }, by.token);
    const startedFlow = await openedInvitation(tenant, invited.token);
    const secret = newPassword();
    const reply = await flowStep(tenant, startedFlow, 'new-password', { secret });
    assert.equal(reply.body.code, 'STEP_NOT_NEEDED');
    await tenant.login(user.identifier, user.password);
  });

  test('An invitation grants nothing if the agent that invited is inactive', async () => {
    const { agent, key } = await tenant.createAgent({ scopes: ['write:users', 'read:users'] });
    const invited = await invite(GRANTS, key);
    const path = `/agents/${agent.id}`;
    const off = { token: admin, body: { is_active: false } };
    expectStatus(200, await tenant.request('PATCH', path, off));
    await refusesToJoin(invited, 'grantor_not_entitled');
    const on = { token: admin, body: { is_active: true } };
    expectStatus(200, await tenant.request('PATCH', path, on));
    expectStatus(200, await join(invited));
  });

  test('An invitation grants nothing if the user revoked the delegation to the agent that invited for them', async () => {
    const by = await inviter();
    const robot = await tenant.createAgent({ scopes: ['write:users'] });
    const { id } = await delegate(tenant, by, robot, ['write:users']);
    const { access_token: lent } = expectStatus(200, await exchange(tenant, robot, by.token));
    const invited = await invite({ roles: ['member'] }, lent);
    const path = `/me/delegations/${id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: by.token }));
    await refusesToJoin(invited, 'grantor_not_entitled');
    await delegate(tenant, by, robot, ['write:users']);
    expectStatus(200, await join(invited));
  });

  test('An invitation grants nothing if an agent invited for a user, and a role has scopes by now', async () => {
    const body = { name: 'empty', scopes: [] };
    expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body }));
    const by = await inviter();
    const robot = await tenant.createAgent({ scopes: ['write:users', 'read:users'] });
    await delegate(tenant, by, robot, ['write:users', 'read:users']);
    const { access_token: lent } = expectStatus(200, await exchange(tenant, robot, by.token));
    const invited = await invite({ roles: ['empty'] }, lent);
    const more = { token: admin, body: { scopes: ['read:users'] } };
    expectStatus(200, await tenant.request('PATCH', '/roles/empty', more));
    await refusesToJoin(invited, 'grantor_not_entitled');
  });

  test('An invitation grants nothing if its inviter may no longer add users to workspaces', async () => {
    const by = await inviter();
    const workspace = { name: 'Shed', slug: 'shed' };
    const made = { token: admin, body: workspace };
    expectStatus(201, await tenant.request('POST', '/workspaces', made));
    const invited = await invite({ roles: [], workspaces: ['ws_shed'] }, by.token);
    const body = { name: 'no-workspaces', scopes: ['read:users', 'write:users'] };
    expectStatus(201, await tenant.request('POST', '/roles', { token: admin, body }));
    await patch(by.user.id, { roles: ['no-workspaces'] });
    await refusesToJoin(invited, 'grantor_not_entitled');
  });

  test('An invitation grants nothing if its inviter is no longer a system administrator', async () => {
    const by = await keywright.home.createUser({ roles: ['system_admin'] });
    const body = { tenant_id: tenant.id, reason: 'to invite a user' };
    const options = { token: by.token, body };
    const answer = await keywright.home.request('POST', '/auth/impersonate', options);
    const { access_token: token } = expectStatus(200, answer) as { access_token: string };
    const [refused, accepted] = [
      await invite({ roles: ['admin'] }, token),
      await invite({}, token),
    ];
    expectStatus(200, await join(accepted));
    const path = `/users/${by.user.id}`;
    const off = { token: await keywright.adminToken(), body: { roles: [] } };
    expectStatus(200, await keywright.home.request('PATCH', path, off));
    await refusesToJoin(refused, 'grantor_not_entitled');
  });
});
