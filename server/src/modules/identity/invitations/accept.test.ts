import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { PasskeyCreationOptions } from '@keywright/contract/records/passkey';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
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
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import {
  addPasskey,
  startPasskeyFlow,
  provePasskey,
  requestOptions,
  TestPasskey,
} from '@keywright/tests/harness/passkey';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { totpOf } from '@keywright/tests/harness/totp';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let admin: string;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await newTenant('accepting');
  admin = await tenant.adminToken();
  const made = { token: admin, body: { name: 'Paper', slug: 'paper' } };
  expectStatus(201, await tenant.request('POST', '/workspaces', made));
  const role = { token: admin, body: { name: 'reader', scopes: ['read:users'] } };
  expectStatus(201, await tenant.request('POST', '/roles', role));
});
after(async () => {
  await keywright.close();
  await sink.close();
});

/** Creates a tenant without user registration. */
async function newTenant(slug: string): Promise<TestTenant> {
  const magic_link_url = 'https://app.example.com/login';
  const at = await keywright.tenant(slug, {
    config: { magic_link_url, login_attempts_limit: 10_000 },
  });
  await at.adminToken();
  await change(at, { allow_registration: false });
  return at;
}

const GRANTS = { roles: ['reader'], workspaces: ['ws_paper'] };

const invite = (body: object = {}, at = tenant): Promise<Invited> =>
  inviteThrough({ keywright, sink }, at, body);

const stepsOf = ({ flow }: { flow: { needs: { step: string }[] } }) =>
  flow.needs.map(({ step }) => step);

async function stateOf({ invitation }: Invited, at = tenant): Promise<InvitationRecord> {
  const options = { token: await at.adminToken() };
  return expectStatus(
    200,
    await at.request<InvitationRecord>('GET', `/invitations/${invitation.id}`, options),
  );
}

/** Requires that the login accepted the invitation, and returns the claims and the user. */
async function requireAccepted(invited: Invited, reply: FlowReply, at = tenant) {
  const { access_token = '', user } = expectStatus(200, reply);
  const { status, accepted_by } = await stateOf(invited, at);
  assert.deepEqual([status, accepted_by], ['accepted', user?.id]);
  const token = await at.adminToken();
  const record = await at.request<UserRecord>('GET', `/users/${user?.id}`, { token });
  return { claims: claimsOf(access_token), user: expectStatus(200, record) };
}

describe('a new user', () => {
  test('A new user sets a password, and has what was granted and nothing else', async () => {
    const invited = await invite(GRANTS);
    const startedFlow = await openedInvitation(tenant, invited.token);
    assert.equal(startedFlow.invitation?.identifier, invited.invitation.identifier);
    assert.deepEqual(stepsOf(startedFlow), ['new_password', 'enroll', 'message']);
    const secret = newPassword();
    const reply = await flowStep(tenant, startedFlow, 'new-password', { secret });
    const again = await flowStep(tenant, startedFlow, 'tokens');
    assert.equal(expectStatus(200, again).refresh_token, reply.body.refresh_token);
    const { claims, user } = await requireAccepted(invited, reply);
    assert.deepEqual(user.roles, ['reader']);
    assert.deepEqual(user.workspaces, ['ws_paper']);
    assert.deepEqual(claims.scopes, ['read:users']);
    assert.equal(claims.acr, 'aal1');
    assert.deepEqual(
      user.identifiers.map(({ identifier, verified }) => [identifier, verified]),
      [[invited.invitation.identifier, true]],
    );
    await tenant.login(invited.invitation.identifier, secret);
  });

  test('A new user can request the session in a workspace of the invitation', async () => {
    const invited = await invite(GRANTS);
    const startedFlow = await openedInvitation(tenant, invited.token, { workspace_id: 'ws_paper' });
    const reply = await flowStep(tenant, startedFlow, 'new-password', { secret: newPassword() });
    const { claims } = await requireAccepted(invited, reply);
    assert.equal(claims.workspace_id, 'ws_paper');
  });

  test('A new user enters the code of a message where passwords are not allowed', async () => {
    const at = await newTenant('by-mail');
    const invited = await invite({}, at);
    await change(at, { allowed_login_methods: ['magic_link'], magic_link_registration: false });
    const startedFlow = await openedInvitation(at, invited.token);
    assert.deepEqual(stepsOf(startedFlow), ['message']);
    keywright.clock.advance(31);
    expectStatus(200, await flowStep(at, startedFlow, 'message'));
    const { code } = await mailedTo(sink, invited.invitation.identifier);
    const reply = await flowStep(at, startedFlow, 'code', { code });
    const { user } = await requireAccepted(invited, reply, at);
    assert.deepEqual(user.roles, ['member']);
  });

  test('A new user adds a passkey where that is the only login method', async () => {
    const at = await newTenant('by-passkey');
    const invited = await invite({}, at);
    await change(at, { allowed_login_methods: ['passkey'] });
    const startedFlow = await openedInvitation(at, invited.token);
    assert.deepEqual(startedFlow.flow.needs, [{ step: 'enroll', methods: ['passkey'] }]);
    assert.equal((await flowStep(at, startedFlow, 'enroll/totp')).body.code, 'STEP_NOT_NEEDED');
    const reply = await enrollPasskey(at, startedFlow, invited);
    const { claims, user } = await requireAccepted(invited, reply, at);
    assert.equal(claims.acr, 'phr');
    assert.equal(user.identifiers[0]?.identifier, invited.invitation.identifier);
  });

  test('A new user adds the second factor that the tenant requires, before a session', async () => {
    const at = await newTenant('by-two');
    const invited = await invite({}, at);
    await change(at, { require_mfa: true });
    await enrollsAfterPassword(at, invited);
  });

  test('A new user adds the second factor that a granted role requires', async () => {
    const at = await newTenant('by-role');
    const invited = await invite({ roles: ['admin'] }, at);
    await change(at, { require_mfa_role: 'admin' });
    await enrollsAfterPassword(at, invited);
  });
});

async function enrollPasskey(at: TestTenant, startedFlow: StartedFlow, { invitation }: Invited) {
  const offer = await flowStep(at, startedFlow, 'enroll/passkey/options');
  const { options } = expectStatus(200, offer) as never as {
    options: PasskeyCreationOptions;
  };
  // Nothing remains of a user who might have registered the address.
  assert.equal(options.user.name, invitation.identifier);
  assert.deepEqual(options.excludeCredentials, []);
  const credential = new TestPasskey().create(options);
  return flowStep(at, startedFlow, 'enroll/passkey', { credential });
}

async function enrollsAfterPassword(at: TestTenant, invited: Invited): Promise<void> {
  const startedFlow = await openedInvitation(at, invited.token);
  const half = await flowStep(at, startedFlow, 'new-password', { secret: newPassword() });
  const { access_token, flow } = expectStatus(200, half);
  assert.equal(access_token, undefined);
  assert.deepEqual(flow.needs, [{ step: 'enroll', methods: ['passkey', 'totp'] }]);
  assert.deepEqual((await rolesOf(at, invited)).roles, []);
  const shown = expectStatus(200, await flowStep(at, startedFlow, 'enroll/totp'));
  const { secret } = shown as never as { secret: string };
  const code = totpOf(secret, keywright.clock.now());
  const reply = await flowStep(at, startedFlow, 'enroll/totp/confirm', { code });
  const { claims, user } = await requireAccepted(invited, reply, at);
  assert.equal(claims.acr, 'aal2');
  assert.deepEqual(user.roles, invited.invitation.roles);
}

/**
 * The roles of the user of an invited address, from the database: the API might require more permissions than a test
 * has.
 */
async function rolesOf(at: TestTenant, { invitation }: Invited) {
  const rows = await keywright.database.query<{ role: string }>(
    `SELECT role FROM user_roles JOIN user_identifiers USING (tenant_id, user_id)
      WHERE tenant_id = $1 AND identifier = $2`,
    [at.id, invitation.identifier],
  );
  return { roles: rows.map(({ role }) => role) };
}

async function change(at: TestTenant, config: object): Promise<void> {
  const token = await keywright.adminToken();
  const options = { token, body: { config } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${at.id}`, options));
}

async function verifiedUser(at = tenant) {
  const user = await at.createUser();
  const verify = 'UPDATE user_identifiers SET verified = true WHERE user_id = $1';
  await keywright.database.query(verify, [user.user.id]);
  return user;
}

describe('a user', () => {
  test('An existing user logs in, keeps what they have, and gains what was granted', async () => {
    const user = await verifiedUser();
    const invited = await invite({ ...GRANTS, identifier: user.identifier });
    const startedFlow = await openedInvitation(tenant, invited.token);
    assert.deepEqual(stepsOf(startedFlow), ['password', 'message', 'passkey']);
    const refused = await flowStep(tenant, startedFlow, 'new-password', { secret: newPassword() });
    assert.equal(refused.body.code, 'STEP_NOT_NEEDED');
    const reply = await flowStep(tenant, startedFlow, 'password', { secret: user.password });
    const { user: now, claims } = await requireAccepted(invited, reply);
    assert.equal(now.id, user.user.id);
    assert.deepEqual(now.roles.toSorted(), ['member', 'reader']);
    assert.deepEqual(now.workspaces, ['ws_paper']);
    assert.deepEqual(claims.scopes, ['read:users']);
    // Earlier tokens do not have the new roles.
    const me = await tenant.request('GET', '/me', { token: user.token });
    assert.equal(me.status, 401);
  });

  test('An existing user proves their second factor', async () => {
    const user = await verifiedUser();
    const added = await tenant.request<{ id: string; secret: string }>('POST', '/me/factors/totp', {
      token: user.token,
      body: {},
    });
    const { id, secret } = expectStatus(201, added);
    const confirm = { token: user.token, body: { code: totpOf(secret, keywright.clock.now()) } };
    expectStatus(200, await tenant.request('POST', `/me/factors/totp/${id}/confirm`, confirm));
    const invited = await invite({ ...GRANTS, identifier: user.identifier });
    const startedFlow = await openedInvitation(tenant, invited.token);
    const half = await flowStep(tenant, startedFlow, 'password', { secret: user.password });
    assert.equal(expectStatus(200, half).access_token, undefined);
    assert.equal((await stateOf(invited)).status, 'pending');
    keywright.clock.advance(30);
    const code = totpOf(secret, keywright.clock.now());
    await requireAccepted(invited, await flowStep(tenant, startedFlow, 'totp', { code }));
  });

  test('A user whose address was never proven enters their password, or takes the account over', async () => {
    const squatter = await tenant.createUser();
    const invited = await invite({ ...GRANTS, identifier: squatter.identifier });
    const startedFlow = await openedInvitation(tenant, invited.token);
    assert.deepEqual(stepsOf(startedFlow), [
      'new_password',
      'enroll',
      'password',
      'message',
      'passkey',
    ]);
    const secret = newPassword();
    const reply = await flowStep(tenant, startedFlow, 'new-password', { secret });
    const { user } = await requireAccepted(invited, reply);
    assert.equal(user.id, squatter.user.id);
    const me = await tenant.request('GET', '/me', { token: squatter.token });
    assert.equal(me.status, 401);
    const refresh = { body: { refresh_token: squatter.refreshToken } };
    expectStatus(401, await tenant.request('POST', '/auth/refresh', refresh));
    const old = { identifier: squatter.identifier, secret: squatter.password };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body: old }));
    await tenant.login(squatter.identifier, secret);
  });

  test('A user whose address was never proven also loses the account, factors included, to a passkey', async () => {
    const squatter = await tenant.createUser();
    const { passkey } = await addPasskey(tenant, squatter.token);
    const invited = await invite({ ...GRANTS, identifier: squatter.identifier });
    const startedFlow = await openedInvitation(tenant, invited.token);
    const { user } = await requireAccepted(
      invited,
      await enrollPasskey(tenant, startedFlow, invited),
    );
    assert.equal(user.id, squatter.user.id);
    const flow = await startPasskeyFlow(tenant);
    const credential = passkey.get(await requestOptions(tenant, flow));
    expectStatus(400, await provePasskey(tenant, flow, credential));
    const old = { identifier: squatter.identifier, secret: squatter.password };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body: old }));
  });

  test('A user whose address was never proven keeps the account by its password', async () => {
    const user = await tenant.createUser();
    const invited = await invite({ ...GRANTS, identifier: user.identifier });
    const startedFlow = await openedInvitation(tenant, invited.token);
    const reply = await flowStep(tenant, startedFlow, 'password', { secret: user.password });
    const { user: now } = await requireAccepted(invited, reply);
    assert.equal(now.id, user.user.id);
    assert.equal(now.identifiers[0]?.verified, true);
  });

  test('A user loses an address that they never proved, but not one that they did', async () => {
    const user = await verifiedUser();
    const identifier = newIdentifier();
    await keywright.database.query(
      `INSERT INTO user_identifiers (tenant_id, user_id, identifier, type, position, verified)
       VALUES ($1, $2, $3, 'email', 1, false)`,
      [tenant.id, user.user.id, identifier],
    );
    const invited = await invite({ ...GRANTS, identifier });
    const startedFlow = await openedInvitation(tenant, invited.token);
    assert.deepEqual(stepsOf(startedFlow), ['new_password', 'enroll', 'message']);
    const reply = await flowStep(tenant, startedFlow, 'new-password', { secret: newPassword() });
    const { user: joined } = await requireAccepted(invited, reply);
    assert.notEqual(joined.id, user.user.id);
  });
});
