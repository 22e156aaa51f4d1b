import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { InvitationRecord } from '@keywright/contract/records/invitation';
import type { OwnInvitationRecord } from '@keywright/contract/records/own-invitation';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { invite as inviteThrough } from '@keywright/tests/harness/invitations';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import { parallel } from '@keywright/tests/harness/parallel';
import { startSecondStep, proveSecondFactor } from '@keywright/tests/harness/second-step';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let admin: string;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  tenant = await keywright.tenant('waiting');
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

const GRANTS = { roles: ['reader'], workspaces: ['ws_paper'] };

async function setIdentifiers({ user }: TestUser, identifiers: readonly object[]): Promise<void> {
  const options = { token: admin, body: { identifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
}

async function newUser(): Promise<TestUser> {
  const user = await tenant.createUser();
  await setIdentifiers(user, [{ identifier: user.identifier, verified: true }]);
  return user;
}

async function invite(to: TestUser, grants: object = GRANTS, by?: string): Promise<string> {
  const body = { ...grants, identifier: to.identifier };
  const { invitation } = await inviteThrough({ keywright, sink }, tenant, body, by);
  return invitation.id;
}

async function waitingFor({ token }: TestUser): Promise<readonly OwnInvitationRecord[]> {
  const answer = await tenant.request<{ items: OwnInvitationRecord[] }>('GET', '/me/invitations', {
    token,
  });
  return expectStatus(200, answer).items;
}

const accept = ({ token }: TestUser, id: string) =>
  tenant.request<OwnInvitationRecord & ErrorBody>('POST', `/me/invitations/${id}/accept`, {
    token,
  });
const decline = ({ token }: TestUser, id: string) =>
  tenant.request<ErrorBody>('DELETE', `/me/invitations/${id}`, { token });

async function stateOf(id: string): Promise<InvitationRecord> {
  const answer = await tenant.request<InvitationRecord>('GET', `/invitations/${id}`, {
    token: admin,
  });
  return expectStatus(200, answer);
}

async function userOf({ user }: TestUser): Promise<UserRecord> {
  const answer = await tenant.request<UserRecord>('GET', `/users/${user.id}`, { token: admin });
  return expectStatus(200, answer);
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

describe('an invitation to a verified address of a user', () => {
  test('An invitation to a verified address of a user is listed with what it grants, and accepted without its token', async () => {
    const user = await newUser();
    const id = await invite(user);
    const [waiting, ...others] = await waitingFor(user);
    assert.deepEqual(others, []);
    assert.equal(waiting?.id, id);
    assert.deepEqual(waiting?.workspaces, [
      { id: 'ws_paper', tenant_id: tenant.id, name: 'Paper' },
    ]);
    assert.deepEqual(waiting?.roles, ['reader']);
    assert.deepEqual(expectStatus(200, await accept(user, id)), waiting);
    const { roles, workspaces } = await userOf(user);
    assert.deepEqual([roles.includes('reader'), workspaces], [true, ['ws_paper']]);
    const { status, accepted_by } = await stateOf(id);
    assert.deepEqual([status, accepted_by], ['accepted', user.user.id]);
    // Roles have changed, so the previous token is no longer accepted.
    const { access_token: token } = await tenant.login(user.identifier, user.password);
    assert.deepEqual(await waitingFor({ ...user, token }), []);
    refused(await accept({ ...user, token }, id), 404, 'NOT_FOUND');
  });

  test('An invitation that was declined can no longer be accepted', async () => {
    const user = await newUser();
    const id = await invite(user);
    expectStatus(200, await decline(user, id));
    assert.equal((await stateOf(id)).status, 'revoked');
    assert.deepEqual(await waitingFor(user), []);
    refused(await accept(user, id), 404, 'NOT_FOUND');
    refused(await decline(user, id), 404, 'NOT_FOUND');
    assert.ok(!(await userOf(user)).roles.includes('reader'));
  });

  test('An invitation is accepted or declined once, whatever requests are concurrent', async () => {
    const user = await newUser();
    const id = await invite(user);
    const answers = await parallel(8, (n) => (n % 2 === 0 ? accept(user, id) : decline(user, id)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const { status } = await stateOf(id);
    assert.equal((await userOf(user)).roles.includes('reader'), status === 'accepted');
  });

  test('An invitation is hidden from other users, also if they know its ID or have the address unverified', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const id = await invite(user);
    for (const step of [accept, decline]) refused(await step(other, id), 404, 'NOT_FOUND');
    await setIdentifiers(user, [
      { identifier: newIdentifier(), verified: true },
      { identifier: user.identifier, verified: false },
    ]);
    assert.deepEqual(await waitingFor(user), []);
    for (const step of [accept, decline]) refused(await step(user, id), 404, 'NOT_FOUND');
    assert.equal((await stateOf(id)).status, 'pending');
  });

  test('An expired invitation is not listed', async () => {
    const user = await newUser();
    const id = await invite(user, { ...GRANTS, expires_in_days: 1 });
    keywright.clock.advance(24 * 3600 + 1);
    const { access_token: token } = await tenant.login(user.identifier, user.password);
    assert.deepEqual(await waitingFor({ ...user, token }), []);
    refused(await accept({ ...user, token }, id), 404, 'NOT_FOUND');
    admin = await tenant.adminToken();
  });

  test('An invitation grants nothing that its inviter may no longer grant, which is recorded', async () => {
    const [user, inviter] = [await newUser(), await tenant.createUser({ roles: ['admin'] })];
    const id = await invite(user, GRANTS, inviter.token);
    const options = { token: admin, body: { roles: ['member'] } };
    expectStatus(200, await tenant.request('PATCH', `/users/${inviter.user.id}`, options));
    refused(await accept(user, id), 404, 'NOT_FOUND');
    assert.ok(!(await userOf(user)).roles.includes('reader'));
    const path = `/audit?action=invitation.refused&target=${id}`;
    const details = await until('the refusal in the log', async () => {
      const log = await tenant.request<{ items: { details: object }[] }>('GET', path, {
        token: admin,
      });
      return expectStatus(200, log).items[0]?.details;
    });
    assert.deepEqual(details, { reason: 'grantor_not_entitled', user_id: user.user.id });
  });

  test('An invitation that grants a role for which a second factor is required needs a login with one', async () => {
    const strict = { token: admin, body: { config: { require_mfa_role: 'reader' } } };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, strict));
    const user = await newUser();
    const id = await invite(user);
    refused(await accept(user, id), 401, 'STEP_UP_REQUIRED');
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(31);
    const startedFlow = await startSecondStep(tenant, user);
    const code = totpOf(secret, keywright.clock.now());
    const proven = await proveSecondFactor(tenant, 'totp', startedFlow, code);
    const { access_token: token = '' } = expectStatus(200, proven);
    expectStatus(200, await accept({ ...user, token }, id));
  });
});
