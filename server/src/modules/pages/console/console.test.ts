import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { browserUseIsWritten } from '@keywright/tests/harness/code-login';
import { followEvents, type Tail } from '@keywright/tests/harness/event-tail';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Visitor } from '@keywright/tests/harness/visitor';

const MARK = { 'x-keywright-console': '1', 'sec-fetch-site': 'same-origin' };

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let user: TestUser;
let reader: TestUser;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('console');
  other = await keywright.tenant('other');
  user = await tenant.createUser({ roles: ['admin'] });
  reader = await tenant.createUser();
});
after(() => keywright.close());

const issuerOf = (of: TestTenant) => `${keywright.nodes[0]?.baseUrl}/t/${of.id}`;
const loginPath = (of: TestTenant, query = '') => `/t/${of.id}/console/login${query}`;

/** Logs in on the hosted pages, as the console sends people there. */
async function logIn(
  of: TestTenant,
  { identifier, password: secret }: { readonly identifier: string; readonly password: string },
): Promise<Visitor> {
  const browser = new Visitor(of, issuerOf(of));
  await browser.open(loginPath(of));
  await browser.press('login', { identifier, secret });
  return browser;
}

const cookieOf = ({ cookies }: Visitor) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** The cookie of the login, among those of the browser. */
function sessionCookieOf({ cookies }: Visitor): readonly [name: string, value: string] {
  return [...cookies].find(([name]) => /(?:^|-)kw_/.test(name)) ?? assert.fail('is not logged in');
}

interface Call {
  readonly of?: TestTenant;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly node?: number;
}

/** Calls an API route as the console does. */
function call<Body = JsonBody>(
  browser: Visitor,
  method: string,
  path: string,
  { of = tenant, headers = MARK, ...rest }: Call = {},
): Promise<Answer<Body>> {
  return keywright.request<Body>(method, `/console/api/t/${of.id}${path}`, {
    ...rest,
    headers: { cookie: cookieOf(browser), ...headers },
  });
}

const codeOf = ({ body }: Answer<unknown>) => (body as ErrorBody).code;

describe('the console', () => {
  test('The console calls the API routes as the logged-in user', async () => {
    const browser = await logIn(tenant, user);
    const me = expectStatus(200, await call<UserRecord>(browser, 'GET', '/me'));
    assert.equal(me.id, user.user.id);
    const made = await call(browser, 'POST', '/workspaces', {
      body: { name: 'Made', slug: 'made' },
    });
    assert.equal(made.status, 201, made.text);
  });

  test('The console cookie grants what a token of the same user grants, and no more', async () => {
    const browser = await logIn(tenant, reader);
    const body = { name: 'Refused', slug: 'refused' };
    const byToken = await tenant.request('POST', '/workspaces', { token: reader.token, body });
    const byCookie = await call(browser, 'POST', '/workspaces', { body });
    assert.deepEqual([byCookie.status, codeOf(byCookie)], [403, codeOf(byToken)]);
  });

  test('The console streams events as they happen, until the login has ended or was not used for too long', async () => {
    const person = await tenant.createUser({ roles: ['admin'] });
    const follow = async (): Promise<[Tail, Visitor]> => {
      const browser = await logIn(tenant, person);
      const headers = { ...MARK, cookie: cookieOf(browser) };
      const path = `/console/api/t/${tenant.id}/events/stream?type=workspace.created`;
      return [await followEvents(keywright.url, path, headers), browser];
    };
    const [first, browser] = await follow();
    assert.equal(first.status, 200);
    expectStatus(201, await call(browser, 'POST', '/workspaces', { body: { name: 'Streamed' } }));
    await until('the event is there', () => first.events().length === 1);
    const token = await tenant.adminToken();
    const theirs = `/sessions?user_id=${person.user.id}`;
    expectStatus(200, await tenant.request('DELETE', theirs, { token }));
    await until('the login has ended', () => first.isOver());
    // Reading a stream does not count as activity: an unattended screen does not extend the login.
    const [second] = await follow();
    keywright.clock.advance(31 * 60);
    await until('the login was not used', () => second.isOver());
  });

  test('The removal of a role affects the next console request, on every node', async () => {
    const person = await tenant.createUser({ roles: ['admin'] });
    const browser = await logIn(tenant, person);
    assert.equal((await call(browser, 'GET', '/roles', { node: 1 })).status, 200);
    const token = await tenant.adminToken();
    const body = { roles: ['member'] };
    const path = `/users/${person.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body }));
    const answer = await call(browser, 'GET', '/audit', { node: 1 });
    assert.deepEqual([answer.status, codeOf(answer)], [403, 'SCOPE_REQUIRED']);
  });

  for (const [how, path] of [
    ['session is ended', (id: string) => `/sessions?user_id=${id}`],
    ['user is deleted', (id: string) => `/users/${id}`],
  ] as const) {
    test(`The console rejects a cookie on its next use, on every node, after its ${how}`, async () => {
      const person = await tenant.createUser({ roles: ['admin'] });
      const browser = await logIn(tenant, person);
      assert.equal((await call(browser, 'GET', '/me', { node: 1 })).status, 200);
      const token = await tenant.adminToken();
      expectStatus(200, await tenant.request('DELETE', path(person.user.id), { token }));
      const answer = await call(browser, 'GET', '/me', { node: 1 });
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'BROWSER_SESSION_REQUIRED']);
    });
  }

  test('The console does not accept a token instead of the cookie, and ignores a token sent with it', async () => {
    const browser = await logIn(tenant, reader);
    const authorization = `Bearer ${await tenant.adminToken()}`;
    const alone = { ...MARK, authorization, cookie: '' };
    assert.equal(
      codeOf(await call(browser, 'GET', '/me', { headers: alone })),
      'BROWSER_SESSION_REQUIRED',
    );
    const withToken = await call<UserRecord>(browser, 'GET', '/me', {
      headers: { ...MARK, authorization },
    });
    assert.equal(withToken.body.id, reader.user.id);
  });

  test('The console takes the tenant from the path, whatever X-Tenant-ID says', async () => {
    const browser = await logIn(tenant, user);
    const headers = { ...MARK, 'x-tenant-id': other.id };
    const me = expectStatus(200, await call<UserRecord>(browser, 'GET', '/me', { headers }));
    assert.equal(me.tenant_id, tenant.id);
  });

  test('The console rejects the cookie of another tenant like an unknown cookie', async () => {
    const browser = await logIn(tenant, user);
    const [name, value] = sessionCookieOf(browser);
    const [tag] = sessionCookieOf(await logIn(other, await other.createUser()));
    const swapped = { ...MARK, cookie: `${tag}=${value}` };
    const random = { ...MARK, cookie: `${tag}=${value.replace(/\..*/, '.AAAA')}` };
    const answers = await Promise.all(
      [swapped, random].map((headers) => call(browser, 'GET', '/me', { of: other, headers })),
    );
    assert.notEqual(name, tag);
    for (const answer of answers) assert.deepEqual(codeOf(answer), 'BROWSER_SESSION_REQUIRED');
  });
});

describe('a request with the cookie is refused', () => {
  const REFUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'without the mark of the console': { 'sec-fetch-site': 'same-origin' },
    'from another site': { ...MARK, 'sec-fetch-site': 'cross-site' },
    'from another host of the same site': { ...MARK, 'sec-fetch-site': 'same-site' },
    'typed into the address bar': { ...MARK, 'sec-fetch-site': 'none' },
    'from another origin, of a browser without Sec-Fetch-Site': {
      'x-keywright-console': '1',
      origin: 'https://evil.example.com',
    },
  };
  for (const [how, headers] of Object.entries(REFUSED)) {
    test(how, async () => {
      const browser = await logIn(tenant, user);
      const body = { name: 'Forged', slug: 'forged' };
      for (const answer of [
        await call(browser, 'POST', '/workspaces', { headers, body }),
        await call(browser, 'GET', '/users', { headers }),
      ]) {
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'ORIGIN_REFUSED']);
      }
    });
  }

  test('The API address itself rejects a request that carries only the console cookie', async () => {
    const browser = await logIn(tenant, user);
    const headers = { ...MARK, cookie: cookieOf(browser) };
    const answer = await tenant.request('GET', '/me', { headers });
    assert.deepEqual([answer.status, codeOf(answer)], [401, 'TOKEN_INVALID']);
  });

  test('A preflight response does not allow another origin to send the X-Keywright-Console header', async () => {
    const token = await tenant.adminToken();
    const origin = 'https://app.example.com';
    const body = { config: { allowed_origins: [origin] } };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
    const headers = {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-keywright-console',
    };
    const path = `/console/api/t/${tenant.id}/me`;
    const answer = await keywright.request('OPTIONS', path, { headers });
    const allowed = answer.headers['access-control-allow-headers'] ?? '';
    assert.doesNotMatch(allowed, /console/i);
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  });
});

test('A console request whose browser states no origin is accepted, as with GET over plain HTTP', async () => {
  const browser = await logIn(tenant, user);
  const headers = { 'x-keywright-console': '1' };
  assert.equal((await call(browser, 'GET', '/me', { headers })).status, 200);
});

describe('whether a browser is logged in', () => {
  const getSession = (of: TestTenant, headers: Readonly<Record<string, string>> = {}, node = 0) =>
    keywright.request<{ is_logged_in: boolean }>('GET', `/t/${of.id}/console/session`, {
      headers,
      node,
    });

  test('The console session endpoint reports a browser as logged in, on every node, until its login ends', async () => {
    const person = await tenant.createUser();
    const cookie = cookieOf(await logIn(tenant, person));
    for (const node of [0, 1]) {
      assert.deepEqual((await getSession(tenant, { cookie }, node)).body, { is_logged_in: true });
    }
    const token = await tenant.adminToken();
    const theirs = `/sessions?user_id=${person.user.id}`;
    expectStatus(200, await tenant.request('DELETE', theirs, { token }));
    for (const node of [0, 1]) {
      assert.deepEqual((await getSession(tenant, { cookie }, node)).body, { is_logged_in: false });
    }
  });

  test('The console session endpoint answers alike without a cookie, with one of another tenant, and with a forged one', async () => {
    const [name, value] = sessionCookieOf(await logIn(tenant, user));
    const sessionCookie = `${name}=${value}`;
    const [tag] = sessionCookieOf(await logIn(other, await other.createUser()));
    const answers = [
      await getSession(other),
      await getSession(other, { cookie: sessionCookie }),
      await getSession(other, { cookie: `${tag}=${value}` }),
      await getSession(other, { cookie: `${tag}=${value.replace(/\..*/, '.AAAA')}` }),
      await getSession(other, { authorization: `Bearer ${await other.adminToken()}` }),
      await getSession(other, { cookie: sessionCookie, 'x-tenant-id': tenant.id }),
    ];
    const shown = answers.map(({ status, text, headers }) => {
      const { date: _, 'x-request-id': __, ...rest } = headers;
      return { status, text, rest };
    });
    for (const response of shown) assert.deepEqual(response, shown[0]);
    assert.equal(shown[0]?.text, '{"is_logged_in":false}');
    assert.equal(shown[0]?.rest['cache-control'], 'no-store');
  });

  test('The login state of a browser cannot be read by a script of another origin, even an allowed one', async () => {
    const token = await tenant.adminToken();
    const origin = 'https://app.example.com';
    const body = { config: { allowed_origins: [origin] } };
    expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, { token, body }));
    const cookie = cookieOf(await logIn(tenant, user));
    const { headers } = await getSession(tenant, { cookie, origin });
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });

  test('The console session endpoint reveals no more about a tenant than its login does', async () => {
    const unknown = await keywright.request('GET', '/t/org_nowhere/console/session');
    const login = await keywright.request('GET', '/t/org_nowhere/console/login');
    assert.equal(codeOf(unknown), 'TENANT_NOT_FOUND');
    assert.equal(unknown.status, login.status);
  });

  test('The console session endpoint does not extend the login, and reports false once the console would reject it', async () => {
    const cookie = cookieOf(await logIn(tenant, user));
    for (let times = 0; times < 3; times += 1) {
      assert.deepEqual((await getSession(tenant, { cookie })).body, { is_logged_in: true });
      keywright.clock.advance(601);
    }
    assert.deepEqual((await getSession(tenant, { cookie })).body, { is_logged_in: false });
  });
});

describe('a login for the console', () => {
  test('A console login returns the user to where they were in the console', async () => {
    const browser = new Visitor(tenant, issuerOf(tenant));
    const at = `/console/t/${tenant.id}/users?state=active`;
    await browser.open(loginPath(tenant, `?return_to=${encodeURIComponent(at)}`));
    const { identifier, password: secret } = user;
    const seen = await browser.press('login', { identifier, secret });
    assert.equal(seen.redirectsTo?.href ?? seen.address, `${keywright.nodes[0]?.baseUrl}${at}`);
  });

  test('A console login is skipped if the user is already logged in', async () => {
    const browser = await logIn(tenant, user);
    const seen = await browser.open(loginPath(tenant));
    assert.equal(seen.address, `/console/t/${tenant.id}/`);
  });

  test('A console page that requires a fresh login asks again once the login is older than step_up_max_age', async () => {
    const browser = await logIn(tenant, user);
    assert.equal(
      (await browser.open(loginPath(tenant, '?fresh=1'))).address,
      `/console/t/${tenant.id}/`,
    );
    keywright.clock.advance(901);
    assert.ok((await browser.open(loginPath(tenant, '?fresh=1'))).actions.includes('login'));
  });

  for (const away of [
    'https://evil.example.com/console',
    '//evil.example.com/console',
    '/console//evil.example.com',
    '/console/../t/x/oauth/logout',
    '/console/%2e%2e/x',
    String.raw`/console\evil.example.com`,
    '/consoles',
    '/account',
  ]) {
    test(`A console login does not redirect to ${away}`, async () => {
      const browser = new Visitor(tenant, issuerOf(tenant));
      const path = loginPath(tenant, `?return_to=${encodeURIComponent(away)}`);
      assert.equal((await browser.open(path)).status, 400);
    });
  }

  test('A console login at a host other than that of the issuer redirects to the issuer first', async () => {
    const path = loginPath(tenant, '?return_to=%2Fconsole%2F');
    const host = 'elsewhere.example.com';
    const answer = await keywright.request('GET', path, { host });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.location, `${keywright.nodes[0]?.baseUrl}${path}`);
  });
});

/** Uses the console three times, each this many seconds later. */
async function useThrice(browser: Visitor, seconds: number, of = tenant): Promise<void> {
  for (let uses = 0; uses < 3; uses += 1) {
    keywright.clock.advance(seconds);
    assert.equal((await call(browser, 'GET', '/me', { of })).status, 200);
    await browserUseIsWritten(keywright);
  }
}

describe('the console asks for a new login', () => {
  test('console_idle_ttl after the last use, which restarts that time', async () => {
    const browser = await logIn(tenant, user);
    await useThrice(browser, 1790);
    keywright.clock.advance(1801);
    assert.equal(codeOf(await call(browser, 'GET', '/me')), 'BROWSER_SESSION_REQUIRED');
    assert.ok((await browser.open(loginPath(tenant))).actions.includes('login'));
  });

  test('The console asks for a new login no sooner than console_idle_ttl after the last use, where a login ends before its idle time would', async () => {
    const of = await keywright.tenant('brief', { config: { browser_session_ttl: 43_200 } });
    const browser = await logIn(of, await of.createUser());
    await useThrice(browser, 1790, of);
    keywright.clock.advance(1801);
    assert.equal(codeOf(await call(browser, 'GET', '/me', { of })), 'BROWSER_SESSION_REQUIRED');
  });

  test('console_session_ttl after the login, however much it was used', async () => {
    const of = await keywright.tenant('daily', { config: { console_session_ttl: 3600 } });
    const browser = await logIn(of, await of.createUser());
    await useThrice(browser, 900, of);
    keywright.clock.advance(901);
    assert.equal(codeOf(await call(browser, 'GET', '/me', { of })), 'BROWSER_SESSION_REQUIRED');
  });

  test('The console asks for a new login while the same login still opens the account page', async () => {
    const browser = await logIn(tenant, user);
    keywright.clock.advance(1801);
    assert.equal(codeOf(await call(browser, 'GET', '/me')), 'BROWSER_SESSION_REQUIRED');
    const seen = await browser.open(`/t/${tenant.id}/account`);
    assert.ok(seen.actions.includes('logout'), seen.title);
  });
});

test('GET /console/tenant returns the tenant of a host to any caller who knows the host', async () => {
  const answer = await keywright.request('GET', '/console/tenant', { host: 'other.example.com' });
  assert.deepEqual(expectStatus(200, answer), { tenant_id: other.id });
});
