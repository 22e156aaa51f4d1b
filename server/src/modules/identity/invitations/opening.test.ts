import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  type FlowReply,
  flowStep,
  type Invited,
  invite as inviteThrough,
  openedInvitation,
  openInvitation,
} from '@keywright/tests/harness/invitations';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const DAY_SECONDS = 24 * 60 * 60;

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let admin: string;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const config = { login_attempts_limit: 10_000, magic_link_url: 'https://app.example.com/in' };
  tenant = await keywright.tenant('opening', { config });
  other = await keywright.tenant('other', { config });
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

describe('a token opens no flow', () => {
  async function refused(token: string, at = tenant): Promise<void> {
    const answer = await openInvitation(at, token);
    assert.equal(expectStatus(401, answer).code, 'FLOW_ENDED');
  }

  test('A token opens no flow in another tenant', async () => {
    const { token } = await invite();
    await refused(token, other);
  });

  test('A token that is guessed, cut, or for another purpose opens no flow', async () => {
    const { invitation, token } = await invite();
    const last = token.endsWith('A') ? 'B' : 'A';
    await refused(`${token.slice(0, -1)}${last}`);
    await refused(token.slice(0, -1));
    await refused(invitation.id);
    await refused(`${invitation.id}.`);
    await refused(`${(await invite()).invitation.id}.${token.split('.')[1]}`);
    await refused(`chl${token.slice(3)}`);
    await refused('x');
  });

  test('A token opens no flow with an identifier, with a link, or for another purpose', async () => {
    const { token } = await invite();
    const wrong: object[] = [
      { identifier: newIdentifier() },
      { continue: token },
      { purpose: 'login' },
      { purpose: 'recovery' },
    ];
    for (const more of wrong) expectStatus(400, await openInvitation(tenant, token, more));
    const body = { purpose: 'invitation' };
    expectStatus(400, await tenant.request('POST', '/auth/flows', { body }));
  });

  test('A token opens no flow once the invitation is revoked, accepted or expired, and a previous flow has ended', async () => {
    const [revoked, accepted, expired] = [
      await invite(),
      await invite(),
      await invite({ expires_in_days: 1 }),
    ];
    const startedFlow = await openedInvitation(tenant, revoked.token);
    const path = `/invitations/${revoked.invitation.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: admin }));
    expectStatus(200, await join(accepted));
    const headers = { 'x-flow-token': startedFlow.flow_token };
    const read = await tenant.request<StartedFlow>('GET', `/auth/flows/${startedFlow.flow.id}`, {
      headers,
    });
    assert.equal(expectStatus(200, read).flow.status, 'ended');
    const step = await flowStep(tenant, startedFlow, 'new-password', { secret: newPassword() });
    assert.equal(step.body.code, 'FLOW_ENDED');
    await refused(revoked.token);
    await refused(accepted.token);
    keywright.clock.advance(DAY_SECONDS - 1);
    const late = await openedInvitation(tenant, expired.token);
    keywright.clock.advance(1);
    await refused(expired.token);
    const secret = newPassword();
    const tooLate = await flowStep(tenant, late, 'new-password', { secret });
    assert.equal(tooLate.body.code, 'FLOW_ENDED');
    assert.equal(await usersCalled(expired.invitation.identifier), 0);
  });
});

test('Opening changes nothing, however often: the invitation waits for a credential', async () => {
  const invited = await invite();
  const startedFlows = [];
  for (let times = 0; times < 5; times += 1) {
    startedFlows.push(await openedInvitation(tenant, invited.token));
  }
  assert.equal(await usersCalled(invited.invitation.identifier), 0);
  const path = `/auth/flows/${startedFlows[0]?.flow.id}`;
  const headers = { 'x-flow-token': startedFlows[0]?.flow_token ?? '' };
  expectStatus(200, await tenant.request('GET', path, { headers }));
  expectStatus(200, await join(invited));
});

test('The link of a message that was sent again, and the one before it, are the same', async () => {
  const invited = await invite();
  keywright.clock.advance(31);
  const path = `/invitations/${invited.invitation.id}/resend`;
  expectStatus(200, await tenant.request('POST', path, { token: admin }));
  expectStatus(200, await join(invited));
});

test('A token of an invitation is no login: its user logs in as always', async () => {
  const user = await verified();
  const invited = await invite({ identifier: user.identifier, roles: ['admin'] });
  const startedFlow = await openedInvitation(tenant, invited.token);
  for (const step of ['new-password', 'enroll/passkey/options', 'enroll/totp']) {
    const body = step === 'new-password' ? { secret: newPassword() } : {};
    assert.equal(
      (await flowStep(tenant, startedFlow, step, body)).body.code,
      'STEP_NOT_NEEDED',
      step,
    );
  }
  const wrong = await flowStep(tenant, startedFlow, 'password', { secret: newPassword() });
  assert.equal(wrong.body.code, 'INVALID_CREDENTIALS');
  const link = { link_token: invited.token };
  expectStatus(400, await flowStep(tenant, startedFlow, 'link', link));
  expectStatus(
    401,
    await tenant.request('POST', '/auth/flows', { body: { continue: invited.token } }),
  );
});

test('A password that the rules reject leaves the invitation unchanged', async () => {
  const invited = await invite();
  const startedFlow = await openedInvitation(tenant, invited.token);
  const weak = await flowStep(tenant, startedFlow, 'new-password', { secret: 'short' });
  assert.equal(weak.body.code, 'VALIDATION_FAILED');
  const secret = newPassword();
  expectStatus(200, await flowStep(tenant, startedFlow, 'new-password', { secret }));
});

test('A session that cannot be opened leaves the invitation unchanged, and creates no user', async () => {
  const invited = await invite({ roles: ['reader'] });
  const { identifier } = invited.invitation;
  const elsewhere = await openedInvitation(tenant, invited.token, { workspace_id: 'ws_nowhere' });
  const secret = newPassword();
  const unknown = await flowStep(tenant, elsewhere, 'new-password', { secret });
  assert.equal(unknown.body.code, 'NOT_FOUND');
  assert.equal(await usersCalled(identifier), 0);
  await keywright.database.query(
    `CREATE FUNCTION fail_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'this commit fails' USING ERRCODE = 'check_violation'; END $$`,
  );
  for (const table of ['sessions', 'audit_entries', 'invitations', 'user_roles']) {
    await keywright.database.query(
      `CREATE CONSTRAINT TRIGGER fails_at_commit AFTER INSERT OR UPDATE ON ${table}
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_at_commit()`,
    );
    try {
      assert.equal((await join(invited)).status, 500, table);
    } finally {
      await keywright.database.query(`DROP TRIGGER fails_at_commit ON ${table}`);
    }
    assert.equal(await usersCalled(identifier), 0, table);
  }
  expectStatus(200, await join(invited));
});

test('The link of a message opened elsewhere leads to a flow that accepts the same invitation', async () => {
  const invited = await invite();
  const startedFlow = await openedInvitation(tenant, invited.token);
  keywright.clock.advance(31);
  expectStatus(200, await flowStep(tenant, startedFlow, 'message'));
  const { linkToken, code } = await mailedTo(sink, invited.invitation.identifier);
  const options = { body: { continue: linkToken } };
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', options);
  const elsewhere = expectStatus(201, answer);
  assert.deepEqual(
    [elsewhere.flow.purpose, elsewhere.flow.needs],
    ['invitation', [{ step: 'code' }]],
  );
  const { user } = expectStatus(200, await flowStep(tenant, elsewhere, 'code', { code }));
  const path = `/invitations/${invited.invitation.id}`;
  const now = await tenant.request<InvitationRecord>('GET', path, { token: admin });
  assert.deepEqual([now.body.status, now.body.accepted_by], ['accepted', user?.id]);
});

test('A new user who stopped before their second factor continues as the user they have become', async () => {
  const config = { login_attempts_limit: 10_000, magic_link_url: 'https://app.example.com/in' };
  const strict = await keywright.tenant('strict', { config });
  await strict.adminToken();
  const invited = await inviteThrough({ keywright, sink }, strict);
  const options = { token: await keywright.adminToken(), body: { config: { require_mfa: true } } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${strict.id}`, options));
  const secret = newPassword();
  const first = await openedInvitation(strict, invited.token);
  expectStatus(200, await flowStep(strict, first, 'new-password', { secret }));
  const second = await openedInvitation(strict, invited.token);
  assert.ok(!second.flow.needs.some(({ step }) => step === 'new_password'));
  // The token does not replace the message, because it could have been forwarded since.
  const half = await flowStep(strict, second, 'password', { secret });
  assert.deepEqual(expectStatus(200, half).flow.needs, [{ step: 'message', channels: ['email'] }]);
  keywright.clock.advance(31);
  expectStatus(200, await flowStep(strict, second, 'message'));
  const { code } = await mailedTo(sink, invited.invitation.identifier);
  const proven = await flowStep(strict, second, 'code', { code });
  assert.deepEqual(
    expectStatus(200, proven).flow.needs.map(({ step }) => step),
    ['enroll'],
  );
});

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  await keywright.database.query(
    'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND user_id = $2',
    [tenant.id, user.user.id],
  );
  return user;
}
