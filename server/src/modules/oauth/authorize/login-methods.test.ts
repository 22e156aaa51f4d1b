// Each login method on the pages of the service, in a browser without scripts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { registerClient } from '@keywright/tests/harness/application';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import {
  newNumber,
  type SmsSink,
  smsThrough,
  startSmsSink,
  textedTo,
} from '@keywright/tests/harness/sms-sink';
import { expectStatus } from '@keywright/tests/harness/http';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import { newPkce, type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';
const CLOCK = { now: () => new Date() };
const METHODS = ['password', 'magic_link'] as const;

let sink: MailSink;
let sms: SmsSink;
let keywright: Keywright;
let tenant: TestTenant;
let clientId: string;

before(async () => {
  sink = await startMailSink();
  sms = await startSmsSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  keywright = await startKeywright({ env });
  const config = { allowed_login_methods: [...METHODS], allow_registration: true };
  tenant = await keywright.tenant('ways', { config });
  clientId = await registerClient(tenant, { first_party: true, redirect_uris: [CALLBACK] });
});
after(async () => {
  await keywright.close();
  await sms.close();
  await sink.close();
});

/** A browser at the first page of a login. */
async function startLogin(
  more: Readonly<Record<string, string>> = {},
  [of, client] = [tenant, clientId] as const,
): Promise<Visitor> {
  const browser = new Visitor(of, `https://id.example.com/t/${of.id}`);
  await browser.authorize({
    client_id: client,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
    ...more,
  });
  return browser;
}

function assertIn({ redirectsTo, title, text }: Seen): void {
  assert.ok(redirectsTo?.searchParams.has('code'), `${title}: ${text}`);
}

describe('a login of a user', () => {
  test('A user logs in with a code by email', async () => {
    const { identifier } = await tenant.createUser();
    const browser = await startLogin();
    assert.equal((await browser.press('begin_code')).title, 'Sign in with a code');
    const page = await browser.press('send_code', { identifier });
    assert.equal(page.title, 'Check your email');
    const { code } = await mailedTo(sink, identifier);
    const wrong = await browser.press('code', { code: '00000000' });
    assert.deepEqual([wrong.status, wrong.title], [400, 'Check your email']);
    assertIn(await browser.press('code', { code: `${code.slice(0, 4)} ${code.slice(4)}` }));
  });

  test('A user logs in with a password and a code of an authenticator app, or a recovery code, whose successor is shown', async () => {
    const user = await tenant.createUser();
    const { secret, codes } = await enrollTotp(tenant, user.token, CLOCK);
    const [recovery = ''] = codes;
    const { identifier, password } = user;
    const browser = await startLogin();
    const second = await browser.press('login', { identifier, secret: password });
    assert.equal(second.title, 'Verify it’s you');
    const code = totpOf(secret, new Date(CLOCK.now().getTime() + 30_000));
    assertIn(await browser.press('totp', { code }));
    const other = await startLogin();
    await other.press('login', { identifier, secret: password });
    const shown = await other.press('recovery_code', { code: recovery });
    assert.equal(shown.title, 'Your new recovery code');
    const [, next = ''] = /id="codes-continue" href="([^"]+)"/.exec(shown.text) ?? [];
    assertIn(await other.open(next));
  });

  test('A user logs in with a new password after a recovery', async () => {
    const { identifier } = await tenant.createUser();
    const browser = await startLogin();
    await browser.press('begin_recovery');
    await browser.press('send_recovery', { identifier });
    const { code } = await mailedTo(sink, identifier);
    assert.equal((await browser.press('code', { code })).title, 'Choose a new password');
    const secret = newPassword();
    assertIn(await browser.press('new_password', { secret }));
    assertIn(await (await startLogin()).press('login', { identifier, secret }));
  });

  test('A new user logs in after their address is confirmed', async () => {
    const identifier = newIdentifier();
    const browser = await startLogin({ prompt: 'create' });
    const page = await browser.press('send_registration', { identifier });
    assert.equal(page.title, 'Check your email');
    const { code } = await mailedTo(sink, identifier);
    assertIn(await browser.press('code', { code }));
  });

  test('A user logs in with a second factor that they add, if the application requires one', async () => {
    const { identifier, password: secret } = await tenant.createUser();
    const browser = await startLogin({ acr_values: 'aal2' });
    let seen = await browser.press('login', { identifier, secret });
    if (seen.actions.includes('send')) {
      await browser.press('send');
      const { code } = await mailedTo(sink, identifier);
      seen = await browser.press('code', { code });
    }
    assert.equal(seen.title, 'Protect your account');
    const shown = await browser.press('enroll');
    const [, key = ''] = /id="totp-key">([^<]+)</.exec(shown.text) ?? [];
    const code = totpOf(key.replaceAll(' ', ''), CLOCK.now());
    const codes = await browser.press('confirm_totp', { code });
    assert.equal(codes.title, 'Save your recovery codes');
    const [, next = ''] = /id="codes-continue" href="([^"]+)"/.exec(codes.text) ?? [];
    assertIn(await browser.open(next));
  });
});

describe('a login of a user with a phone', () => {
  let texting: TestTenant;
  let client: string;

  before(async () => {
    const config = { allowed_login_methods: [...METHODS], notify_new_device: false };
    texting = await keywright.tenant('texting', { config });
    const token = await texting.adminToken();
    const body = {
      messaging: { sms: smsThrough(sms) },
      config: { sms_countries: ['DE'], mfa_methods: ['totp', 'sms'], require_mfa: false },
    };
    expectStatus(200, await texting.request('PATCH', `/tenants/${texting.id}`, { token, body }));
    const fields = { first_party: true, redirect_uris: [CALLBACK] };
    client = await registerClient(texting, fields);
  });

  /** With a verified number. */
  async function withNumber() {
    const { user, identifier, password } = await texting.createUser();
    const number = newNumber();
    const identifiers = [
      { type: 'email', identifier, verified: true },
      { type: 'phone', identifier: number, verified: true },
    ];
    const token = await texting.adminToken();
    const changed = { token, body: { identifiers } };
    expectStatus(200, await texting.request('PATCH', `/users/${user.id}`, changed));
    return { identifier, password, number };
  }

  test('A user logs in with a code by SMS, to the number that they type', async () => {
    const { number } = await withNumber();
    const browser = await startLogin({}, [texting, client]);
    await browser.press('begin_code');
    const page = await browser.press('send_code', { identifier: number });
    assert.equal(page.title, 'Check your phone');
    assert.match(page.text, /sent a code to <bdi>\+4…[0-9]{2}<\/bdi> /);
    assert.match(
      page.text,
      /name="code"[^>]*autocomplete="one-time-code"[^>]*inputmode="numeric"/s,
    );
    const code = await textedTo(sms, number);
    const wrong = await browser.press('code', {
      code: code.replace(/.$/, (d) => `${9 - Number(d)}`),
    });
    assert.deepEqual([wrong.status, wrong.title], [400, 'Check your phone']);
    assertIn(await browser.press('code', { code }));
  });

  test('A user logs in with a password, and a code by SMS as second factor, which can be sent again', async () => {
    const { identifier, password, number } = await withNumber();
    const browser = await startLogin({ acr_values: 'aal2' }, [texting, client]);
    const second = await browser.press('login', { identifier, secret: password });
    assert.deepEqual([second.status, second.title], [200, 'Verify it’s you']);
    assert.equal(
      sms.requests.filter(({ to }) => to === number).length,
      0,
      'no message was requested yet',
    );
    const page = await browser.press('send');
    assert.equal(page.title, 'Check your phone');
    const code = await textedTo(sms, number);
    const again = await browser.press('send');
    assert.deepEqual(
      [again.status, again.title],
      [429, 'Check your phone'],
      'it cannot be sent again immediately',
    );
    assertIn(await browser.press('code', { code }));
  });
});

test('The pages are the same for unknown and known addresses', async () => {
  const { identifier: registered } = await tenant.createUser();
  const faces: string[] = [];
  for (const identifier of [registered, newIdentifier()]) {
    const browser = await startLogin();
    const failed = await browser.press('login', { identifier, secret: 'a guess' });
    const page = await (await startLogin()).press('send_code', { identifier });
    faces.push(
      [failed, page]
        .map(({ status, text }) => `${status} ${text}`)
        .join('\n')
        .replaceAll(/value="[^"]{20,}"/g, '')
        .replaceAll(identifier, 'the user')
        .replaceAll(/[\w]…@/g, ''),
    );
  }
  assert.equal(faces[0], faces[1]);
});
