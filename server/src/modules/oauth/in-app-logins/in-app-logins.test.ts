// Logins inside an application of the tenant, with each login method.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { expectStatus } from '@keywright/tests/harness/http';
import { InApp, newInAppClient, nextOf } from '@keywright/tests/harness/in-app';
import { settledEvents } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { addPasskey } from '@keywright/tests/harness/passkey';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

const METHODS = ['password', 'magic_link', 'passkey'] as const;

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;
let client: CreatedOAuthClient;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({ clock: 'fake', env: mailThrough(sink) });
  const config = { allowed_login_methods: [...METHODS] };
  tenant = await keywright.tenant('in-app', { config });
  client = await newInAppClient(tenant);
});
after(async () => {
  await keywright.close();
  await sink.close();
});

const app = (of = tenant, by = client) => new InApp(of, by);

/** Asserts that the tokens belong to the user and to a login with these methods. */
function assertOf({ user }: TestUser, { access_token: token }: ClientTokenAnswer, amr: string[]) {
  const claims = claimsOf(token);
  assert.deepEqual(
    [claims.sub, claims.client_id, claims.amr?.toSorted()],
    [user.id, client.id, amr.toSorted()],
  );
}

/** A user with an authenticator app. */
async function withTotp() {
  const user = await tenant.createUser();
  const { secret, codes } = await enrollTotp(tenant, user.token, keywright.clock);
  // The current code was already used for the enrollment.
  const codeNow = () => {
    keywright.clock.advance(30);
    return totpOf(secret, keywright.clock.now());
  };
  return { user, codeNow, codes };
}

describe('a login inside an application', () => {
  test('A user logs in with an identifier and a password, one after the other', async () => {
    const user = await tenant.createUser();
    const login = app();
    const started = await login.start({ login_hint: user.identifier });
    assert.equal(nextOf(started), 'insufficient_authorization: password, message, passkey');
    assert.deepEqual(started.body.needs?.[1]?.channels, ['email']);
    const tokens = await login.tokensFor(await login.go({ password: user.password }));
    assertOf(user, tokens, ['pwd']);
    assert.ok(tokens.id_token);
  });

  test('A user logs in with an identifier and a password in the first request', async () => {
    const user = await tenant.createUser();
    const login = app();
    const { identifier: login_hint, password } = user;
    assertOf(user, await login.tokensFor(await login.start({ login_hint, password })), ['pwd']);
  });

  test('A user logs in with the code of a message, in the language of the request', async () => {
    const user = await tenant.createUser();
    const login = app();
    await login.start({ login_hint: user.identifier, ui_locales: 'de-CH en' });
    const sent = await login.go({ message: 'email' });
    assert.equal(nextOf(sent), 'insufficient_authorization: password, message, code, passkey');
    assert.match(sent.body.sent_to ?? '', /^.…@/);
    assert.equal(sent.body.resend_after, 30);
    const { code, mail } = await mailedTo(sink, user.identifier);
    assert.match(mail.parsed.subject ?? '', /^Ihr Anmeldecode/);
    const wrong = await login.go({ message_code: '00000000' });
    assert.deepEqual([wrong.body.refused, wrong.body.guesses_left], ['CODE_WRONG', 4]);
    assertOf(user, await login.tokensFor(await login.go({ message_code: code })), ['email']);
  });

  test('A user logs in with the code of an authenticator app as second factor', async () => {
    const { user, codeNow } = await withTotp();
    const login = app();
    await login.start({ login_hint: user.identifier });
    const second = await login.go({ password: user.password });
    assert.equal(nextOf(second), 'insufficient_authorization: totp, recovery_code');
    const tokens = await login.tokensFor(await login.go({ totp_code: codeNow() }));
    assertOf(user, tokens, ['pwd', 'otp', 'mfa']);
    assert.equal(claimsOf(tokens.access_token).acr, 'aal2');
  });

  test('A user logs in with a recovery code, whose successor comes with the code', async () => {
    const { user, codes } = await withTotp();
    const login = app();
    await login.start({ login_hint: user.identifier, password: user.password });
    const done = await login.go({ recovery_code: codes[0] ?? '' });
    assert.match(done.body.recovery_code ?? '', /^[0-9a-z-]{24,}$/i);
    assertOf(user, await login.tokensFor(done), ['pwd', 'recovery', 'mfa']);
  });

  test('A user logs in with a passkey, which identifies them', async () => {
    const user = await tenant.createUser();
    const { passkey } = await addPasskey(tenant, user.token);
    const login = app();
    assert.equal(nextOf(await login.start()), 'insufficient_authorization: passkey');
    const answer = await login.go({ passkey_options: 'true' });
    const { passkey_options: options } = answer.body;
    assert.ok(options);
    assert.deepEqual(options.allowCredentials, []);
    const done = await login.go({ passkey: JSON.stringify(passkey.get(options)) });
    assertOf(user, await login.tokensFor(done), ['pop', 'user', 'hwk', 'mfa']);
  });

  test('A user logs in with a passkey as the second factor', async () => {
    const user = await tenant.createUser();
    const { passkey } = await addPasskey(tenant, user.token);
    const login = app();
    const second = await login.start({ login_hint: user.identifier, password: user.password });
    assert.match(nextOf(second), /: passkey, recovery_code$/);
    const { passkey_options: options } = (await login.go({ passkey_options: 'true' })).body;
    assert.ok(options);
    assert.equal(options.allowCredentials[0]?.id, passkey.id.toString('base64url'));
    const odd = passkey.get(options, { origin: 'https://elsewhere.example' });
    const refused = await login.go({ passkey: JSON.stringify(odd) });
    assert.equal(refused.body.refused, 'PASSKEY_REFUSED');
    const again = (await login.go({ passkey_options: 'true' })).body.passkey_options;
    assert.ok(again);
    const done = await login.go({ passkey: JSON.stringify(passkey.get(again)) });
    assert.equal(claimsOf((await login.tokensFor(done)).access_token).acr, 'phr');
  });

  test('A user logs in as strongly as the request requires', async () => {
    const { user, codeNow } = await withTotp();
    const login = app();
    await login.start({ login_hint: user.identifier, acr_values: 'aal2', max_age: '0' });
    assert.match(nextOf(await login.go({ password: user.password })), /: totp/);
    const tokens = await login.tokensFor(await login.go({ totp_code: codeNow() }));
    assert.equal(claimsOf(tokens.access_token).acr, 'aal2');
  });

  test('A user logs in after a message to an address that the tenant requires to be verified', async () => {
    const config = { require_verified_identifier: true, allowed_login_methods: [...METHODS] };
    const strict = await keywright.tenant('in-app-verified', {
      config: { ...config, require_verified_identifier: false },
    });
    const user = await strict.createUser();
    const by = await newInAppClient(strict);
    const token = await strict.adminToken();
    const change = { body: { config: { require_verified_identifier: true } }, token };
    const path = `/users/${user.user.id}`;
    const identifiers = [{ identifier: user.identifier, type: 'email', verified: false }];
    expectStatus(200, await strict.request('PATCH', path, { token, body: { identifiers } }));
    expectStatus(200, await strict.request('PATCH', `/tenants/${strict.id}`, change));
    const login = app(strict, by);
    await login.start({ login_hint: user.identifier, password: user.password });
    const next = await login.go({});
    assert.equal(nextOf(next), 'insufficient_authorization: message');
    await login.go({ message: 'email' });
    const { code } = await mailedTo(sink, user.identifier);
    assert.ok((await login.tokensFor(await login.go({ message_code: code }))).access_token);
  });

  test('A user logs in on a device that is known by the token of an earlier login, or new', async () => {
    const user = await tenant.createUser();
    const parameters = { login_hint: user.identifier, password: user.password };
    const { device_token = '' } = expectStatus(200, await app().start(parameters));
    expectStatus(200, await app().start({ ...parameters, device_token }));
    const login = app();
    await login.start({ login_hint: user.identifier, device_token });
    expectStatus(200, await login.go({ password: user.password }));
    const logins = (await settledEvents(tenant)).filter(
      ({ type, data }) => type === 'user.login' && data['user_id'] === user.user.id,
    );
    assert.deepEqual(
      logins.map(({ data }) => data['new_device']),
      [true, true, false, false],
    );
  });
});
