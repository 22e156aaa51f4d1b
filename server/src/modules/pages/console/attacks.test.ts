// Attacks on the console's API proxy: forged requests to every route, ambiguous paths, planted cookies.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { API_BASE, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { Visitor } from '@keywright/tests/harness/visitor';

const MARK = { 'x-keywright-console': '1', 'sec-fetch-site': 'same-origin' };

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let user: TestUser;
let cookie: string;
/** The cookies of a browser that is logged in to both tenants: a confused path would succeed. */
let bothCookies: string;
/** The cookie of a system administrator inside `tenant`. */
let insideCookie: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('attacked');
  other = await keywright.tenant('other');
  user = await tenant.createUser({ roles: ['admin'] });
  cookie = cookieOf(await logIn(tenant, user));
  const theirs = await logIn(other, await other.createUser({ roles: ['admin'] }));
  bothCookies = `${cookie}; ${cookieOf(theirs)}`;
  insideCookie = cookieOf(await logIn(keywright.home, keywright.admin));
  const path = `/console/api/t/org_default/impersonations/${tenant.id}`;
  const headers = { ...MARK, cookie: insideCookie };
  const body = { reason: 'ticket 4711' };
  expectStatus(200, await keywright.request('PUT', path, { headers, body }));
});
after(() => keywright.close());

const codeOf = ({ body }: Answer<unknown>) => (body as Partial<ErrorBody>).code;
const cookieOf = ({ cookies }: Visitor) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function newVisitor(of: TestTenant): Visitor {
  const base = keywright.nodes[0]?.baseUrl ?? '';
  return new Visitor(of, of === keywright.home ? base : `${base}/t/${of.id}`);
}

async function logIn(
  of: TestTenant,
  { identifier, password: secret }: { readonly identifier: string; readonly password: string },
  browser = newVisitor(of),
): Promise<Visitor> {
  await browser.open(`/t/${of.id}/console/login`);
  await browser.press('login', { identifier, secret });
  return browser;
}

describe('a forged request is refused before anything of it is read', () => {
  /** Routes that require no credential: a page can call them without the cookie as well. */
  const isOpen = ({ access }: Route) => access === 'open';
  const OF_API = ROUTES.filter(({ path }) => path.startsWith(`${API_BASE}/`));

  for (const place of ['t', 'in/t'] as const) {
    test(`Every protected API route below /console/api/${place} rejects a forged request before reading it`, async () => {
      const forged = { 'sec-fetch-site': 'same-origin' };
      const crossSite = { ...MARK, 'sec-fetch-site': 'cross-site' };
      const answers: string[] = [];
      for (const route of OF_API.filter((candidate) => !isOpen(candidate))) {
        const path = route.path.slice(API_BASE.length).replaceAll(/:\w+/g, 'x');
        for (const mark of [forged, crossSite]) {
          const headers = { ...mark, cookie: place === 't' ? cookie : insideCookie };
          const at = `/console/api/${place}/${tenant.id}${path}`;
          const hasBody = !['GET', 'DELETE'].includes(route.method);
          const answer = await keywright.request(route.method, at, {
            headers,
            ...(hasBody && { body: {} }),
          });
          if (codeOf(answer) === 'ORIGIN_REFUSED') continue;
          answers.push(`${route.id}: ${answer.status} ${codeOf(answer)}`);
        }
      }
      assert.deepEqual(answers, []);
      assert.ok(OF_API.length > 150, 'it is every route');
    });
  }

  test('A cross-site form, which cannot send JSON, is rejected before its body is read', async () => {
    const headers = { cookie, origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' };
    for (const contentType of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await keywright.request('POST', `/console/api/t/${tenant.id}/workspaces`, {
        headers,
        contentType,
        rawBody: '{"name":"Forged","slug":"forged"}',
      });
      assert.equal(codeOf(answer), 'ORIGIN_REFUSED', contentType);
    }
  });
});

/** Sends a request with an unnormalized target, and returns the head and the body of the response. */
async function sendRaw(target: string, headers: readonly string[] = []): Promise<string> {
  const { hostname, port } = new URL(keywright.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const baseHeaders = ['host: id.example.com', `cookie: ${bothCookies}`, 'connection: close'];
  const mark = Object.entries(MARK).map((pair) => pair.join(': '));
  const lines = [`GET ${target} HTTP/1.1`, ...baseHeaders, ...mark, ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return readAll(socket);
}

describe('an address that means another one', () => {
  const TARGETS: Readonly<Record<string, (tenantId: string, foreign: string) => string>> = {
    'climbs out of its tenant': (tenantId, foreign) =>
      `/console/api/t/${tenantId}/../${foreign}/users`,
    'climbs out, encoded': (tenantId, foreign) =>
      `/console/api/t/${tenantId}/..%2f${foreign}/users`,
    'climbs out, dots encoded': (tenantId, foreign) =>
      `/console/api/t/${tenantId}/%2e%2e/${foreign}/users`,
    'climbs out, encoded twice': (tenantId, foreign) =>
      `/console/api/t/${tenantId}/..%252f${foreign}/users`,
    'climbs out by backslashes': (tenantId, foreign) =>
      `/console/api/t/${tenantId}/${['..', foreign, 'users'].join('\\')}`,
    'climbs to the tokens': (tenantId) => `/console/api/t/${tenantId}/../../oauth/token`,
    'climbs to the files': (tenantId) =>
      `/console/api/t/${tenantId}/..%2f..%2f..%2f..%2fetc/passwd`,
    'names its tenant encoded': (_tenantId, foreign) =>
      `/console/api/t/%${foreign.charCodeAt(0).toString(16)}${foreign.slice(1)}/users`,
    'names two tenants': (tenantId, foreign) => `/console/api/t/${tenantId}%2f${foreign}/users`,
    'names two tenants in a list': (tenantId, foreign) =>
      `/console/api/t/${foreign},${tenantId}/users`,
    'names a tenant in its query': (tenantId, foreign) =>
      `/console/api/t/${foreign}?${tenantId}/users`,
    'has a slash more': (tenantId) => `/console/api/t//${tenantId}/users`,
    'has a line break in its tenant': (tenantId, foreign) =>
      `/console/api/t/${tenantId}%0d%0ax-tenant-id:%20${foreign}/users`,
    'has a zero in its tenant': (tenantId) => `/console/api/t/${tenantId}%00/users`,
    'has a tab in its tenant': (tenantId) => `/console/api/t/${tenantId}\t/users`,
    'has a letter that is not ASCII in its tenant': (tenantId) =>
      `/console/api/t/${tenantId}\u00e9/users`,
    'is absolute': (_tenantId, foreign) => `http://id.example.com/console/api/t/${foreign}/users`,
    'is written in capitals': (tenantId) => `/CONSOLE/API/T/${tenantId}/users`,
    'is inside, of who is not': (_tenantId, foreign) => `/console/api/in/t/${foreign}/users`,
  };
  for (const [how, target] of Object.entries(TARGETS)) {
    test(`A manipulated console address discloses no users: ${how}`, async () => {
      const answer = await sendRaw(target(tenant.id, other.id));
      assert.doesNotMatch(answer, /"items"|root:/);
      assert.match(answer, /^HTTP\/1\.1 (?:4\d\d|200 OK[^]*<title>Keywright<)/);
    });
  }

  test('A console request ignores X-Tenant-ID, and is rejected if its X-Keywright-Console header is repeated', async () => {
    const path = `/console/api/t/${tenant.id}/users?limit=1`;
    for (const headers of [[], [`x-tenant-id: ${other.id}`], [`X-Tenant-ID: ${other.id}`]]) {
      const answer = await sendRaw(path, headers);
      assert.match(answer, /^HTTP\/1\.1 200/);
      assert.ok(!answer.includes(`"${other.id}"`));
    }
    const twice = await sendRaw(path, ['x-keywright-console: 1']);
    assert.match(twice, /ORIGIN_REFUSED/);
  });

  test('A request with both Content-Length and Transfer-Encoding is rejected, so it cannot smuggle a second request', async () => {
    const smuggled = await sendRaw(`/console/api/t/${tenant.id}/me`, [
      'content-length: 4',
      'transfer-encoding: chunked',
    ]);
    assert.match(smuggled, /^HTTP\/1\.1 400/);
  });
});

describe('a login', () => {
  test('A login does not continue in a session that an attacker planted in the browser', async () => {
    const attacker = await logIn(tenant, await tenant.createUser());
    const planted = new Map(attacker.cookies);
    const victim = newVisitor(tenant);
    for (const [name, value] of planted) victim.keep(name, value);
    // A logged-in user must authenticate again if the login must be fresh, or log out first.
    await victim.open(`/t/${tenant.id}/account`);
    const seen = await victim.press('logout');
    if (seen.actions.includes('logout')) await victim.press('logout');
    await logIn(tenant, user, victim);
    const me = async (browser: string) =>
      keywright.request('GET', `/console/api/t/${tenant.id}/me`, {
        headers: { ...MARK, cookie: browser },
      });
    assert.equal((await me(cookieOf(victim))).body['id'], user.user.id);
    const theirs = [...planted].map(([name, value]) => `${name}=${value}`).join('; ');
    assert.notEqual((await me(theirs)).body['id'], user.user.id);
  });

  test('A login replaces a session cookie value that the server never issued', async () => {
    const victim = newVisitor(tenant);
    const names = [...(await logIn(tenant, user)).cookies.keys()];
    const name = names.find((candidate) => candidate.includes('kw_')) ?? '';
    const chosen = 'chosen-by-an-attacker.AAAA';
    victim.keep(name, chosen);
    await logIn(tenant, user, victim);
    assert.match(victim.cookies.get(name) ?? '', /^session:/);
  });

  for (const away of [
    '/console/t/org_default\r\nset-cookie: a=b',
    '/console/%0d%0aset-cookie:%20a=b',
    '/console/\t/evil.example.com',
    '/console/@evil.example.com',
    '/console;@evil.example.com',
    '/console/#//evil.example.com',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    ' /console',
    '/console?next=//evil.example.com',
    '/%63onsole',
  ]) {
    test(`A console login rejects ${JSON.stringify(away)} as return_to`, async () => {
      const path = `/t/${tenant.id}/console/login?return_to=${encodeURIComponent(away)}`;
      const answer = await keywright.request('GET', path, { headers: { cookie } });
      assert.equal(answer.status, 400);
      assert.equal(answer.headers.location, undefined);
      assert.equal(answer.headers['set-cookie'], undefined);
    });
  }
});

test('No route of the API gives a token for the console cookie', () => {
  // A preview has lists of the claims, and no token.
  const giving = ROUTES.filter(
    ({ path, access, ok }) =>
      path.startsWith(`${API_BASE}/`) &&
      access !== 'open' &&
      access !== 'tenant' &&
      /"(?:access|refresh)_token":\{(?!"type":"array")/.test(JSON.stringify(ok)),
  );
  assert.deepEqual(giving.map(({ id }) => id).toSorted(), ['auth.impersonate']);
});
