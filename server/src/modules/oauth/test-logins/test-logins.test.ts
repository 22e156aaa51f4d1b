import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';
const START_SECONDS = 5 * 60;

let keywright: Keywright;
let tenant: TestTenant;
let admin: TestUser;
let token: string;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('tested');
  admin = await tenant.createUser({ roles: ['admin'] });
  token = (await tenant.login(admin.identifier, admin.password)).access_token;
  client = await register({});
});
after(() => keywright.close());

async function register(more: object): Promise<CreatedOAuthClient> {
  const body = {
    name: 'Invoices <b>',
    kind: 'web',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'email', 'offline_access', 'read:users'],
    first_party: true,
    ...more,
  };
  return expectStatus(201, await tenant.request('POST', '/clients', { token, body }));
}

/** A browser in which the user is logged in to the console. */
async function browserOf({ identifier, password: secret }: TestUser): Promise<Visitor> {
  const browser = new Visitor(tenant, `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`);
  await browser.open(`/t/${tenant.id}/console/login`);
  await browser.press('login', { identifier, secret });
  return browser;
}

const startWith = (by: string, of: string = client.id, body = {}) =>
  tenant.request<{ url: string }>('POST', `/clients/${of}/test-login`, { token: by, body });

async function urlOf(of = client.id, body = {}): Promise<string> {
  const { url } = expectStatus(200, await startWith(token, of, body));
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const codeOf = ({ body }: Answer<unknown>) => (body as { readonly code?: string }).code;

/** Follows the last page of the login to the result. */
function follow(browser: Visitor): Promise<Seen> {
  const { redirectsTo } = browser.seen;
  return browser.open(`${redirectsTo?.pathname}${redirectsTo?.search}`);
}

/** Runs a test of a client that asks the administrator nothing. */
async function testIn(browser: Visitor, of = client.id): Promise<Seen> {
  await browser.open(await urlOf(of));
  return follow(browser);
}

/** The JSON below a heading of the result. */
function shown({ text }: Seen, id: string): Record<string, unknown> {
  const [, json = '{}'] =
    new RegExp(`id="${id}">[^<]*</h2>\\s*<pre dir="ltr">([^<]*)`).exec(text) ?? [];
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&lt;', '<')) as Record<
    string,
    unknown
  >;
}

function tokenIn({ text }: Seen): string {
  return /Bearer (\S+?)(?:&#39;|')/.exec(text)?.[1] ?? '';
}

async function testedEntries() {
  const page = await tenant.request<{
    items: { details: Record<string, unknown>; outcome: string }[];
  }>('GET', '/audit?action=client.tested', { token });
  return expectStatus(200, page).items;
}

describe('the test of a login', () => {
  test('An administrator sees the claims, scopes and tokens that the application would get', async () => {
    const browser = await browserOf(admin);
    const seen = await testIn(browser);
    assert.equal(seen.title, 'Sign-in to Invoices <b> works');
    const { 'cache-control': caching, 'referrer-policy': referrer } = seen.headers;
    assert.deepEqual([caching, referrer], ['no-store', 'no-referrer']);
    assert.deepEqual(
      [shown(seen, 'id-token')['aud'], shown(seen, 'id-token')['sub']],
      [client.id, admin.user.id],
    );
    const access = shown(seen, 'access-token');
    assert.deepEqual([access['client_id'], access['sub']], [client.id, admin.user.id]);
    assert.equal(shown(seen, 'userinfo')['email'], admin.identifier);
    assert.ok(seen.text.includes('openid email offline_access read:users'), seen.text);
    const userinfo = await tenant.request('GET', '/oauth/userinfo', { token: tokenIn(seen) });
    assert.equal(expectStatus(200, userinfo)['sub'], admin.user.id);
    const [entry] = await testedEntries();
    assert.deepEqual(entry?.details, { user_id: admin.user.id, session_id: access['sid'] });
  });

  test('The session of a test ends within ten minutes and has no refresh token', async () => {
    const browser = await browserOf(admin);
    const seen = await testIn(browser);
    const { exp, iat } = shown(seen, 'access-token');
    assert.ok(Number(exp) - Number(iat) <= 600);
    assert.doesNotMatch(seen.text, /refresh_token/);
  });

  test('The tokens of a test end when the login ends, even with offline_access', async () => {
    const browser = await browserOf(admin);
    const bearer = tokenIn(await testIn(browser));
    await browser.open(`/t/${tenant.id}/oauth/logout`);
    await browser.press('logout');
    const userinfo = await tenant.request('GET', '/oauth/userinfo', { token: bearer });
    assert.equal(userinfo.status, 401);
  });

  test('A user other than the administrator can log in, after the pages that the application would show', async () => {
    const user = await tenant.createUser();
    const asking = await register({ first_party: false });
    const browser = await browserOf(admin);
    const confirmation = await browser.open(await urlOf(asking.id, { prompt: 'login' }));
    assert.equal(confirmation.title, 'Confirm it’s you');
    await browser.press('another');
    const { identifier, password: secret } = user;
    const consent = await browser.press('login', { identifier, secret });
    assert.match(consent.title, /wants access to your account/);
    await browser.press('allow');
    const seen = await follow(browser);
    assert.equal(shown(seen, 'id-token')['sub'], user.user.id);
  });

  test('A refusal of the user is shown as the error that the application would get', async () => {
    const asking = await register({ first_party: false });
    const browser = await browserOf(admin);
    await browser.open(await urlOf(asking.id));
    await browser.press('deny');
    const seen = await follow(browser);
    assert.equal(shown(seen, 'error')['error'], 'access_denied');
    const [entry] = await testedEntries();
    assert.deepEqual([entry?.outcome, entry?.details], ['failure', { reason: 'access_denied' }]);
  });

  test('A refusal is shown and recorded once, and only as an error code', async () => {
    const asking = await register({ first_party: false });
    const browser = await browserOf(admin);
    await browser.open(await urlOf(asking.id));
    const { redirectsTo } = await browser.press('deny');
    const path = `${redirectsTo?.pathname}`;
    const state = redirectsTo?.searchParams.get('state') ?? '';
    const resultOf = (error: string) =>
      browser.open(`${path}?${new URLSearchParams({ state, error }).toString()}`);
    const earlier = await testedEntries();
    assert.equal((await resultOf('all is well\nadmin: approved')).status, 400);
    const statuses = [await resultOf('access_denied'), await resultOf('access_denied')];
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 400],
    );
    assert.equal((await testedEntries()).length, earlier.length + 1);
  });

  test('A client whose tokens are bound to a key is tested with a key that no one has', async () => {
    const bound = await register({ dpop_bound_access_tokens: true });
    const browser = await browserOf(admin);
    const seen = await testIn(browser, bound.id);
    assert.ok(shown(seen, 'access-token')['cnf']);
    assert.doesNotMatch(seen.text, /curl -H/);
  });
});

describe('the tokens of a test stay in the browser that started it', () => {
  const isRefused = ({ status, text }: Seen) => status === 400 && text.includes('expired');

  test('A URL cannot be opened in the browser of another user, even of another administrator', async () => {
    for (const roles of [['member'], ['admin']]) {
      const browser = await browserOf(await tenant.createUser({ roles }));
      assert.ok(isRefused(await browser.open(await urlOf())), roles.join());
    }
    const loggedOut = new Visitor(tenant, `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`);
    assert.ok(isRefused(await loggedOut.open(await urlOf())));
  });

  test('A URL works once and expires after five minutes', async () => {
    const browser = await browserOf(admin);
    const url = await urlOf();
    assert.equal((await browser.open(url)).status, 200);
    assert.ok(isRefused(await browser.open(url)));
    const late = await urlOf();
    keywright.clock.advance(START_SECONDS);
    assert.ok(isRefused(await browser.open(late)));
  });

  test('An administrator who lost the permission cannot open a test that they started before', async () => {
    const former = await tenant.createUser({ roles: ['admin'] });
    const { access_token: by } = await tenant.login(former.identifier, former.password);
    const { url } = expectStatus(200, await startWith(by));
    const browser = await browserOf(former);
    const roles = { token, body: { roles: ['member'] } };
    expectStatus(200, await tenant.request('PATCH', `/users/${former.user.id}`, roles));
    assert.ok(isRefused(await browser.open(new URL(url).pathname + new URL(url).search)));
  });

  test('A result is not shown to another user who logs in after the administrator has lost the permission', async () => {
    const user = await tenant.createUser();
    for (const change of [{ roles: ['member'] }, { is_active: false }]) {
      const former = await tenant.createUser({ roles: ['admin'] });
      const { access_token: by } = await tenant.login(former.identifier, former.password);
      const { url } = expectStatus(200, await startWith(by, client.id, { prompt: 'login' }));
      const browser = await browserOf(former);
      const page = await browser.open(new URL(url).pathname + new URL(url).search);
      const request = { token, body: change };
      expectStatus(200, await tenant.request('PATCH', `/users/${former.user.id}`, request));
      await browser.open(page.address);
      if (browser.seen.actions.includes('another')) await browser.press('another');
      await browser.press('login', { identifier: user.identifier, secret: user.password });
      assert.ok(isRefused(await follow(browser)), JSON.stringify(change));
    }
  });

  test('The result is not shown in another browser, or a second time', async () => {
    const asking = await register({ first_party: false });
    const browser = await browserOf(admin);
    await browser.open(await urlOf(asking.id));
    const { redirectsTo } = await browser.press('allow');
    const path = `${redirectsTo?.pathname}${redirectsTo?.search}`;
    assert.ok(isRefused(await (await browserOf(admin)).open(path)));
    const seen = await browser.open(path);
    assert.equal(seen.status, 200);
    assert.ok(isRefused(await browser.open(path)));
    // A code that is redeemed twice would end the session (RFC 6749 §4.1.2).
    const options = { token: tokenIn(seen) };
    expectStatus(200, await tenant.request('GET', '/oauth/userinfo', options));
  });

  test('The client itself cannot redeem the code of a test, even if it registers the URL of the result', async () => {
    const result = `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}/oauth/test-login/result`;
    const asking = await register({ first_party: false, redirect_uris: [CALLBACK, result] });
    const browser = await browserOf(admin);
    await browser.open(await urlOf(asking.id));
    const { redirectsTo } = await browser.press('allow');
    const code = redirectsTo?.searchParams.get('code') ?? '';
    const answer = await postToken(tenant, {
      grant_type: 'authorization_code',
      client_id: asking.id,
      client_secret: asking.client_secret ?? '',
      code,
      redirect_uri: result,
      code_verifier: 'A'.repeat(43),
    });
    assert.equal(oauthError(answer), '400 invalid_grant GRANT_INVALID');
  });

  test('A code of the application is not accepted instead of the code of the test', async () => {
    const asking = await register({ first_party: false });
    const browser = await browserOf(admin);
    await browser.open(await urlOf(asking.id));
    const { redirectsTo } = await browser.press('allow');
    const state = redirectsTo?.searchParams.get('state') ?? '';
    const other = await browserOf(admin);
    await other.authorize({
      client_id: client.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const code = other.seen.redirectsTo?.searchParams.get('code') ?? '';
    assert.notEqual(code, '');
    const search = new URLSearchParams({ state, code }).toString();
    assert.ok(isRefused(await browser.open(`${redirectsTo?.pathname}?${search}`)));
  });
});

describe('a test is not started', () => {
  test('No test starts for a client of another tenant, or one that does not exist', async () => {
    const foreign = await keywright.tenant('foreign');
    const body = { name: 'Theirs', kind: 'web', redirect_uris: [CALLBACK] };
    const by = await foreign.adminToken();
    const theirs = expectStatus(
      201,
      await foreign.request('POST', '/clients', { token: by, body }),
    );
    const answers = [
      await startWith(token, String(theirs['id'])),
      await startWith(token, 'client_01m81f1h9m6x3r8t2z5w7y0kqd'),
    ];
    assert.deepEqual(answers.map(codeOf), ['NOT_FOUND', 'NOT_FOUND']);
  });

  test('No test starts for a client that does not log users in, or for scopes that it does not have', async () => {
    const machine = await register({
      redirect_uris: [],
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      first_party: false,
      scopes: ['read:users'],
    });
    assert.equal(codeOf(await startWith(token, machine.id)), 'VALIDATION_FAILED');
    const none = await startWith(token, client.id, { scopes: ['write:users'] });
    assert.equal(codeOf(none), 'VALIDATION_FAILED');
  });

  test('No test starts for a system administrator inside the tenant, who is not one of its users', async () => {
    const home = await keywright.home.login(keywright.admin.identifier, keywright.admin.password);
    const request = {
      token: home.access_token,
      body: { tenant_id: tenant.id, reason: 'ticket 7' },
    };
    const inside = await keywright.home.request('POST', '/auth/impersonate', request);
    const { access_token: by } = expectStatus(200, inside);
    assert.equal(codeOf(await startWith(String(by))), 'IMPERSONATION_REFUSED');
  });
});
