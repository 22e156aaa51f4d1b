// Decides which account an identity at a provider is linked to. An address alone never decides.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { createUserWith, delegate } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';
import {
  addProvider,
  startUpstreamFlow,
  type FakeProvider,
  flowStep,
  type Person,
  type UpstreamAnswer,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let sink: MailSink;
let tenant: TestTenant;
let provider: FakeProvider;
/** One provider for each value of `link`; all are authoritative for corp.example. */
let prompts: IdentityProviderRecord;
let links: IdentityProviderRecord;
let never: IdentityProviderRecord;

before(async () => {
  sink = await startMailSink();
  const domains = ['corp.example'];
  const fields = { domains, name: 'Asking' };
  const env = mailThrough(sink);
  upstream = await startUpstreamLogin({ slug: 'linking', clock: 'fake', env, fields });
  ({ keywright, tenant, provider, record: prompts } = upstream);
  links = await addProvider(tenant, provider, { domains, link: 'auto' });
  never = await addProvider(tenant, provider, { domains, link: 'never' });
});
after(async () => {
  await upstream.close();
  await sink.close();
});
beforeEach(() => keywright.database.query('DELETE FROM login_attempts'));

const corporate = () => newIdentifier().replace(/@.*/, '@corp.example');

function personOf(email: string, claims: Partial<Person> = {}): Person {
  return { ...upstream.newPerson(email), ...claims };
}

/** A user with this address. @param verified whether an administrator verified it */
async function userOf(identifier: string, verified: boolean): Promise<TestUser> {
  const user = await tenant.createUser({ identifier });
  if (verified) await setIdentifiers(user, [{ identifier, verified }]);
  return { ...user, token: await freshToken(user) };
}

async function setIdentifiers({ user }: TestUser, identifiers: object[]): Promise<void> {
  const options = { token: await tenant.adminToken(), body: { identifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
}

async function freshToken({ identifier, password }: TestUser): Promise<string> {
  return (await tenant.login(identifier, password)).access_token;
}

const login = (record: IdentityProviderRecord, person: Person, body = {}) =>
  upstream.logIn(person, body, record);

const linkedTo = (user: UserRecord) =>
  keywright.database.query<{ provider: string; external_id: string }>(
    `SELECT provider, external_id FROM user_credentials
      WHERE tenant_id = $1 AND user_id = $2 AND type = 'oauth' ORDER BY provider`,
    [tenant.id, user.id],
  );

function refused({ body, text }: UpstreamAnswer, code: string): void {
  assert.equal(body.code, code, text);
  assert.equal(body.access_token, undefined);
}

describe('an unknown identity with the verified address of a user', () => {
  test('An identity with a verified address of a user is linked after a proof of the account, and is enough for the next login (SPEC resources user 6)', async () => {
    const user = await userOf(newIdentifier(), true);
    const person = personOf(user.identifier);
    const { flow, answer } = await login(prompts, person);
    const pending = expectStatus(200, answer);
    assert.equal(pending.access_token, undefined);
    assert.equal(pending.flow.purpose, 'linking');
    assert.deepEqual(pending.flow.needs, [
      { step: 'password' },
      { step: 'message', channels: ['email'] },
      { step: 'passkey' },
    ]);
    assert.deepEqual(await linkedTo(user.user), []);
    const wrong = await flowStep(tenant, flow, 'password', { secret: 'not the password' });
    refused(wrong, 'INVALID_CREDENTIALS');
    assert.deepEqual(await linkedTo(user.user), []);
    const proven = expectStatus(
      200,
      await flowStep(tenant, flow, 'password', { secret: user.password }),
    );
    assert.equal(proven.user?.id, user.user.id);
    assert.deepEqual(claimsOf(proven.access_token ?? '').amr, ['pwd', 'fed']);
    assert.deepEqual(await linkedTo(user.user), [
      { provider: prompts.id, external_id: person.sub },
    ]);
    const again = await login(prompts, { ...person, email: newIdentifier() }, { register: false });
    assert.equal(expectStatus(200, again.answer).user?.id, user.user.id);
    const [event] = await keywright.database.query<{ data: object }>(
      `SELECT data FROM events WHERE tenant_id = $1 AND type = 'identity.linked' AND data->>'user_id' = $2`,
      [tenant.id, user.user.id],
    );
    const data = { tenant_id: tenant.id, user_id: user.user.id, provider_id: prompts.id };
    assert.deepEqual(event?.data, data);
    await until('a notice', () =>
      sink.mails.some(
        ({ to, parsed }) => to.includes(user.identifier) && parsed.text?.includes('Asking'),
      ),
    );
  });

  test('An identity is linked only with the second factor of the account', async () => {
    const user = await userOf(newIdentifier(), true);
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(60);
    const { flow } = await login(prompts, personOf(user.identifier));
    const half = await flowStep(tenant, flow, 'password', { secret: user.password });
    assert.equal(expectStatus(200, half).access_token, undefined);
    assert.deepEqual(await linkedTo(user.user), []);
    const code = totpOf(secret, keywright.clock.now());
    expectStatus(200, await flowStep(tenant, flow, 'totp', { code }));
    assert.equal((await linkedTo(user.user)).length, 1);
  });

  test('An identity is not linked by the proof of another account, or in another flow', async () => {
    const [victim, attacker] = [
      await userOf(newIdentifier(), true),
      await userOf(newIdentifier(), true),
    ];
    const { flow } = await login(prompts, personOf(victim.identifier));
    const proof = await flowStep(tenant, flow, 'password', { secret: attacker.password });
    refused(proof, 'INVALID_CREDENTIALS');
    const plain = await startUpstreamFlow(tenant, { identifier: attacker.identifier });
    const secret = attacker.password;
    expectStatus(200, await flowStep(tenant, plain, 'password', { secret }));
    for (const { user } of [victim, attacker]) assert.deepEqual(await linkedTo(user), []);
  });

  test('An identity is linked immediately if the provider is authoritative and has link: auto', async () => {
    const user = await userOf(corporate(), true);
    const { answer } = await login(links, personOf(user.identifier), { register: false });
    const { user: linkedUser, access_token: token = '' } = expectStatus(200, answer);
    assert.equal(linkedUser?.id, user.user.id);
    assert.deepEqual(claimsOf(token).amr, ['fed']);
  });

  test('A user whose identity is linked keeps their name and picture, and gets those that they did not have', async () => {
    const claims = { name: 'Amazing Grace', picture: 'https://cdn.example.com/grace.png' };
    for (const existing of [
      { name: 'Grace Hopper' },
      { picture: 'https://cdn.example.com/hopper.png' },
    ]) {
      const { identifier, token } = await userOf(corporate(), true);
      expectStatus(200, await tenant.request('PATCH', '/me', { token, body: existing }));
      const { answer } = await login(links, personOf(identifier, claims), { register: false });
      const { access_token: linked = '' } = expectStatus(200, answer);
      const me = await tenant.request<UserRecord>('GET', '/me', { token: linked });
      const { name, picture } = expectStatus(200, me);
      assert.deepEqual({ name, picture }, { ...claims, ...existing });
    }
  });

  test('An identity of another domain requires a proof of the account, although the provider has link: auto', async () => {
    const user = await userOf(newIdentifier(), true);
    const { answer } = await login(links, personOf(user.identifier));
    assert.equal(expectStatus(200, answer).flow.purpose, 'linking');
  });

  test('An identity is refused if the provider has link: never, or does not report the address as verified', async () => {
    const user = await userOf(corporate(), true);
    refused((await login(never, personOf(user.identifier))).answer, 'IDENTIFIER_TAKEN');
    for (const email_verified of [false, 'false', 1, undefined]) {
      for (const record of [prompts, links]) {
        const person = { ...personOf(user.identifier), email_verified } as Person;
        refused((await login(record, person)).answer, 'IDENTIFIER_TAKEN');
      }
    }
    assert.deepEqual(await linkedTo(user.user), []);
  });

  test('An identity is refused if the user has another subject there: the address may have a new owner', async () => {
    const user = await userOf(corporate(), true);
    expectStatus(200, (await login(links, personOf(user.identifier))).answer);
    for (const record of [links, prompts]) {
      const { answer } = await login(record, personOf(user.identifier));
      if (record === links) refused(answer, 'IDENTIFIER_TAKEN');
      else assert.equal(expectStatus(200, answer).flow.purpose, 'linking');
    }
  });

  test('An identity of an inactive user is refused', async () => {
    const user = await userOf(corporate(), true);
    const options = { token: await tenant.adminToken(), body: { reason: 'gone' } };
    expectStatus(200, await tenant.request('POST', `/users/${user.user.id}/disable`, options));
    refused((await login(links, personOf(user.identifier))).answer, 'INVALID_CREDENTIALS');
  });
});

// Sudhodanan and Paverd, Pre-hijacked accounts (USENIX Security 2022).
describe('an attacker who registered a victim’s address first', () => {
  test('An attacker who registered the address first keeps nothing after the victim logs in at the authoritative provider (classic-federated merge)', async () => {
    const attacker = await userOf(corporate(), false);
    const { answer } = await login(prompts, personOf(attacker.identifier));
    const { user, access_token: token = '' } = expectStatus(200, answer);
    assert.equal(user?.id, attacker.user.id);
    assert.deepEqual(user?.identifiers, [
      { type: 'email', identifier: attacker.identifier, verified: true },
    ]);
    const body = { identifier: attacker.identifier, secret: attacker.password };
    const again = await tenant.request('POST', '/auth/login', { body });
    assert.equal(again.status, 401);
    expectStatus(200, await tenant.request('GET', '/me', { token }));
  });

  test('An attacker who registered the address first is logged out everywhere, and can neither refresh nor act through an agent (unexpired session)', async () => {
    const address = corporate();
    const attacker = await createUserWith(tenant, ['read:reports'], { identifier: address });
    const sessions = [
      await tenant.login(address, attacker.password),
      await tenant.login(address, attacker.password),
    ];
    await delegate(tenant, attacker, await tenant.createAgent(), ['read:reports']);
    // The account of a user who holds scopes is never taken over.
    const options = { token: await tenant.adminToken(), body: { roles: ['member'] } };
    expectStatus(200, await tenant.request('PATCH', `/users/${attacker.user.id}`, options));
    const owner = expectStatus(200, (await login(prompts, personOf(address))).answer);
    assert.equal(owner.user?.id, attacker.user.id);
    for (const { access_token: token, refresh_token } of sessions) {
      expectStatus(401, await tenant.request('GET', '/me', { token }));
      const body = { refresh_token };
      expectStatus(401, await tenant.request('POST', '/auth/refresh', { body }));
    }
    const credentials = { token: owner.access_token ?? '' };
    const left = await tenant.request<{ items: object[] }>('GET', '/me/delegations', credentials);
    assert.deepEqual(expectStatus(200, left).items, []);
  });

  test('An attacker who registered the address first keeps no identity at a provider (trojan identifier)', async () => {
    const address = corporate();
    const elsewhere = await addProvider(tenant, provider);
    const theirs = personOf(address, { email_verified: false });
    const first = expectStatus(200, (await login(elsewhere, theirs)).answer);
    assert.equal(first.user?.identifiers[0]?.verified, false);
    const owner = expectStatus(200, (await login(prompts, personOf(address))).answer);
    assert.equal(owner.user?.id, first.user?.id);
    const back = await login(elsewhere, theirs);
    refused(back.answer, 'IDENTIFIER_TAKEN');
    expectStatus(401, await tenant.request('GET', '/me', { token: first.access_token ?? '' }));
  });

  test('An attacker gains nothing from a change that was started before (unexpired change)', async () => {
    const attacker = await userOf(corporate(), false);
    const options = { token: attacker.token, body: { identifier: newIdentifier() } };
    const started = await tenant.request('POST', '/me/identifiers', options);
    expectStatus(200, started);
    const flow = await startUpstreamFlow(tenant, { identifier: attacker.identifier });
    expectStatus(200, (await login(prompts, personOf(attacker.identifier))).answer);
    const late = await flowStep(tenant, flow, 'password', { secret: attacker.password });
    refused(late, 'INVALID_CREDENTIALS');
  });

  test('An attacker gains nothing at a provider that does not verify addresses (non-verifying provider)', async () => {
    const address = corporate();
    const careless = await addProvider(tenant, provider, { link: 'auto' });
    const first = expectStatus(200, (await login(careless, personOf(address))).answer);
    assert.equal(first.user?.identifiers[0]?.verified, false);
    const victim = await userOf(newIdentifier(), true);
    const pending = await login(careless, personOf(victim.identifier));
    assert.equal(expectStatus(200, pending.answer).flow.purpose, 'linking');
  });

  test('A victim does not join the account of an attacker through a provider that is not authoritative (federated merge, reversed)', async () => {
    const attacker = await userOf(newIdentifier(), false);
    refused((await login(prompts, personOf(attacker.identifier))).answer, 'IDENTIFIER_TAKEN');
    refused((await login(links, personOf(attacker.identifier))).answer, 'IDENTIFIER_TAKEN');
    assert.deepEqual(await linkedTo(attacker.user), []);
  });

  test('An attacker with another verified address loses only the address of the victim', async () => {
    const [attackerAddress, address] = [newIdentifier(), corporate()];
    const user = await userOf(attackerAddress, true);
    await setIdentifiers(user, [
      { identifier: attackerAddress, verified: true },
      { identifier: address, verified: false },
    ]);
    const { answer } = await login(prompts, personOf(address));
    const owner = expectStatus(200, answer).user;
    assert.notEqual(owner?.id, user.user.id);
    assert.deepEqual(owner?.identifiers, [{ type: 'email', identifier: address, verified: true }]);
    const { user: remaining } = await tenant.login(attackerAddress, user.password);
    assert.deepEqual(remaining.identifiers, [
      { type: 'email', identifier: attackerAddress, verified: true },
    ]);
  });
});
