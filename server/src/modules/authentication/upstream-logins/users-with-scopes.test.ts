// Neither a provider nor a reader of the user's email can open a session of a user with scopes without the user's
// proof.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import type { ErrorBody } from '@keywright/contract/errors';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { OfferedFlow } from '@keywright/contract/records/login-flow';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { invite, openedInvitation } from '@keywright/tests/harness/invitations';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';
import {
  addProvider,
  startUpstreamFlow,
  type FakeProvider,
  flowStep,
  proveUpstream,
  startFakeProvider,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';

let keywright: Keywright;
let sink: MailSink;
let tenant: TestTenant;
let provider: FakeProvider;
/** A provider that is authoritative for example.com, links automatically, and whose two factors count. */
let record: IdentityProviderRecord;
let people = 0;

const POWERFUL = { domains: ['example.com'], link: 'auto', trust_mfa: true };
const CONFIG = { ...UPSTREAM_CONFIG, magic_link_url: 'https://app.example.com/login' };

before(async () => {
  sink = await startMailSink();
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', ...mailThrough(sink) };
  keywright = await startKeywright({ clock: 'fake', env });
  provider = await startFakeProvider();
  provider.now = () => keywright.clock.now().getTime();
  tenant = await keywright.tenant('powerful', { config: CONFIG });
  record = await addProvider(tenant, provider, POWERFUL);
});
after(async () => {
  await keywright.close();
  await Promise.all([provider.close(), sink.close()]);
});
beforeEach(() => keywright.database.query('DELETE FROM login_attempts'));

/** The claims that the provider can make about any user. */
function personOf(email: string, sub = `subject-${(people += 1)}`) {
  return { sub, email, email_verified: true, amr: ['mfa'], acr: 'phr' };
}

const linkedTo = async ({ user }: TestUser) =>
  keywright.database.query(
    `SELECT provider FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'oauth'`,
    [tenant.id, user.id],
  );

async function verify({ user, identifier }: Pick<TestUser, 'user' | 'identifier'>): Promise<void> {
  const body = { identifiers: [{ identifier, verified: true }] };
  const options = { token: await tenant.adminToken(), body };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
}

async function login(person: ReturnType<typeof personOf>, body = {}, at = record, of = tenant) {
  const flow = await startUpstreamFlow(of, body);
  return { flow, answer: await proveUpstream(of, flow, { provider, record: at }, person) };
}

function refused(answer: Answer<ErrorBody>, code: string): void {
  assert.equal(answer.body.code, code, answer.text);
}

describe('a provider that an attacker controls', () => {
  test('A provider that an attacker controls opens no session of a system administrator, whether or not the address is verified', async () => {
    const { home } = keywright;
    const root = { token: await keywright.adminToken(), body: { config: CONFIG } };
    expectStatus(200, await home.request('PATCH', '/tenants/org_default', root));
    const malicious = await addProvider(home, provider, POWERFUL);
    for (const verified of [false, true]) {
      await keywright.database.query(
        `UPDATE user_identifiers SET verified = $1 WHERE identifier = $2`,
        [verified, keywright.admin.identifier],
      );
      for (const body of [{}, { identifier: keywright.admin.identifier }, { acr: 'aal2' }]) {
        const person = personOf(keywright.admin.identifier);
        const { flow, answer } = await login(person, body, malicious, home);
        assert.equal(expectStatus(200, answer).access_token, undefined);
        assert.equal(answer.body.flow.purpose, 'linking');
        const steps = answer.body.flow.needs.map(({ step }) => step);
        assert.ok(!steps.includes('oauth') && !steps.includes('enroll'), steps.join());
        const more = await flowStep(home, flow, 'oauth', {
          provider: malicious.id,
          return_url: '',
        });
        assert.equal(more.body.authorize_url, undefined);
        const again = await login(person, {}, malicious, home);
        assert.equal(again.answer.body.access_token, undefined);
      }
    }
  });

  test('An identity is not linked to a user who received scopes while the login was decided', async () => {
    for (const verified of [true, false]) {
      const user = await tenant.createUser();
      if (verified) await verify(user);
      const { answer } = await duringGrant(user, LOCKS, () => login(personOf(user.identifier)));
      refused(answer, 'FLOW_ENDED');
      assert.deepEqual(await linkedTo(user), []);
      await tenant.login(user.identifier, user.password);
    }
  });
});

describe('two factors at a provider', () => {
  async function linkedUser(): Promise<{ user: TestUser; secret: string; sub: string }> {
    const user = await tenant.createUser();
    await verify(user);
    const sub = `subject-${(people += 1)}`;
    expectStatus(200, (await login(personOf(user.identifier, sub))).answer);
    const { access_token: token } = await tenant.login(user.identifier, user.password);
    const { secret } = await enrollTotp(tenant, token, keywright.clock);
    keywright.clock.advance(60);
    return { user, secret, sub };
  }

  test('Two factors at a provider do not open a session for a user who received scopes after they were accepted', async () => {
    const { user, sub } = await linkedUser();
    const { answer } = await duringGrant(user, OPENS, () => login(personOf(user.identifier, sub)));
    refused(answer, 'FLOW_ENDED');
    const next = await login(personOf(user.identifier, sub));
    assert.deepEqual(expectStatus(200, next.answer).flow.needs, [
      { step: 'totp' },
      { step: 'recovery_code' },
    ]);
  });

  test('Two factors at a provider do not refresh the session of a user who now holds scopes: a step-up requires the user’s own factor', async () => {
    const { user, secret, sub } = await linkedUser();
    const session = expectStatus(200, (await login(personOf(user.identifier, sub))).answer);
    assert.equal(claimsOf(session.access_token ?? '').acr, 'aal2');
    const refresh = () => {
      const body = { refresh_token: session.refresh_token };
      return tenant.request<TokenAnswer & ErrorBody & { flow: OfferedFlow }>(
        'POST',
        '/auth/refresh',
        { body },
      );
    };
    const role = { token: await tenant.adminToken(), body: { roles: ['admin'] } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, role));
    const offered = await refresh();
    refused(offered, 'STEP_UP_REQUIRED');
    const { flow } = offered.body;
    const person = personOf(user.identifier, sub);
    const half = await proveUpstream(tenant, flow, { provider, record }, person);
    assert.equal(expectStatus(200, half).access_token, undefined);
    refused(await refresh(), 'STEP_UP_REQUIRED');
    const code = totpOf(secret, keywright.clock.now());
    const done = expectStatus(200, await flowStep(tenant, flow, 'totp', { code }));
    const { acr, amr, scopes } = claimsOf(done.access_token ?? '');
    assert.deepEqual([acr, amr, scopes], ['aal2', ['fed', 'otp', 'mfa'], ['*:*']]);
  });
});

describe('the unverified address of a user who holds scopes', () => {
  test('The unverified address of a user who holds scopes does not give the account to a reader of its mail, in a login or a recovery: the flow requires a proof of the account', async () => {
    for (const purpose of ['login', 'recovery']) {
      const user = await createUserWith(tenant, ['read:reports']);
      const { identifier, password } = user;
      const flow = await startUpstreamFlow(tenant, { identifier, purpose });
      expectStatus(200, await flowStep(tenant, flow, 'message'));
      const { code } = await mailedTo(sink, identifier);
      const read = expectStatus(200, await flowStep(tenant, flow, 'code', { code }));
      assert.equal(read.access_token, undefined);
      const steps = read.flow.needs.map(({ step }) => step);
      const methods = ['password', 'message', 'passkey', 'oauth'];
      assert.deepEqual(steps, purpose === 'login' ? methods : ['message']);
      refused(await flowStep(tenant, flow, 'code', { code }), 'STEP_NOT_NEEDED');
      const set = await flowStep(tenant, flow, 'new-password', { secret: newPassword() });
      refused(set, 'STEP_NOT_NEEDED');
      const { user: same } = await tenant.login(identifier, password);
      assert.deepEqual(same.identifiers, [{ type: 'email', identifier, verified: false }]);
      if (purpose === 'recovery') continue;
      const proof = await flowStep(tenant, flow, 'password', { secret: password });
      assert.equal(expectStatus(200, proof).user?.id, user.user.id);
    }
  });

  test('The unverified address of a user who holds scopes is verified by a message after a proof of the account', async () => {
    const strict = await keywright.tenant('strict', { config: CONFIG });
    const { identifier, password } = await createUserWith(strict, ['read:reports']);
    const config = { require_verified_identifier: true };
    const options = { token: await keywright.adminToken(), body: { config } };
    expectStatus(200, await keywright.home.request('PATCH', `/tenants/${strict.id}`, options));
    const flow = await startUpstreamFlow(strict, { identifier });
    const half = await flowStep(strict, flow, 'password', { secret: password });
    assert.equal(expectStatus(200, half).access_token, undefined);
    expectStatus(200, await flowStep(strict, flow, 'message'));
    const { code } = await mailedTo(sink, identifier);
    const { user } = expectStatus(200, await flowStep(strict, flow, 'code', { code }));
    assert.deepEqual(user?.identifiers, [{ type: 'email', identifier, verified: true }]);
  });

  test('The unverified address of a user who holds scopes does not give the account to an invitee, who must prove the account', async () => {
    const user = await createUserWith(tenant, ['read:reports']);
    const { token } = await invite({ keywright, sink }, tenant, { identifier: user.identifier });
    const { flow, flow_token } = await openedInvitation(tenant, token);
    const started = { ...flow, flow_token };
    assert.ok(!flow.needs.some(({ step }) => step === 'new_password' || step === 'enroll'));
    const joined = await flowStep(tenant, started, 'new-password', { secret: newPassword() });
    refused(joined, 'STEP_NOT_NEEDED');
    const person = personOf(user.identifier);
    const pending = await proveUpstream(tenant, started, { provider, record }, person);
    assert.equal(expectStatus(200, pending).flow.purpose, 'linking');
    const proof = await flowStep(tenant, started, 'password', { secret: user.password });
    assert.equal(expectStatus(200, proof).user?.id, user.user.id);
  });

  test('The unverified address of a user who holds scopes does not give the account to a reader of a code that was sent before', async () => {
    const user = await tenant.createUser({ identifier: newIdentifier() });
    const flow = await startUpstreamFlow(tenant, { identifier: user.identifier });
    expectStatus(200, await flowStep(tenant, flow, 'message'));
    const { code } = await mailedTo(sink, user.identifier);
    const answer = await duringGrant(user, LOCKS, () => flowStep(tenant, flow, 'code', { code }));
    assert.equal(expectStatus(200, answer).access_token, undefined);
    await tenant.login(user.identifier, user.password);
  });
});

/** The statements of the service that are waiting for the row of a user. */
const LOCKS = 'select%users%for update';
const OPENS = '%kw_finish_logins%';

/** Assigns a role with scopes to a user while a statement of the request waits for the row of that user. */
async function duringGrant<Result>(
  { user }: TestUser,
  statement: string,
  request: () => Promise<Result>,
): Promise<Result> {
  const holder = new pg.Client(keywright.database.superuserUrl);
  await holder.connect();
  try {
    const key = [tenant.id, user.id];
    await holder.query('BEGIN');
    await holder.query('SELECT FROM users WHERE tenant_id = $1 AND id = $2 FOR UPDATE', key);
    const pending = request();
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE $1`;
    await until('it waits', async () => (await keywright.database.query(waiting, [statement]))[0]);
    await holder.query(
      `INSERT INTO user_roles (tenant_id, user_id, role) VALUES ($1, $2, 'admin')`,
      key,
    );
    await holder.query('COMMIT');
    return await pending;
  } finally {
    await holder.end();
  }
}
