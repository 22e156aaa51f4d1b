import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { endSession } from '@keywright/contract/routes/logout';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type AppLogin, RelyingParty } from '@keywright/tests/harness/relying-party';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import type { Seen, Visitor } from '@keywright/tests/harness/visitor';

const BYE = 'https://app.example.com/bye';
const DAY = 86_400;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let app: RelyingParty;

before(async () => {
  keywright = await startKeywright({
    clock: 'fake',
    env: { KEYWRIGHT_BASE_URL: 'http://localhost' },
  });
  tenant = await keywright.tenant('logout');
  user = await tenant.createUser();
  app = await register({ post_logout_redirect_uris: [BYE, `${BYE}?from=here`] });
});
after(() => keywright.close());

const issuerOf = (of: TestTenant) => `http://localhost/t/${of.id}`;
const register = (fields: object, of = tenant) =>
  RelyingParty.register(of, { fields, issuer: issuerOf(of) });

/** A browser in which the user is logged in to an application. */
async function loggedIn(at = app): Promise<{ browser: Visitor; login: AppLogin }> {
  const browser = at.browser();
  return { browser, login: await at.logIn(browser, user) };
}

/** Whether the browser requires a new login. */
async function isLoggedOut(browser: Visitor): Promise<boolean> {
  const seen = await app.authorize(browser, { prompt: 'none' });
  return seen.redirectsTo?.searchParams.get('error') === 'login_required';
}

const hasCookie = (browser: Visitor) =>
  [...browser.cookies.keys()].some((name) => name.startsWith('kw_'));
const assertConfirmation = ({ status, text, redirectsTo, title }: Seen) =>
  assert.deepEqual(
    [status, title, text.includes('id="logout-confirm"'), redirectsTo],
    [200, 'Sign out of logout?', true, undefined],
  );
const returning = { post_logout_redirect_uri: BYE, state: 'a&b"c' };
const RETURNED = `${BYE}?state=a%26b%22c`;

describe('an application that logs its user out (RP-Initiated Logout §2)', () => {
  test('A logout with an ID token and a registered address needs no confirmation and returns with its state', async () => {
    const { browser, login } = await loggedIn();
    const seen = await app.logOut(browser, { id_token_hint: login.idToken, ...returning });
    assert.deepEqual([seen.status, String(seen.redirectsTo)], [303, RETURNED]);
    assert.ok(!hasCookie(browser), 'the cookie is taken back');
    assert.ok(await isLoggedOut(browser));
    const refreshed = await app.refresh(login.refreshToken ?? '');
    assert.equal(refreshed.status, 400, 'its session has ended with the login');
  });

  test('A logout by POST redirects the browser to a GET with its cookie', async () => {
    const { browser, login } = await loggedIn();
    const rawBody = new URLSearchParams({ id_token_hint: login.idToken, ...returning }).toString();
    const posted = await tenant.request('POST', `${new URL(app.issuer).pathname}/oauth/logout`, {
      host: 'localhost',
      rawBody,
      contentType: 'application/x-www-form-urlencoded',
      headers: { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(posted.status, 303);
    const seen = await browser.open(String(posted.headers.location));
    assert.deepEqual([seen.status, String(seen.redirectsTo)], [303, RETURNED]);
    assert.ok(await isLoggedOut(browser));
  });

  test('A logout by a form without fields shows the confirmation page', async () => {
    const { browser } = await loggedIn();
    const seen = await browser.post(`${new URL(app.issuer).pathname}/oauth/logout`, {});
    assertConfirmation(seen);
  });

  test('A logout without a state returns without one, and the query of a registered address remains', async () => {
    const { browser, login } = await loggedIn();
    const plain = { id_token_hint: login.idToken, post_logout_redirect_uri: BYE };
    assert.equal(String((await app.logOut(browser, plain)).redirectsTo), BYE);
    const again = await loggedIn();
    const withQuery = { ...returning, post_logout_redirect_uri: `${BYE}?from=here` };
    const seen = await app.logOut(again.browser, {
      id_token_hint: again.login.idToken,
      ...withQuery,
    });
    assert.equal(String(seen.redirectsTo), `${BYE}?from=here&state=a%26b%22c`);
  });

  test('A logout accepts an ID token that expired long ago, of a key that no longer signs', async () => {
    const rotatingTenant = await keywright.tenant('logout-old');
    const old = await register({}, rotatingTenant);
    const person = await rotatingTenant.createUser();
    const browser = old.browser();
    const { idToken } = await old.logIn(browser, person);
    for (let turn = 0; turn < 2; turn += 1) {
      const token = await rotatingTenant.adminToken();
      expectStatus(
        201,
        await rotatingTenant.request('POST', '/keys/rotate?immediately=true', { token }),
      );
    }
    keywright.clock.advance(6 * 3600);
    const seen = await old.logOut(browser, { id_token_hint: idToken, ...returning });
    assert.deepEqual([seen.status, String(seen.redirectsTo)], [303, RETURNED]);
    user = await tenant.createUser();
  });

  test('A logout by an application with offline access leaves that access in force', async () => {
    const { browser, login } = await loggedIn();
    const offline = await app.logIn(browser, user, { scope: 'openid offline_access' });
    const seen = await app.logOut(browser, { id_token_hint: offline.idToken, ...returning });
    assert.equal(String(seen.redirectsTo), RETURNED);
    assert.equal((await app.refresh(login.refreshToken ?? '')).status, 400);
    expectStatus(200, await app.refresh(offline.refreshToken ?? ''));
  });

  test('A logout works with the earlier ID token of a user who logged in again in the same browser', async () => {
    const { browser, login } = await loggedIn();
    keywright.clock.advance(60);
    await app.authorize(browser, { prompt: 'login' });
    await browser.press('login', { identifier: user.identifier, secret: user.password });
    const seen = await app.logOut(browser, { id_token_hint: login.idToken, ...returning });
    assert.equal(String(seen.redirectsTo), RETURNED);
    assert.ok(await isLoggedOut(browser));
  });

  test('Two simultaneous logouts both return, and one logout is recorded', async () => {
    const { browser, login } = await loggedIn();
    const hint = { id_token_hint: login.idToken, ...returning };
    const earlier = await logouts();
    const seen = await Promise.all([app.logOut(browser, hint), app.logOut(browser, hint)]);
    assert.deepEqual(
      seen.map(({ redirectsTo }) => String(redirectsTo)),
      [RETURNED, RETURNED],
    );
    assert.equal(await logouts(), earlier + 1);
  });
});

async function logouts(): Promise<number> {
  const path = '/audit?action=auth.logout&limit=100';
  const answer = await tenant.request('GET', path, { token: await tenant.adminToken() });
  return Number(expectStatus(200, answer)['total']);
}

describe('a page asks a logged-in user', () => {
  test('A logout without parameters asks for confirmation, and then says that the user is logged out', async () => {
    const { browser } = await loggedIn();
    const page = await app.logOut(browser, {});
    assertConfirmation(page);
    assert.ok(page.text.includes(user.identifier));
    assert.ok(!(await isLoggedOut(browser)));
    await app.logOut(browser, {});
    const done = await browser.press('logout');
    assert.deepEqual([done.status, done.title], [200, 'You’re signed out']);
    assert.ok(!hasCookie(browser));
    assert.ok(await isLoggedOut(browser));
  });

  test('A user who declines a logout remains logged in', async () => {
    const { browser, login } = await loggedIn();
    assertConfirmation(await app.logOut(browser, { client_id: app.client.id, ...returning }));
    const stayed = await browser.press('stay');
    assert.equal(stayed.title, 'You’re still signed in');
    assert.ok(!(await isLoggedOut(browser)));
    expectStatus(200, await app.refresh(login.refreshToken ?? ''));
  });

  test('A user who confirms a logout returns to a registered address of the client that was named', async () => {
    const { browser } = await loggedIn();
    const page = await app.logOut(browser, { client_id: app.client.id, ...returning });
    assertConfirmation(page);
    assert.ok(page.text.includes('<b><bdi>app.example.com</bdi></b>'));
    const done = await browser.press('logout');
    assert.deepEqual([done.status, String(done.redirectsTo)], [200, RETURNED]);
    assert.equal(done.headers.location, undefined, 'form-action would block a redirect');
    assert.ok(await isLoggedOut(browser));
  });

  test('A logout with the ID token alone asks for confirmation, and names no address to return to', async () => {
    const { browser, login } = await loggedIn();
    assertConfirmation(await app.logOut(browser, { id_token_hint: login.idToken, state: 'lost' }));
    assert.equal((await browser.press('logout')).redirectsTo, undefined);
    assert.ok(await isLoggedOut(browser));
  });

  for (const [what, uri] of Object.entries({
    'another path': `${BYE}/`,
    'an added query': `${BYE}?state=x`,
    'another case': 'https://APP.example.com/bye',
    'an encoded character': 'https://app.example.com/%62ye',
    'a user name': 'https://app.example.com@evil.example/bye',
    'a backslash': 'https://app.example.com\\@evil.example/bye',
    'another scheme': 'javascript:alert(1)',
    'no scheme': '//evil.example/bye',
    'a redirect URI that is none of a logout': 'https://app.example.com/callback',
  })) {
    test(`A logout page leads nowhere if the return address differs from the registered one by ${what}`, async () => {
      const { browser, login } = shared;
      const hint = { id_token_hint: login.idToken, post_logout_redirect_uri: uri };
      const page = await app.logOut(browser, hint);
      assertConfirmation(page);
      assert.ok(page.text.includes('you won’t be sent back'));
      assert.ok(!page.text.includes('evil.example') && !page.text.includes('alert('));
    });
  }

  test('A stolen ID token sent in another browser logs no one out (attack 22)', async () => {
    const thief = await loggedIn();
    keywright.clock.advance(5);
    const victim = await loggedIn();
    const seen = await app.logOut(victim.browser, {
      id_token_hint: thief.login.idToken,
      ...returning,
    });
    assertConfirmation(seen);
    assert.ok(!(await isLoggedOut(victim.browser)));
    assert.ok(!(await isLoggedOut(thief.browser)), 'nor is the user it was stolen from');
  });

  let shared: Awaited<ReturnType<typeof loggedIn>>;
  before(async () => {
    shared = await loggedIn();
  });

  test('A logout page trusts no ID token that was changed, is unsigned, or is of another client or tenant', async () => {
    const { browser, login } = shared;
    const [header = '', body = '', signature = ''] = login.idToken.split('.');
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const elsewhere = await keywright.tenant('logout-other');
    const foreign = await register({}, elsewhere);
    const person = await elsewhere.createUser();
    const hints: Record<string, Record<string, string>> = {
      changed: { id_token_hint: `${header}.${encoded({ ...claims, n: 1 })}.${signature}` },
      unsigned: { id_token_hint: `${encoded({ alg: 'none', typ: 'JWT' })}.${body}.` },
      'an access token': { id_token_hint: login.accessToken },
      'no token': { id_token_hint: 'x' },
      'of another client than is named': {
        id_token_hint: login.idToken,
        client_id: (await register({ name: 'Other' })).client.id,
      },
      'of another tenant': {
        id_token_hint: (await foreign.logIn(foreign.browser(), person)).idToken,
      },
    };
    for (const [what, hint] of Object.entries(hints)) {
      const named = { client_id: app.client.id, ...hint, ...returning };
      const page = await app.logOut(browser, named);
      assertConfirmation(page);
      assert.ok(!page.text.includes('<b><bdi>app.example.com</bdi></b>'), what);
    }
    assert.equal((await browser.press('logout')).redirectsTo, undefined);
  });
});

describe('where no user is logged in', () => {
  test('An ID token leads back from a logout without a login, any number of times; without an ID token, the page has a link', async () => {
    const { browser, login } = await loggedIn();
    const hint = { id_token_hint: login.idToken, ...returning };
    for (let time = 0; time < 2; time += 1) {
      assert.equal(String((await app.logOut(browser, hint)).redirectsTo), RETURNED);
    }
    const named = await app.logOut(browser, { client_id: app.client.id, ...returning });
    assert.deepEqual([named.title, named.redirectsTo], ['You’re signed out', undefined]);
    assert.ok(named.text.includes(`id="leave" href="${BYE}?state=a%26b%22c"`));
    const bare = await app.logOut(browser, returning);
    assert.ok(!bare.text.includes('app.example.com'));
  });
});

describe('the form of the page', () => {
  test('The logout form is accepted from its page alone, in the browser that opened it', async () => {
    const { browser } = await loggedIn();
    const { hidden, postsTo } = await app.logOut(browser, {});
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const send = (fields: Record<string, string>, headers: Record<string, string>) =>
      tenant.request<unknown>('POST', postsTo, {
        host: 'localhost',
        rawBody: new URLSearchParams({ ...fields, action: 'logout' }).toString(),
        contentType: 'application/x-www-form-urlencoded',
        headers,
      });
    const sameOrigin = { cookie, 'sec-fetch-site': 'same-origin' };
    const refusals = [
      await send(hidden, { ...sameOrigin, 'sec-fetch-site': 'cross-site' }),
      await send(hidden, { cookie, origin: 'https://evil.example' }),
      await send({ ...hidden, form_token: '' }, sameOrigin),
      await send({ ...hidden, request: `${hidden['request']}x` }, sameOrigin),
    ];
    const other = await loggedIn();
    const theirs = await app.logOut(other.browser, {});
    refusals.push(await send({ ...hidden, request: theirs.hidden['request'] ?? '' }, sameOrigin));
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [403, 403, 400, 400, 400],
    );
    assert.ok(!(await isLoggedOut(browser)));
  });

  test('The logout form is invalid for another login in the same browser, and after half an hour', async () => {
    const { browser } = await loggedIn();
    await app.logOut(browser, {});
    const stale = browser.cookies;
    keywright.clock.advance(31 * 60);
    assert.equal((await browser.press('logout')).status, 400);
    assert.equal(stale, browser.cookies);
    assert.ok(!(await isLoggedOut(browser)));
    const { hidden, postsTo } = await app.logOut(browser, {});
    await app.authorize(browser, { prompt: 'login' });
    await browser.press('login', { identifier: user.identifier, secret: user.password });
    const late = await browser.post(postsTo, { ...hidden, action: 'logout' });
    assert.equal(late.status, 400);
    assert.ok(!(await isLoggedOut(browser)));
  });
});

describe('parameters of a logout', () => {
  const pathOf = () => `${new URL(app.issuer).pathname}/oauth/logout`;
  const names = Object.keys(endSession.query.properties);

  for (const name of names) {
    test(`${name} is refused if it comes twice, in an address or in a form`, async () => {
      const { browser, login } = await loggedIn();
      const others = { id_token_hint: login.idToken, ...returning };
      const twice = new URLSearchParams(Object.entries(others).filter(([key]) => key !== name));
      for (const value of ['a', 'b']) twice.append(name, value);
      const opened = await browser.open(`${pathOf()}?${twice.toString()}`);
      assert.deepEqual([opened.status, opened.redirectsTo], [400, undefined]);
      const sent = await tenant.request<unknown>('POST', pathOf(), {
        host: 'localhost',
        rawBody: twice.toString(),
        contentType: 'application/x-www-form-urlencoded',
      });
      assert.deepEqual([sent.status, sent.headers.location], [400, undefined]);
      assert.ok(!(await isLoggedOut(browser)), 'it logs out no user');
    });
  }

  test('All unknown parameters of a logout are ignored', async () => {
    const path = `${pathOf()}?unheard_of=1&unheard_of=2&logout_hint=x&ui_locales=de`;
    assert.equal((await app.browser().open(path)).status, 200);
  });
});

test('Every logout page is protected by its headers, and is never cached', async () => {
  const { browser } = await loggedIn();
  for (const seen of [await app.logOut(browser, {}), await browser.press('logout')]) {
    const { headers } = seen;
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.match(String(headers['content-security-policy']), /form-action 'self'/);
    assert.ok(!String(headers['content-security-policy']).includes('script-src'));
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.ok(!seen.text.includes('<script'));
  }
  keywright.clock.advance(DAY);
});
