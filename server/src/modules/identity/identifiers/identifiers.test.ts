import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { IdentifierRecord } from '@keywright/contract/records/user';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { parallel } from '@keywright/tests/harness/parallel';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

interface IdentifiersBody extends ErrorBody {
  readonly identifiers: IdentifierRecord[];
}

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  const config = { magic_link_url: 'https://app.example.com/login', notify_new_device: false };
  tenant = await keywright.tenant('addresses', { config });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;

function request(
  token: string,
  method: string,
  path = '',
  body?: object,
): Promise<Answer<IdentifiersBody>> {
  const headers = { 'x-forwarded-for': `203.0.113.${(addresses += 1) % 250}` };
  const options = { token, headers, ...(body && { body }) };
  return tenant.request<IdentifiersBody>(method, `/me/identifiers${path}`, options);
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  const token = await tenant.adminToken();
  const body = { identifiers: [{ type: 'email', identifier: user.identifier, verified: true }] };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
  return user;
}

/** Requests a code, and reads it. */
async function codeFor({ token }: TestUser, identifier: string, skip = 0) {
  expectStatus(200, await request(token, 'POST', '', { identifier }));
  return mailedTo(sink, identifier, skip);
}

const give = ({ token }: TestUser, identifier: string, code: string) =>
  request(token, 'POST', '/verification', { identifier, code });

const email = (identifier: string, isVerified = true) => ({
  type: 'email',
  identifier,
  verified: isVerified,
});

const noticeTo = (address: string, subject: string) =>
  until(subject, () =>
    sink.mails.find(({ to, parsed }) => to.includes(address) && parsed.subject === subject),
  );

describe('a new address', () => {
  test('A new address is added with its code, and the verified addresses are notified', async () => {
    const user = await verified();
    const address = newIdentifier();
    const { code, linkToken } = await codeFor(user, address);
    assert.equal(linkToken, '');
    const pending = expectStatus(200, await request(user.token, 'GET'));
    assert.deepEqual(pending.identifiers, [email(user.identifier)]);
    const { identifiers } = expectStatus(200, await give(user, address, code));
    assert.deepEqual(identifiers, [email(user.identifier), email(address)]);
    const notice = await noticeTo(user.identifier, 'Email or phone added at addresses');
    assert.ok(notice.parsed.text?.includes(address));
    assert.equal((await tenant.login(address, user.password)).user.id, user.user.id);
  });

  test('A new address is not added by a used code, or by the code of another user or address', async () => {
    const [user, other] = [await verified(), await verified()];
    const [address, second] = [newIdentifier(), newIdentifier()];
    const { code } = await codeFor(user, address);
    await codeFor(other, second);
    refused(await give(other, address, code), 400, 'CODE_WRONG');
    refused(await give(user, second, code), 400, 'CODE_WRONG');
    refused(await give(other, second, code), 400, 'CODE_WRONG');
    expectStatus(200, await give(user, address, code));
    expectStatus(200, await request(user.token, 'DELETE', `/${address}`));
    refused(await give(user, address, code), 400, 'CODE_WRONG');
  });

  test('A new address accepts five guesses, which another message does not reset', async () => {
    const user = await verified();
    const address = newIdentifier();
    const { code } = await codeFor(user, address);
    const wrong = code === '00000000' ? '11111111' : '00000000';
    for (let guess = 0; guess < 5; guess += 1) {
      refused(await give(user, address, wrong), 400, 'CODE_WRONG');
    }
    refused(await give(user, address, code), 400, 'CODE_WRONG');
    keywright.clock.advance(31);
    refused(
      await request(user.token, 'POST', '', { identifier: address }),
      429,
      'TOO_MANY_MESSAGES',
    );
  });

  test('An address of another user gets the same response as a free one, and its code is refused', async () => {
    const [user, other] = [await verified(), await verified()];
    const answers: unknown[] = [];
    for (const identifier of [newIdentifier(), other.identifier]) {
      const answer = await request(user.token, 'POST', '', { identifier });
      answers.push({ ...expectStatus(200, answer), sent_to: '' });
    }
    assert.deepEqual(answers[0], answers[1]);
    const { code } = await mailedTo(sink, other.identifier);
    refused(await give(user, other.identifier, code), 400, 'IDENTIFIER_TAKEN');
    const { identifiers } = expectStatus(200, await request(user.token, 'GET'));
    assert.deepEqual(identifiers, [email(user.identifier)]);
  });

  test('An address of another user costs the same statements as a free one', async () => {
    const [user, other] = [await verified(), await verified()];
    const costs: (readonly string[])[] = [];
    for (const identifier of [newIdentifier(), other.identifier, newIdentifier()]) {
      const statements = watchStatements({ untilAnswered: true });
      expectStatus(200, await request(user.token, 'POST', '', { identifier }));
      statements.stop();
      costs.push(statements.sent);
    }
    // The first request also loads the caches.
    const [, taken, free] = costs;
    assert.ok(free && free.length > 0);
    assert.deepEqual(taken, free);
  });

  test('An address for which two users have a code is added to one of them', async () => {
    const [user, two] = [await verified(), await verified()];
    const address = newIdentifier();
    const first = await codeFor(user, address);
    keywright.clock.advance(31);
    const second = await codeFor(two, address, 1);
    const answers = await parallel(16, (n) =>
      n % 2 === 0 ? give(user, address, first.code) : give(two, address, second.code),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  test('A new address must be valid, can be a phone number only with SMS, and requires a recent login', async () => {
    const user = await verified();
    for (const identifier of ['+1555123456789012', 'no-address', user.identifier]) {
      refused(await request(user.token, 'POST', '', { identifier }), 400, 'VALIDATION_FAILED');
    }
    const number = { identifier: '+15551234567' };
    refused(await request(user.token, 'POST', '', number), 400, 'METHOD_NOT_READY');
    keywright.clock.advance(301);
    const body = { identifier: newIdentifier() };
    refused(await request(user.token, 'POST', '', body), 401, 'STEP_UP_REQUIRED');
    const path = `/${user.identifier}`;
    refused(await request(user.token, 'DELETE', path), 401, 'STEP_UP_REQUIRED');
  });

  test('A new address requires the second factor of a user who has one', async () => {
    const user = await verified();
    const address = newIdentifier();
    const { code } = await codeFor(user, address);
    const { access_token: token } = await tenant.login(user.identifier, user.password);
    await enrollTotp(tenant, user.token, keywright.clock);
    refused(await request(token, 'POST', '', { identifier: address }), 401, 'STEP_UP_REQUIRED');
    refused(await give({ ...user, token }, address, code), 401, 'STEP_UP_REQUIRED');
  });
});

test('An unverified address of the user is verified by its code, which counts as used', async () => {
  const user = await tenant.createUser();
  const { code } = await codeFor(user, user.identifier);
  const { identifiers } = expectStatus(200, await give(user, user.identifier, code));
  assert.deepEqual(identifiers, [email(user.identifier)]);
  const used = await keywright.database.query<{ is_used: boolean }>(
    'SELECT used_at IS NOT NULL AS is_used FROM challenges WHERE user_id = $1',
    [user.user.id],
  );
  assert.deepEqual(used, [{ is_used: true }]);
  const path = `/users/${user.user.id}`;
  const token = await tenant.adminToken();
  const record = await tenant.request<{ identifiers: object[] }>('GET', path, { token });
  assert.deepEqual(expectStatus(200, record).identifiers, [email(user.identifier)]);
});

describe('an identifier that is made the primary one', () => {
  const makePrimary = ({ token }: TestUser, identifier: string) =>
    request(token, 'PUT', `/${identifier}/primary`);

  async function withTwo(): Promise<{ readonly user: TestUser; readonly address: string }> {
    const user = await verified();
    const address = newIdentifier();
    const { code } = await codeFor(user, address);
    expectStatus(200, await give(user, address, code));
    return { user, address };
  }

  test('A new primary identifier comes first, and the previous one is notified', async () => {
    const { user, address } = await withTwo();
    const { identifiers } = expectStatus(200, await makePrimary(user, address));
    assert.deepEqual(identifiers, [email(address), email(user.identifier)]);
    assert.deepEqual(expectStatus(200, await request(user.token, 'GET')).identifiers, identifiers);
    for (const recipient of [user.identifier, address]) {
      const { parsed } = await noticeTo(recipient, 'Primary email or phone changed at addresses');
      assert.ok(parsed.text?.includes(address));
    }
  });

  test('A primary identifier that is made primary again stays first, and no address is notified', async () => {
    const { user, address } = await withTwo();
    expectStatus(200, await makePrimary(user, address));
    const count = 'SELECT count(*) AS n FROM messages WHERE user_id = $1';
    const sent = await keywright.database.query(count, [user.user.id]);
    expectStatus(200, await makePrimary(user, address));
    assert.deepEqual(await keywright.database.query(count, [user.user.id]), sent);
  });

  test('A primary identifier must be verified, belong to the user, and be chosen after a recent login', async () => {
    const { user } = await withTwo();
    const other = await verified();
    refused(await makePrimary(user, other.identifier), 404, 'NOT_FOUND');
    const token = await tenant.adminToken();
    const unverified = newIdentifier();
    const body = { identifiers: [email(user.identifier), email(unverified, false)] };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
    refused(await makePrimary(user, unverified), 400, 'IDENTIFIER_UNVERIFIED');
    keywright.clock.advance(301);
    refused(await makePrimary(user, user.identifier), 401, 'STEP_UP_REQUIRED');
  });
});

describe('an identifier that is removed', () => {
  test('A removed identifier and the verified ones are notified, and it can no longer log in', async () => {
    const user = await verified();
    const address = newIdentifier();
    const { code } = await codeFor(user, address);
    expectStatus(200, await give(user, address, code));
    const { identifiers } = expectStatus(
      200,
      await request(user.token, 'DELETE', `/${user.identifier}`),
    );
    assert.deepEqual(identifiers, [email(address)]);
    for (const recipient of [user.identifier, address]) {
      const { parsed } = await noticeTo(recipient, 'Email or phone removed at addresses');
      assert.ok(parsed.text?.includes(user.identifier));
    }
    const body = { identifier: user.identifier, secret: user.password };
    refused(await tenant.request('POST', '/auth/login', { body }), 401, 'INVALID_CREDENTIALS');
    assert.equal((await tenant.login(address, user.password)).user.id, user.user.id);
  });

  test('The last identifier, the last verified one, and one of another user cannot be removed', async () => {
    const [user, other] = [await verified(), await verified()];
    refused(await request(user.token, 'DELETE', `/${user.identifier}`), 400, 'LAST_IDENTIFIER');
    refused(await request(user.token, 'DELETE', `/${other.identifier}`), 404, 'NOT_FOUND');
    const token = await tenant.adminToken();
    const body = { identifiers: [email(user.identifier), email(newIdentifier(), false)] };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
    refused(await request(user.token, 'DELETE', `/${user.identifier}`), 400, 'LAST_IDENTIFIER');
    const { identifier = '' } = body.identifiers[1] ?? {};
    expectStatus(200, await request(user.token, 'DELETE', `/${identifier}`));
  });
});

test('The service sends no code if it cannot send mail', async () => {
  const silent = await startKeywright();
  try {
    const { token } = await silent.createUser();
    const options = { token, body: { identifier: newIdentifier() } };
    const answer = await silent.home.request<ErrorBody>('POST', '/me/identifiers', options);
    refused(answer, 400, 'METHOD_NOT_READY');
  } finally {
    await silent.close();
  }
});
