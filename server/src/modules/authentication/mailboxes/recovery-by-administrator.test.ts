import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

type Sent = ErrorBody & { readonly sent_to?: string };

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const config = { magic_link_url: 'https://app.example.com/login', notify_new_device: false };
  tenant = await keywright.tenant('rescued', { config });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

function recover({ user }: Pick<TestUser, 'user'>, token: string, at = tenant) {
  return at.request<Sent>('POST', `/users/${user.id}/recovery`, { token });
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

async function change({ user }: TestUser, body: object, at = tenant): Promise<void> {
  const token = await at.adminToken();
  expectStatus(200, await at.request('PATCH', `/users/${user.id}`, { token, body }));
}

async function verified(at = tenant): Promise<TestUser> {
  const user = await at.createUser();
  const { identifier } = user;
  await change(user, { identifiers: [{ type: 'email', identifier, verified: true }] }, at);
  return user;
}

test('An administrator sends a user a link, and its code lets the user set a new password', async () => {
  const user = await verified();
  const token = await tenant.adminToken();
  const { sent_to: sentTo } = expectStatus(200, await recover(user, token));
  assert.match(sentTo ?? '', /^.…@.….*$/);
  assert.ok(await tenant.login(user.identifier, user.password));
  const { code, linkToken } = await mailedTo(sink, user.identifier);
  const body = { continue: linkToken, purpose: 'recovery' };
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', { body });
  const { flow, flow_token } = expectStatus(201, answer);
  const step = (name: string, fields: object) =>
    tenant.request<FlowAnswer>('POST', `/auth/flows/${flow.id}/${name}`, {
      body: { flow_token, ...fields },
    });
  expectStatus(200, await step('code', { code }));
  const secret = newPassword();
  const done = expectStatus(200, await step('new-password', { secret }));
  assert.equal(done.user?.id, user.user.id);
  const { user: again } = await tenant.login(user.identifier, secret);
  assert.equal(again.id, user.user.id);
  const [entry] = await keywright.database.query<{ target_id: string }>(
    `SELECT target_id FROM audit_entries WHERE tenant_id = $1 AND action = 'user.recovery_sent'`,
    [tenant.id],
  );
  assert.equal(entry?.target_id, user.user.id);
});

test('A user who is inactive, or has no verified address, is unreachable', async () => {
  const token = await tenant.adminToken();
  const unverified = await tenant.createUser();
  refused(await recover(unverified, token), 400, 'USER_UNREACHABLE');
  const inactive = await verified();
  await change(inactive, { is_active: false });
  refused(await recover(inactive, token), 400, 'USER_UNREACHABLE');
});

test('A recovery in a tenant without a page for its links is refused, and the response names the missing setting', async () => {
  const token = (at: TestTenant) => at.adminToken();
  const pageless = await keywright.tenant('pageless');
  const user = await verified(pageless);
  const answer = await recover(user, await token(pageless), pageless);
  refused(answer, 400, 'METHOD_NOT_READY');
  assert.match(answer.body.detail, /magic_link_url/);
});

test('A recovery cannot be sent to a user with more scopes, and a user of another tenant is unknown', async () => {
  const helper = await tenant.createUser({ roles: ['admin'] });
  const role = { name: 'helpdesk', scopes: ['write:users', 'read:users'] };
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
  const desk = await tenant.createUser({ roles: ['helpdesk'] });
  refused(await recover(helper, desk.token), 403, 'SCOPE_NOT_HELD');
  const other = await keywright.tenant('other');
  const stranger = await other.createUser({ identifier: newIdentifier() });
  refused(await recover(stranger, token), 404, 'NOT_FOUND');
});

test('A second recovery message within 30 seconds is refused, and nothing of it is recorded', async () => {
  const user = await verified();
  const token = await tenant.adminToken();
  expectStatus(200, await recover(user, token));
  refused(await recover(user, token), 429, 'TOO_MANY_MESSAGES');
  const entries = await keywright.database.query(
    `SELECT 1 FROM audit_entries WHERE tenant_id = $1 AND action = 'user.recovery_sent' AND target_id = $2`,
    [tenant.id, user.user.id],
  );
  assert.equal(entries.length, 1);
});
