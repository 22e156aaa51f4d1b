import type { StartedFlow } from '@keywright/contract/records/login-flow';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough, undoTokenTo } from '@keywright/tests/harness/mailed';
import {
  addPasskey,
  startPasskeyFlow,
  provePasskey,
  requestOptions,
  type TestPasskey,
} from '@keywright/tests/harness/passkey';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

const WEEK_SECONDS = 7 * 24 * 3600;

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  const config = { magic_link_url: 'https://app.example.com/login', notify_new_device: false };
  tenant = await keywright.tenant('undone', { config });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;

function request<Body = ErrorBody>(
  method: string,
  path: string,
  options: { token?: string; body?: object },
  at = tenant,
) {
  const headers = { 'x-forwarded-for': `203.0.113.${(addresses += 1) % 250}` };
  return at.request<Body>(method, path, { ...options, headers });
}

/** @param user if given, the user's password also proves the account */
const undo = (undo_token: string, user?: Pick<TestUser, 'password'>, at = tenant) =>
  request(
    'POST',
    '/auth/identifiers/undo',
    { body: { undo_token, ...(user && { password: user.password }) } },
    at,
  );

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

const email = (identifier: string) => ({ type: 'email', identifier, verified: true });

async function setIdentifiers({ user }: TestUser, identifiers: readonly object[], at = tenant) {
  const options = { token: await at.adminToken(), body: { identifiers } };
  expectStatus(200, await at.request('PATCH', `/users/${user.id}`, options));
}

async function verified(at = tenant): Promise<TestUser> {
  const user = await at.createUser();
  await setIdentifiers(user, [email(user.identifier)], at);
  return user;
}

async function identifiersOf({ user }: TestUser, at = tenant): Promise<unknown> {
  const answer = await at.request('GET', `/users/${user.id}`, { token: await at.adminToken() });
  return expectStatus(200, answer).identifiers;
}

/** Adds an address as an attacker who has the user's session and reads the email of the address. */
async function add({ token }: TestUser, identifier = newIdentifier(), at = tenant) {
  expectStatus(200, await request('POST', '/me/identifiers', { token, body: { identifier } }, at));
  const { code } = await mailedTo(sink, identifier);
  const body = { identifier, code };
  expectStatus(200, await request('POST', '/me/identifiers/verification', { token, body }, at));
  return identifier;
}

async function remove({ token }: TestUser, identifier: string) {
  expectStatus(200, await request('DELETE', `/me/identifiers/${identifier}`, { token }));
}

const mailAbout = (subject: string, address: string) =>
  until(subject, () =>
    sink.mails.find(({ to, parsed }) => to.includes(address) && parsed.subject === subject),
  );

describe('the reader of a verified address', () => {
  test('The reader of a verified address undoes all later changes with either message, once, and all sessions end', async () => {
    for (const which of [0, 1]) {
      const user = await verified();
      const stranger = await add(user);
      await remove(user, user.identifier);
      const tokens = [
        await undoTokenTo(sink, user.identifier),
        await undoTokenTo(sink, user.identifier, 1),
      ];
      assert.deepEqual(expectStatus(200, await undo(tokens[which] ?? '', user)), {
        restored: true,
      });
      assert.deepEqual(await identifiersOf(user), [email(user.identifier)]);
      for (const token of tokens) refused(await undo(token, user), 401, 'FLOW_ENDED');
      refused(await request('GET', '/me', { token: user.token }), 401, 'TOKEN_INVALID');
      const body = { identifier: stranger, secret: user.password };
      refused(await request('POST', '/auth/login', { body }), 401, 'INVALID_CREDENTIALS');
      assert.equal((await tenant.login(user.identifier, user.password)).user.id, user.user.id);
      await mailAbout('Emails and phones restored at undone', user.identifier);
    }
  });

  test('The notice links to the page of the tenant, or to that of the service if the tenant has none', async () => {
    const user = await verified();
    await add(user);
    const mail = await mailAbout('Email or phone added at undone', user.identifier);
    const token = await undoTokenTo(sink, user.identifier);
    const text = mail.parsed.text ?? '';
    assert.ok(text.includes(`https://app.example.com/login#undo_token=${token}`));
    const plain = await keywright.tenant('plain', { config: { notify_new_device: false } });
    const other = await verified(plain);
    await add(other, newIdentifier(), plain);
    const { parsed } = await mailAbout('Email or phone added at plain', other.identifier);
    const plainToken = await undoTokenTo(sink, other.identifier);
    assert.ok(parsed.text?.includes(`/t/${plain.id}/oauth/undo?token=${plainToken}`));
    expectStatus(200, await undo(plainToken, other, plain));
    assert.deepEqual(await identifiersOf(other, plain), [email(other.identifier)]);
  });

  test('An undo neither adds nor removes a second factor', async () => {
    const user = await verified();
    await add(user);
    await enrollTotp(tenant, user.token, keywright.clock);
    expectStatus(200, await undo(await undoTokenTo(sink, user.identifier), user));
    const body = { identifier: user.identifier, secret: user.password };
    refused(await request('POST', '/auth/login', { body }), 401, 'MFA_REQUIRED');
  });

  test('The notice of a change can undo it after any number of other notices', async () => {
    const user = await verified();
    await keywright.database.query(
      `INSERT INTO login_attempts (tenant_id, subject, window_started_at, window_ends_at, attempts)
       VALUES ($1, sha256(convert_to($2, 'UTF8')), $3, $3::timestamptz + interval '1 day', 1000)`,
      [tenant.id, `notice ${user.identifier}`, keywright.clock.now()],
    );
    await add(user);
    expectStatus(200, await undo(await undoTokenTo(sink, user.identifier), user));
  });
});

describe('a token that undoes a change', () => {
  test('A token that is wrong, late, of another tenant, or of a challenge gets the same refusal', async () => {
    const user = await verified();
    const address = await add(user);
    const token = await undoTokenTo(sink, user.identifier);
    const { linkToken } = await linkTo(user.identifier);
    const other = await keywright.tenant('other', {});
    const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`;
    const answers = [await undo(forged), await undo('und_x'), await undo(linkToken)];
    answers.push(await undo(token, user, other));
    keywright.clock.advance(WEEK_SECONDS);
    answers.push(await undo(token, user));
    for (const answer of answers) refused(answer, 401, 'FLOW_ENDED');
    assert.deepEqual(await identifiersOf(user), [email(user.identifier), email(address)]);
  });

  test('An address that was added within that time gets no token, so that it cannot be restored', async () => {
    const user = await verified();
    const stranger = await add(user);
    await remove(user, stranger);
    const mail = await mailAbout('Email or phone removed at undone', stranger);
    assert.doesNotMatch(mail.parsed.text ?? '', /und_/);
    await undoTokenTo(sink, user.identifier, 1);
  });

  test('A token is invalid after a change by an administrator, and while the user is inactive', async () => {
    const user = await verified();
    const address = await add(user);
    const token = await undoTokenTo(sink, user.identifier);
    const options = { token: await tenant.adminToken(), body: { is_active: false } };
    const path = `/users/${user.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, options));
    refused(await undo(token, user), 401, 'FLOW_ENDED');
    const back = { ...options, body: { is_active: true } };
    expectStatus(200, await tenant.request('PATCH', path, back));
    await setIdentifiers(user, [email(address)]);
    refused(await undo(token, user), 401, 'FLOW_ENDED');
    assert.deepEqual(await identifiersOf(user), [email(address)]);
  });

  test('An undo takes no address from another user, and leaves no account without a verified one', async () => {
    const [user, other] = [await verified(), await verified()];
    const second = await add(user);
    keywright.clock.advance(WEEK_SECONDS);
    const { access_token } = await tenant.login(user.identifier, user.password);
    const now = { ...user, token: access_token };
    await remove(now, user.identifier);
    await setIdentifiers(other, [email(other.identifier), email(user.identifier)]);
    expectStatus(200, await undo(await undoTokenTo(sink, second), user));
    assert.deepEqual(await identifiersOf(user), [email(second)]);
    const places = await keywright.database.query(
      'SELECT position FROM user_identifiers WHERE user_id = $1',
      [user.user.id],
    );
    assert.deepEqual(places, [{ position: 0 }]);
    const robbed = await verified();
    const stranger = await add(robbed);
    await remove(robbed, robbed.identifier);
    await setIdentifiers(other, [email(other.identifier), email(robbed.identifier)]);
    refused(await undo(await undoTokenTo(sink, robbed.identifier), robbed), 401, 'FLOW_ENDED');
    assert.deepEqual(await identifiersOf(robbed), [email(stranger)]);
    await setIdentifiers(other, [email(other.identifier)]);
    expectStatus(200, await undo(await undoTokenTo(sink, robbed.identifier), robbed));
  });
});

describe('the reader of a removed address', () => {
  const mailOnly = async () => {
    const user = await verified();
    await keywright.database.query('DELETE FROM user_credentials WHERE user_id = $1', [
      user.user.id,
    ]);
    return user;
  };
  const moved = async (user: TestUser) => {
    const address = await add(user);
    await remove(user, user.identifier);
    return { address, token: await undoTokenTo(sink, user.identifier, 1) };
  };
  /** Proves the address again, in a flow; skips the email with the code that proved it first. */
  const byMail = async (identifier: string) => {
    const { code, id, flow_token } = await linkTo(identifier, 1);
    const body = { flow_token, code };
    expectStatus(200, await request('POST', `/auth/flows/${id}/code`, { body }));
  };

  test('The reader of a removed address cannot recover an account that had a password without it, nor by guesses', async () => {
    const user = await verified();
    const { address, token } = await moved(user);
    refused(await undo(token), 401, 'PROOF_REQUIRED');
    refused(await undo(token, { password: newPassword() }), 401, 'PROOF_REQUIRED');
    const options = { body: { undo_token: token, code: '000000' } };
    refused(await request('POST', '/auth/identifiers/undo', options), 401, 'PROOF_REQUIRED');
    assert.deepEqual(await identifiersOf(user), [email(address)]);
    for (let guess = 2; guess < 10; guess += 1) await undo(token, { password: newPassword() });
    refused(await undo(token, user), 429, 'TOO_MANY_ATTEMPTS');
  });

  test('The previous password recovers the account, even if an attacker has logged in by the new address and set another one', async () => {
    const user = await verified();
    const { address, token } = await moved(user);
    keywright.clock.advance(60);
    await byMail(address);
    await keywright.database.query(
      `UPDATE user_credentials SET secret_hash = (
         SELECT secret_hash FROM user_credentials WHERE user_id <> $1 AND secret_hash IS NOT NULL LIMIT 1)
        WHERE user_id = $1`,
      [user.user.id],
    );
    expectStatus(200, await undo(token, user));
    assert.deepEqual(await identifiersOf(user), [email(user.identifier)]);
    // The attacker and the owner are notified.
    for (const recipient of [address, user.identifier])
      await mailAbout('Emails and phones restored at undone', recipient);
  });

  test('The account cannot be recovered after its user has logged in with the password and the new address', async () => {
    const user = await verified();
    const { address, token } = await moved(user);
    keywright.clock.advance(60);
    await tenant.login(address, user.password);
    refused(await undo(token, user), 401, 'FLOW_ENDED');
  });

  test('A former password does not recover the account', async () => {
    const user = await verified();
    const { address, token } = await moved(user);
    const { access_token } = await tenant.login(address, user.password);
    const body = { password: newPassword(), current_password: user.password };
    expectStatus(200, await request('PATCH', '/me', { token: access_token, body }));
    refused(await undo(token, user), 401, 'FLOW_ENDED');
  });

  test('The reader recovers an account that had no other proof than mail until a user logs in by the new address', async () => {
    const [user, other] = [await mailOnly(), await mailOnly()];
    expectStatus(200, await undo((await moved(user)).token));
    const { address, token } = await moved(other);
    keywright.clock.advance(60);
    await byMail(address);
    refused(await undo(token), 401, 'FLOW_ENDED');
    assert.deepEqual(await identifiersOf(other), [email(address)]);
  });

  test('A code of an earlier authenticator recovers the account, and a code of a later one does not', async () => {
    const user = await mailOnly();
    const { token } = await moved(user);
    const { secret, factor } = await enrollTotp(tenant, user.token, keywright.clock);
    const had = (factors: readonly string[]) =>
      keywright.database.query('UPDATE identifier_undos SET factors = $2 WHERE user_id = $1', [
        user.user.id,
        factors,
      ]);
    const withCode = () => {
      keywright.clock.advance(60);
      const body = { undo_token: token, code: totpOf(secret, keywright.clock.now()) };
      return request('POST', '/auth/identifiers/undo', { body });
    };
    await had(['fct_former']);
    refused(await undo(token), 401, 'PROOF_REQUIRED');
    refused(await withCode(), 401, 'PROOF_REQUIRED');
    await had([factor.id]);
    expectStatus(200, await withCode());
  });

  test('A passkey recovers an account that had no other proof', async () => {
    const user = await mailOnly();
    const { passkey } = await addPasskey(tenant, user.token);
    const passkeyToken = await provenBy(passkey);
    const { address, token } = await moved({ ...user, token: passkeyToken });
    refused(await undo(token), 401, 'PROOF_REQUIRED');
    keywright.clock.advance(60);
    const again = await provenBy(passkey);
    refused(await undo(token), 401, 'FLOW_ENDED');
    await add({ ...user, token: again }, user.identifier);
    await remove({ ...user, token: again }, address);
    assert.deepEqual(await identifiersOf(user), [email(user.identifier)]);
  });
});

/** An access token of a login with a passkey, without an identifier. */
async function provenBy(passkey: TestPasskey): Promise<string> {
  const flow = await startPasskeyFlow(tenant);
  const credential = passkey.get(await requestOptions(tenant, flow));
  return expectStatus(200, await provePasskey(tenant, flow, credential)).access_token ?? '';
}

/** The link of a login. */
async function linkTo(identifier: string, skip = 0) {
  const answer = await request<StartedFlow>('POST', '/auth/flows', { body: { identifier } });
  const { flow, flow_token } = expectStatus(201, answer);
  const body = { flow_token };
  expectStatus(200, await request('POST', `/auth/flows/${flow.id}/message`, { body }));
  return { ...(await mailedTo(sink, identifier, skip)), id: flow.id, flow_token };
}
