import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  flowStep,
  invite,
  type Invited,
  openedInvitation,
} from '@keywright/tests/harness/invitations';
import { type Keywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { type FakeProvider, proveUpstream } from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let sink: MailSink;
let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;

before(async () => {
  sink = await startMailSink();
  upstream = await startUpstreamLogin({ slug: 'invited', clock: 'fake', env: mailThrough(sink) });
  ({ keywright, tenant, provider, record } = upstream);
  await tenant.adminToken();
  const options = {
    token: await keywright.adminToken(),
    body: { config: { allow_registration: false } },
  };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, options));
});
after(async () => {
  await upstream.close();
  await sink.close();
});

let people = 0;
const personOf = (email: string) => ({
  sub: `invited-${(people += 1)}`,
  email,
  email_verified: true,
});

const invited = (body: object = {}) => invite({ keywright, sink }, tenant, body);

async function comesBackAs({ token }: Invited, person: ReturnType<typeof personOf>) {
  const { flow, flow_token } = await openedInvitation(tenant, token);
  const started = { ...flow, flow_token };
  return {
    started,
    reply: await proveUpstream(tenant, started, { provider, record }, person),
  };
}

async function stateOf({ invitation }: Invited): Promise<InvitationRecord> {
  const options = { token: await tenant.adminToken() };
  const path = `/invitations/${invitation.id}`;
  return expectStatus(200, await tenant.request<InvitationRecord>('GET', path, options));
}

test('A new user joins only with an identity of the invited address', async () => {
  const invitee = await invited({ roles: ['admin'] });
  const other = await comesBackAs(invitee, personOf(newIdentifier()));
  assert.equal(other.reply.body.code, 'INVALID_CREDENTIALS');
  assert.equal((await stateOf(invitee)).status, 'pending');
  const person = personOf(invitee.invitation.identifier);
  const { reply } = await comesBackAs(invitee, person);
  const { user, access_token: token = '' } = expectStatus(200, reply);
  assert.deepEqual(user?.identifiers, [
    { type: 'email', identifier: person.email, verified: true },
  ]);
  const { status, accepted_by: by } = await stateOf(invitee);
  assert.deepEqual([status, by], ['accepted', user?.id]);
  expectStatus(200, await tenant.request('GET', '/users', { token }));
});

test('An invitation whose inviter can no longer invite lets no one join', async () => {
  const by = await tenant.createUser({ roles: ['admin'] });
  const invitee = await invite({ keywright, sink }, tenant, {}, by.token);
  const off = { token: await tenant.adminToken(), body: { is_active: false } };
  expectStatus(200, await tenant.request('PATCH', `/users/${by.user.id}`, off));
  const { reply } = await comesBackAs(invitee, personOf(invitee.invitation.identifier));
  assert.equal(reply.body.code, 'FLOW_ENDED');
  const rows = await keywright.database.query(
    'SELECT FROM user_identifiers WHERE tenant_id = $1 AND identifier = $2',
    [tenant.id, invitee.invitation.identifier],
  );
  assert.equal(rows.length, 0);
});

test('A user proves the account before an identity of its address is linked, and that proof accepts the invitation', async () => {
  const user = await tenant.createUser();
  await keywright.database.query(
    'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND user_id = $2',
    [tenant.id, user.user.id],
  );
  const invitee = await invited({ identifier: user.identifier, roles: ['admin'] });
  const { started, reply } = await comesBackAs(invitee, personOf(user.identifier));
  assert.equal(expectStatus(200, reply).access_token, undefined);
  assert.equal((await stateOf(invitee)).status, 'pending');
  const flow = { flow: started, flow_token: started.flow_token };
  const done = await flowStep(tenant, flow, 'password', { secret: user.password });
  assert.equal(expectStatus(200, done).user?.id, user.user.id);
  assert.equal((await stateOf(invitee)).status, 'accepted');
});
