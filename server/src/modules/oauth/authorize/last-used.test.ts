// The login page marks the method that a browser used last, by a cookie of the tenant.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { registerClient } from '@keywright/tests/harness/application';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { addPasskey, assertionFor, type TestPasskey } from '@keywright/tests/harness/passkey';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import {
  addProvider,
  type FakeProvider,
  startFakeProvider,
} from '@keywright/tests/harness/upstream';
import { newPkce, type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';
const MARK = '<small>Last used</small>';

let keywright: Keywright;
let sink: MailSink;
let provider: FakeProvider;
let tenant: TestTenant;
let records: readonly [IdentityProviderRecord, IdentityProviderRecord];
let user: TestUser;

before(async () => {
  provider = await startFakeProvider();
  sink = await startMailSink();
  const env = { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', ...mailThrough(sink) };
  keywright = await startKeywright({ clock: 'fake', env });
  provider.now = () => keywright.clock.now().getTime();
  tenant = await keywright.tenant('last-used', { config: { allow_registration: true } });
  records = [
    await addProvider(tenant, provider, { name: 'Corporate' }),
    await addProvider(tenant, provider, { name: 'Private' }),
  ];
});
after(async () => {
  await keywright.close();
  await provider.close();
  await sink.close();
});
beforeEach(async () => {
  user = await tenant.createUser();
});

const newBrowser = (at = tenant) => new Visitor(at, `https://id.example.com/t/${at.id}`);

/** Opens the login page, even while a user is logged in. */
async function openLogin(browser: Visitor, at = tenant): Promise<Seen> {
  return browser.authorize({
    client_id: await registerClient(at, { first_party: true, redirect_uris: [CALLBACK] }),
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    prompt: 'login',
    code_challenge: newPkce().challenge,
    code_challenge_method: 'S256',
  });
}

const nameIn = ({ cookies }: Visitor) => [...cookies.keys()].find((name) => name.includes('kwm_'));
const cookieIn = (browser: Visitor) => browser.cookies.get(nameIn(browser) ?? '');

/** The ID of the marked button. */
function markedIn({ text }: Seen): string | undefined {
  const marked = [...text.matchAll(/<button[^>]* id="([^"]+)"[^>]*>([^]*?)<\/button>/g)].filter(
    ([, , inside]) => inside?.includes(MARK),
  );
  assert.ok(marked.length < 2, text);
  return marked[0]?.[1];
}

async function byPassword(browser: Visitor): Promise<Seen> {
  await openLogin(browser);
  return browser.press('login', { identifier: user.identifier, secret: user.password });
}

async function byProvider(browser: Visitor, { id }: IdentityProviderRecord): Promise<Seen> {
  await openLogin(browser);
  const { redirectsTo } = await browser.press('provider', { provider: id });
  const person = { sub: newIdentifier(), email: newIdentifier(), email_verified: true };
  const back = provider.authorize(String(redirectsTo), person);
  return browser.open(back.pathname + back.search);
}

async function byPasskey(browser: Visitor, passkey: TestPasskey): Promise<Seen> {
  await openLogin(browser);
  const credential = assertionFor(await browser.press('passkey'), passkey);
  return browser.press('prove_passkey', { credential });
}

describe('a browser that logged in', () => {
  test('A browser that logged in by password finds it marked, by a cookie that contains only the method', async () => {
    const browser = newBrowser();
    assert.equal(markedIn(await openLogin(browser)), undefined);
    assert.ok((await byPassword(browser)).redirectsTo);
    assert.equal(cookieIn(browser), 'password');
    assert.match(nameIn(browser) ?? '', /^__Host-kwm_[a-z2-7]{10}$/);
    assert.equal(markedIn(await openLogin(browser)), 'login-submit');
    assert.equal(markedIn(await browser.press('begin_code')), undefined);
  });

  test('A browser that logged in by a code, a passkey or a provider finds it marked, and the provider listed first', async () => {
    const browser = newBrowser();
    await openLogin(browser);
    await browser.press('send_code', { identifier: user.identifier });
    await browser.press('code', { code: (await mailedTo(sink, user.identifier)).code });
    assert.equal(cookieIn(browser), 'code');
    assert.equal(markedIn(await openLogin(browser)), 'begin_code');
    const { passkey } = await addPasskey(tenant, (await tenant.createUser()).token);
    assert.ok((await byPasskey(browser, passkey)).redirectsTo);
    assert.equal(markedIn(await openLogin(browser)), 'passkey');
    const [first, second] = records;
    for (const record of [second, first, second]) {
      assert.ok((await byProvider(browser, record)).redirectsTo);
      assert.equal(cookieIn(browser), record.id);
      const seen = await openLogin(browser);
      assert.equal(markedIn(seen), `provider-${record.id}`);
      const shown = [...seen.text.matchAll(/id="provider-([^"]+)"/g)].map(([, id]) => id);
      assert.equal(shown[0], record.id);
      assert.equal(shown.length, records.length);
    }
  });

  test('A browser that logged in with a second factor finds the first one marked', async () => {
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    keywright.clock.advance(30);
    const browser = newBrowser();
    await byPassword(browser);
    assert.equal(cookieIn(browser), undefined, 'no user has logged in');
    await browser.press('totp', { code: totpOf(secret, keywright.clock.now()) });
    assert.equal(cookieIn(browser), 'password');
  });

  test('A browser finds the password marked after a recovery', async () => {
    const browser = newBrowser();
    await openLogin(browser);
    await browser.press('send_recovery', { identifier: user.identifier });
    await browser.press('code', { code: (await mailedTo(sink, user.identifier)).code });
    await browser.press('new_password', { secret: `${user.password}!` });
    assert.equal(cookieIn(browser), 'password');
  });

  test('The cookie lasts a year, and no script or other site can read it', async () => {
    const browser = newBrowser();
    await openLogin(browser);
    const { postsTo, hidden } = browser.seen;
    const fields = {
      ...hidden,
      identifier: user.identifier,
      secret: user.password,
      action: 'login',
    };
    const { headers } = await tenant.request<unknown>('POST', postsTo, {
      host: 'id.example.com',
      headers: {
        cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'sec-fetch-site': 'same-origin',
      },
      rawBody: new URLSearchParams(fields).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    const line = (headers['set-cookie'] ?? []).find((header) => header.includes('kwm_'));
    assert.match(
      line ?? '',
      /=password; Path=\/; Max-Age=31536000; Secure; HttpOnly; SameSite=Lax$/,
    );
  });
});

/** A page without the parts that differ on every load. */
const faceOf = ({ text }: Seen) =>
  text.replaceAll(/name="(form_token|request)" value="[^"]+"/g, 'name="$1"');

describe('a login page without a mark', () => {
  test('No method is marked after a failed login, whether the user is unknown or the secret wrong', async () => {
    const browser = newBrowser();
    await byPassword(browser);
    const faces = new Set<string>();
    for (const identifier of [user.identifier, newIdentifier()]) {
      await openLogin(browser);
      const seen = await browser.press('login', { identifier, secret: 'a guess' });
      assert.deepEqual([seen.status, cookieIn(browser)], [401, 'password']);
      assert.equal(markedIn(seen), 'login-submit');
      faces.add(faceOf(seen).replaceAll(identifier, ''));
    }
    assert.equal(faces.size, 1);
    const other = newBrowser();
    await openLogin(other);
    await other.press('login', { identifier: user.identifier, secret: 'a guess' });
    assert.equal(cookieIn(other), undefined);
  });

  test('A method that the page does not offer is neither marked nor repeated', async () => {
    const browser = newBrowser();
    await byPassword(browser);
    const name = nameIn(browser) ?? '';
    const faces = new Set<string>();
    const forged = ['', 'idp_01m81e4vr3f7k2m9x5q0t6w8za', 'PASSWORD', '<b>', 'x'.repeat(600)];
    for (const value of forged) {
      browser.keep(name, value);
      faces.add(faceOf(await openLogin(browser)));
    }
    assert.equal(faces.size, 1);
    assert.doesNotMatch([...faces][0] ?? '', /Last used|xxx/);
  });

  test('No method is marked at another tenant of the same host', async () => {
    const browser = newBrowser();
    await byPassword(browser);
    const neighbor = await keywright.tenant('neighbor');
    const other = newBrowser(neighbor);
    for (const [name, value] of browser.cookies) other.keep(name, value);
    assert.equal(markedIn(await openLogin(other, neighbor)), undefined);
  });

  test('No method is marked if there is only one', async () => {
    const config = { allowed_login_methods: ['password' as const] };
    const plain = await keywright.tenant('one-way', { config });
    const { identifier, password: secret } = await plain.createUser();
    const browser = newBrowser(plain);
    await openLogin(browser, plain);
    await browser.press('login', { identifier, secret });
    assert.equal(cookieIn(browser), 'password');
    assert.equal(markedIn(await openLogin(browser, plain)), undefined);
  });
});
