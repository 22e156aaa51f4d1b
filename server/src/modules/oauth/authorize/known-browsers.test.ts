// A browser that logged in on the pages of a tenant is a known device of its user, by a cookie.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { invite } from '@keywright/tests/harness/invitations';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { type Mailed, mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { addPasskey, assertionFor, type TestPasskey } from '@keywright/tests/harness/passkey';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import {
  addProvider,
  type FakeProvider,
  startFakeProvider,
} from '@keywright/tests/harness/upstream';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';

/** Both addresses are in one network, so that they share its limits. */
const [ATTACKER, HOME] = ['198.51.100.7', '198.51.100.8'];
const LIMIT = 3;

let keywright: Keywright;
let sink: MailSink;
let provider: FakeProvider;
let tenant: TestTenant;
let providerId: string;
const lines: string[] = [];

before(async () => {
  sink = await startMailSink();
  provider = await startFakeProvider();
  keywright = await startKeywright({
    clock: 'fake',
    env: {
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
      KEYWRIGHT_LOG_LEVEL: 'trace',
      KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32',
      ...mailThrough(sink),
    },
    log: (line) => lines.push(line),
  });
  provider.now = () => keywright.clock.now().getTime();
  const config = { login_attempts_limit: LIMIT, login_attempts_address_limit: 10_000 };
  tenant = await keywright.tenant('browsers', { config });
  providerId = (await addProvider(tenant, provider, {})).id;
});
after(async () => {
  await keywright.close();
  await provider.close();
  await sink.close();
});

function newBrowser(from = HOME, at = tenant): Visitor {
  return new Visitor(at, `https://id.example.com/t/${at.id}`, { 'x-forwarded-for': from });
}

async function verified(at = tenant): Promise<TestUser> {
  const user = await at.createUser();
  await verify(user.user.id, user.identifier, at);
  return user;
}

async function verify(userId: string, identifier: string, at = tenant): Promise<void> {
  const body = { identifiers: [{ type: 'email', identifier, verified: true }] };
  const options = { token: await at.adminToken(), body };
  expectStatus(200, await at.request('PATCH', `/users/${userId}`, options));
}

const nameIn = ({ cookies }: Visitor) =>
  [...cookies.keys()].find((name) => name.startsWith('__Host-kwd_'));
const cookieIn = (browser: Visitor) => browser.cookies.get(nameIn(browser) ?? '');

/** Opens the login page of the account, even while a user is logged in. */
async function openLogin(browser: Visitor, at = tenant): Promise<Seen> {
  for (const name of browser.cookies.keys()) {
    if (/kw_/.test(name)) browser.keep(name, 'ended');
  }
  // An address can start 30 flows per minute.
  keywright.clock.advance(2);
  return browser.open(`/t/${at.id}/account`);
}

async function logIn(
  browser: Visitor,
  { identifier, password: secret }: Pick<TestUser, 'identifier' | 'password'>,
  at = tenant,
): Promise<Seen> {
  await openLogin(browser, at);
  return browser.press('login', { identifier, secret });
}

/** Guesses passwords until the guesses are throttled. */
async function guess(identifier: string): Promise<void> {
  for (let count = 0; count < 10 + LIMIT; count += 1) {
    const { status } = await logIn(newBrowser(ATTACKER), { identifier, password: newPassword() });
    if (status === 429) return;
  }
  assert.fail('It was never refused.');
}

async function noticesTo(userId: string): Promise<number> {
  const [row] = await keywright.database.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM messages WHERE user_id = $1 AND kind = 'notice.new_device'`,
    [userId],
  );
  return row?.n ?? 0;
}

/** Prepares a login method and everything its user needs for it. */
type Way = () => Promise<{ readonly id: string; readonly go: (browser: Visitor) => Promise<Seen> }>;

function byMessage(prove: (browser: Visitor, mailed: Mailed) => Promise<Seen>): Way {
  return async () => {
    const { user, identifier } = await verified();
    let earlier = 0;
    const go = async (browser: Visitor) => {
      keywright.clock.advance(31);
      await openLogin(browser);
      await browser.press('begin_code');
      await browser.press('send_code', { identifier });
      return prove(browser, await mailedTo(sink, identifier, (earlier += 1) - 1));
    };
    return { id: user.id, go };
  };
}

async function byPasskey(browser: Visitor, passkey: TestPasskey): Promise<Seen> {
  await openLogin(browser);
  const credential = assertionFor(await browser.press('passkey'), passkey);
  return browser.press('prove_passkey', { credential });
}

const METHODS: Readonly<Record<string, Way>> = {
  async 'a password'() {
    const user = await verified();
    return { id: user.user.id, go: (browser) => logIn(browser, user) };
  },
  'the code of a message': byMessage((browser, { code }) => browser.press('code', { code })),
  'the link of a message': byMessage(async (browser, { mail }) => {
    const [link = ''] = /https:\/\/id\.example\.com\S+/.exec(mail.parsed.text ?? '') ?? [];
    const { pathname, search } = new URL(link);
    await browser.open(pathname + search);
    return browser.press('link');
  }),
  async 'a passkey'() {
    const { user, identifier, token } = await verified();
    const { passkey } = await addPasskey(tenant, token);
    await verify(user.id, identifier);
    return { id: user.id, go: (browser) => byPasskey(browser, passkey) };
  },
  async 'an identity provider'() {
    const person = { sub: newIdentifier(), email: newIdentifier(), email_verified: true };
    const go = async (browser: Visitor) => {
      await openLogin(browser);
      const { redirectsTo } = await browser.press('provider', { provider: providerId });
      const back = provider.authorize(String(redirectsTo), person);
      return browser.open(back.pathname + back.search);
    };
    await go(newBrowser());
    const [row] = await keywright.database.query<{ user_id: string }>(
      'SELECT user_id FROM user_identifiers WHERE identifier = $1',
      [person.email],
    );
    assert.ok(row);
    await verify(row.user_id, person.email);
    return { id: row.user_id, go };
  },
  async 'an authenticator'() {
    const user = await verified();
    const { secret } = await enrollTotp(tenant, user.token, keywright.clock);
    return {
      id: user.user.id,
      async go(browser) {
        keywright.clock.advance(31);
        await logIn(browser, user);
        return browser.press('totp', { code: totpOf(secret, keywright.clock.now()) });
      },
    };
  },
  async 'a recovery code'() {
    const user = await verified();
    const { codes } = await enrollTotp(tenant, user.token, keywright.clock);
    const left = [...codes];
    return {
      id: user.user.id,
      async go(browser) {
        await logIn(browser, user);
        return browser.press('recovery_code', { code: left.pop() ?? '' });
      },
    };
  },
};

describe('a browser that logged in', () => {
  for (const [name, prepare] of Object.entries(METHODS)) {
    test(`A browser that logged in with ${name} is a known device of its user`, async () => {
      const { id, go } = await prepare();
      const browser = newBrowser();
      const past = await noticesTo(id);
      await go(browser);
      assert.match(nameIn(browser) ?? '', /^__Host-kwd_[a-z2-7]{10}$/);
      assert.equal(await noticesTo(id), past + 1, 'a new device');
      await go(browser);
      assert.equal(await noticesTo(id), past + 1, 'a known device');
    });
  }
});

describe('the browsers that have the cookie', () => {
  test('A browser that registered, recovered the password or accepted an invitation has the cookie', async () => {
    const identifier = newIdentifier();
    const [registered, recovered, invited] = [newBrowser(), newBrowser(), newBrowser()];
    await openLogin(registered);
    await registered.press('begin_registration');
    await registered.press('send_registration', { identifier });
    await registered.press('code', { code: (await mailedTo(sink, identifier)).code });
    const user = await verified();
    await openLogin(recovered);
    await recovered.press('begin_recovery');
    await recovered.press('send_recovery', { identifier: user.identifier });
    await recovered.press('code', { code: (await mailedTo(sink, user.identifier)).code });
    await recovered.press('new_password', { secret: newPassword() });
    const { token } = await invite({ keywright, sink }, tenant);
    await invited.open(`/t/${tenant.id}/oauth/invitation?token=${token}`);
    await invited.press('accept');
    await invited.press('new_password', { secret: newPassword() });
    for (const browser of [registered, recovered, invited]) {
      assert.ok(cookieIn(browser), browser.seen.text);
    }
  });

  test('A browser that added a factor, or registered with a password alone, has the cookie', async () => {
    const strict = await keywright.tenant('strict');
    const user = await verified(strict);
    const options = { token: await strict.adminToken(), body: { config: { require_mfa: true } } };
    expectStatus(200, await strict.request('PATCH', `/tenants/${strict.id}`, options));
    const browser = newBrowser(HOME, strict);
    await logIn(browser, user, strict);
    await browser.press('send');
    await browser.press('code', { code: (await mailedTo(sink, user.identifier)).code });
    const { text } = await browser.press('enroll');
    const [, key = ''] = /<code[^>]*>([A-Z2-7 ]{32,})</.exec(text) ?? [];
    const code = totpOf(key.replaceAll(' ', ''), keywright.clock.now());
    await browser.press('confirm_totp', { code });
    assert.ok(cookieIn(browser), browser.seen.text);
    const config = { allowed_login_methods: ['password'] as ['password'] };
    const plain = await keywright.tenant('plain', { config });
    const newcomer = newBrowser(HOME, plain);
    await openLogin(newcomer, plain);
    await newcomer.press('begin_registration');
    await newcomer.press('register', { identifier: newIdentifier(), secret: newPassword() });
    assert.ok(cookieIn(newcomer), newcomer.seen.text);
  });

  test('A browser that failed to log in, or has not given the second factor, has no cookie', async () => {
    const user = await verified();
    await enrollTotp(tenant, user.token, keywright.clock);
    const browser = newBrowser();
    await logIn(browser, { ...user, password: newPassword() });
    await logIn(browser, user);
    await browser.press('totp', { code: '000000' });
    assert.equal(cookieIn(browser), undefined);
  });

  test('A known browser can log in while strangers guess the password, also after a logout', async () => {
    const user = await verified();
    const browser = newBrowser();
    await logIn(browser, user);
    await browser.open(`/t/${tenant.id}/oauth/logout`);
    await browser.press('logout');
    assert.ok(cookieIn(browser), 'it survives the logout');
    await guess(user.identifier);
    assert.equal((await logIn(newBrowser(), user)).status, 429);
    assert.ok((await logIn(browser, user)).redirectsTo, browser.seen.text);
    // Its own guesses are limited.
    const wrong = { ...user, password: newPassword() };
    for (let count = 0; count < LIMIT; count += 1) {
      assert.equal((await logIn(browser, wrong)).status, 401);
    }
    assert.equal((await logIn(browser, user)).status, 429);
  });

  test('A known browser can use the second factor while a thief of the password guesses it', async () => {
    const at = await keywright.tenant('guessed', { config: { login_attempts_limit: 1000 } });
    const user = await verified(at);
    const { secret } = await enrollTotp(at, user.token, keywright.clock);
    const prove = (browser: Visitor) => {
      keywright.clock.advance(31);
      return browser.press('totp', { code: totpOf(secret, keywright.clock.now()) });
    };
    const browser = newBrowser(HOME, at);
    await logIn(browser, user, at);
    assert.ok((await prove(browser)).redirectsTo, browser.seen.text);
    for (let flow = 0; flow < 5; flow += 1) {
      const thief = newBrowser(ATTACKER, at);
      await logIn(thief, user, at);
      for (let count = 0; count < 4; count += 1) await thief.press('totp', { code: '000000' });
    }
    const stranger = newBrowser(HOME, at);
    await logIn(stranger, user, at);
    assert.equal((await prove(stranger)).status, 429);
    await logIn(browser, user, at);
    assert.ok((await prove(browser)).redirectsTo, browser.seen.text);
  });

  test('A browser of several users is a known device of the one who logged in last', async () => {
    const [first, second] = [await verified(), await verified()];
    const browser = newBrowser();
    await logIn(browser, first);
    const earlier = cookieIn(browser);
    assert.ok((await logIn(browser, second)).redirectsTo, browser.seen.text);
    assert.notEqual(cookieIn(browser), earlier);
    const past = await noticesTo(first.user.id);
    await logIn(browser, second);
    assert.equal(await noticesTo(second.user.id), 1);
    await logIn(browser, first);
    assert.equal(await noticesTo(first.user.id), past + 1);
  });
});

describe('the cookie of a known browser', () => {
  test('The cookie lasts 90 days, and neither scripts nor other sites nor other tenants can read it', async () => {
    const user = await verified();
    const browser = newBrowser();
    await openLogin(browser);
    const { postsTo, hidden } = browser.seen;
    const { identifier, password: secret } = user;
    const { headers } = await tenant.request<unknown>('POST', postsTo, {
      host: 'id.example.com',
      headers: {
        cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'sec-fetch-site': 'same-origin',
      },
      rawBody: new URLSearchParams({ ...hidden, identifier, secret, action: 'login' }).toString(),
      contentType: 'application/x-www-form-urlencoded',
    });
    const line = (headers['set-cookie'] ?? []).find((header) => header.startsWith('__Host-kwd_'));
    assert.match(line ?? '', /; Path=\/; Max-Age=7776000; Secure; HttpOnly; SameSite=Lax$/);
    const other = await keywright.tenant('other-names');
    const elsewhere = newBrowser(HOME, other);
    await logIn(elsewhere, await verified(other), other);
    assert.ok(!line?.startsWith(`${nameIn(elsewhere)}=`));
  });

  test('The cookie is in no page, no address and no line of the log', async () => {
    const user = await verified();
    const browser = newBrowser();
    const pages = [await logIn(browser, user), await logIn(browser, user)];
    pages.push(await logIn(browser, { ...user, password: newPassword() }));
    pages.push(await browser.open(`/t/${tenant.id}/oauth/continue?request=none`));
    const value = cookieIn(browser) ?? assert.fail();
    for (const { address, text, redirectsTo } of pages) {
      assert.ok(![address, text, String(redirectsTo)].some((part) => part.includes(value)));
    }
    assert.ok(lines.some((line) => line.includes('/oauth/continue')));
    assert.ok(!lines.join('').includes(value));
  });

  test('A planted cookie gains nothing, and is no error', async () => {
    const [user, stranger] = [await verified(), await verified()];
    const other = await keywright.tenant('planted');
    const [userBrowser, others, elsewhere] = [newBrowser(), newBrowser(), newBrowser(HOME, other)];
    await logIn(userBrowser, user);
    const name = nameIn(userBrowser) ?? assert.fail();
    await logIn(others, stranger);
    await logIn(elsewhere, await verified(other), other);
    const earlier = cookieIn(userBrowser) ?? assert.fail();
    const password = newPassword();
    const change = { token: await tenant.adminToken(), body: { password } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, change));
    const planted = {
      'of another user': cookieIn(others),
      'of another tenant': cookieIn(elsewhere),
      'of an earlier password': earlier,
      garbage: 'garbage',
      'a changed one': `${earlier.slice(0, -2)}${earlier.endsWith('AA') ? 'BB' : 'AA'}`,
      empty: '',
      '10 kB': 'x'.repeat(10_000),
    };
    const current = { ...user, password };
    for (const [what, value = ''] of Object.entries(planted)) {
      const past = await noticesTo(user.user.id);
      const browser = newBrowser();
      browser.keep(name, value);
      assert.ok((await logIn(browser, current)).redirectsTo, `${what}: ${browser.seen.text}`);
      assert.equal(await noticesTo(user.user.id), past + 1, what);
      assert.notEqual(cookieIn(browser), value);
    }
    await guess(user.identifier);
    for (const [what, value = ''] of Object.entries(planted)) {
      const browser = newBrowser();
      browser.keep(name, value);
      assert.equal((await logIn(browser, current)).status, 429, what);
    }
  });
});
