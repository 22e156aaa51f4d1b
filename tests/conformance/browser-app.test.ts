import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { Browser, Page } from 'playwright-core';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { launchBrowser } from './browser.ts';
import { assertRefused } from './refusal.ts';

const API = '/api/sso/v1';
const browser = await launchBrowser();

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let site: Server;
/** The origin of the app, and the same server under another name: another origin. */
let app: string;
let foreign: string;

before(async () => {
  site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title>'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  app = `http://127.0.0.1:${port}`;
  foreign = `http://localhost:${port}`;
  keywright = await startKeywright();
  tenant = await keywright.tenant('browsers', { config: { allowed_origins: [app] } });
  user = await keywright.createUser();
  await allowAtHome([app]);
});

after(async () => {
  await browser?.close();
  site.close();
  await keywright.close();
});

async function allowAtHome(origins: readonly string[]): Promise<void> {
  const body = { config: { allowed_origins: origins } };
  const token = await keywright.adminToken();
  expectStatus(200, await keywright.request('PATCH', '/tenants/org_default', { token, body }));
}

const preflight = (origin: string, more: Readonly<Record<string, string>> = {}) =>
  keywright.request('OPTIONS', '/auth/login', {
    headers: { origin, 'access-control-request-method': 'POST', ...more },
  });

describe('without a browser', () => {
  test('allowed_origins: a preflight request of one of them is allowed, never with credentials', async () => {
    const { status, headers } = await preflight(app, {
      'access-control-request-headers': 'content-type,authorization',
    });
    assert.equal(status, 200);
    assert.equal(headers['access-control-allow-origin'], app);
    assert.equal(headers['access-control-allow-methods'], 'POST');
    assert.match(String(headers['access-control-allow-headers']), /Authorization, Content-Type/);
    assert.match(String(headers['vary']), /Origin/);
    assert.equal(headers['access-control-max-age'], '7200');
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });

  test('No origin outside allowed_origins passes a preflight request: no substring, no other case, not null', async () => {
    for (const origin of [foreign, `${app}0`, app.replace('http', 'https'), 'null', '*', '']) {
      const { headers } = await preflight(origin);
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
    }
  });

  test('A preflight request that announces X-Tenant-ID gets the same response for every origin', async () => {
    const answers = [app, foreign, 'https://unknown.example.com'].map(async (origin) => {
      const named = { 'access-control-request-headers': 'content-type, x-tenant-id' };
      const { headers } = await preflight(origin, named);
      return headers['access-control-allow-origin'];
    });
    assert.deepEqual(await Promise.all(answers), ['*', '*', '*']);
  });

  test('A preflight at an issuer address is the same for every origin, but the response is only for origins of its tenant', async () => {
    const path = (id: string) => `/t/${id}/access/v1/evaluation`;
    const requestedMethod = { 'access-control-request-method': 'POST' };
    for (const origin of [app, foreign]) {
      const headers = { origin, ...requestedMethod };
      const answer = await keywright.request('OPTIONS', path(tenant.id), { headers });
      assert.equal(answer.headers['access-control-allow-origin'], '*');
    }
    const elsewhere = await keywright.tenant('elsewhere-by-path');
    for (const [id, allowed] of [
      [tenant.id, app],
      [elsewhere.id, undefined],
    ] as const) {
      const options = { headers: { origin: app }, body: {} };
      const { headers } = await keywright.request('POST', path(id), options);
      assert.equal(headers['access-control-allow-origin'], allowed);
    }
  });

  test('All responses, including errors, say which origin can read them', async () => {
    const requestFrom = (origin: string, named?: string) =>
      keywright.request('GET', '/me', {
        headers: { origin },
        ...(named === undefined ? {} : { tenant: named }),
      });
    const allowed = await requestFrom(app, tenant.id);
    assertRefused(allowed, '401 TOKEN_INVALID');
    assert.equal(allowed.headers['access-control-allow-origin'], app);
    assert.match(String(allowed.headers['access-control-expose-headers']), /X-Request-ID/);
    assert.equal(allowed.headers['vary'], 'Origin');
    const refused = await requestFrom(foreign);
    assert.equal(refused.headers['access-control-allow-origin'], undefined);
    assert.equal(refused.headers['vary'], 'Origin');
  });

  test('An origin of one tenant is not allowed by another tenant', async () => {
    const other = await keywright.tenant('elsewhere');
    const { headers } = await other.request('GET', '/me', { headers: { origin: app } });
    assert.equal(headers['access-control-allow-origin'], undefined);
  });

  test('A removed origin is rejected with the next request', async () => {
    await allowAtHome([]);
    assert.equal((await preflight(app)).headers['access-control-allow-origin'], undefined);
    await allowAtHome([app]);
    assert.equal((await preflight(app)).headers['access-control-allow-origin'], app);
  });

  test('The public resources are open to all origins', async () => {
    for (const path of [
      '/.well-known/jwks.json',
      '/t/org_default/.well-known/jwks.json',
      '/.well-known/oauth-authorization-server',
      '/t/org_default/.well-known/oauth-authorization-server',
      '/openapi.json',
    ]) {
      const { status, headers } = await keywright.request('GET', path);
      assert.deepEqual([status, headers['access-control-allow-origin']], [200, '*'], path);
    }
  });

  for (const origin of [
    '*',
    'null',
    'http://app.example.com',
    'https://app.example.com/',
    'https://APP.example.com',
    'https://app.example.com:443',
    'https://*.example.com',
    'http://localhost.example.com',
    'https://user@example.com',
    'app.example.com',
  ]) {
    test(`${origin} is not a valid allowed origin`, async () => {
      const body = { config: { allowed_origins: [origin] } };
      const token = await keywright.adminToken();
      const answer = await keywright.request('PATCH', '/tenants/org_default', { token, body });
      assertRefused(answer, '400 VALIDATION_FAILED', ['/config/allowed_origins/0']);
    });
  }
});

describe('a method that a path does not support', () => {
  for (const [call, takes] of [
    ['PUT /users', 'GET, HEAD, POST'],
    ['DELETE /auth/login', 'POST'],
    ['PUT /apikeys/report', 'GET, HEAD, DELETE, POST'],
    ['POST /users/user:x?a=b', 'GET, HEAD, PATCH, DELETE'],
  ] as const) {
    test(`${call}: 405, and Allow`, async () => {
      const [method = '', path = ''] = call.split(' ');
      const answer = await keywright.request(method, path);
      assertRefused(answer, '405 METHOD_NOT_ALLOWED');
      assert.deepEqual(
        String(answer.headers['allow']).split(', ').toSorted(),
        takes.split(', ').toSorted(),
      );
      const { detail } = answer.body as { detail: string };
      for (const allowed of takes.split(', ')) assert.match(detail, new RegExp(`\\b${allowed}\\b`));
    });
  }

  test('An unsupported method at an OAuth endpoint gets 405 with an OAuth error body', async () => {
    for (const path of ['/t/org_default/auth/token', '/oauth/par', '/oauth/introspect']) {
      const answer = await keywright.request('GET', path);
      assert.deepEqual([answer.status, answer.headers['allow']], [405, 'POST'], path);
      const { error, error_description: text, code } = answer.body;
      assert.deepEqual([error, code], ['invalid_request', 'METHOD_NOT_ALLOWED']);
      assert.equal(text, 'This path does not support GET. It supports: POST.');
    }
  });

  test('An unsupported method at a page gets 405 with a page', async () => {
    const answer = await keywright.request('PUT', '/oauth/authorize');
    assert.equal(answer.status, 405);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
    assert.match(answer.text, /<code>METHOD_NOT_ALLOWED<\/code>/);
  });

  test('A request to an unknown path gets 404 without Allow', async () => {
    const answer = await keywright.request('PUT', '/nothing');
    assertRefused(answer, '404 ROUTE_NOT_FOUND');
    assert.equal(answer.headers['allow'], undefined);
  });
});

interface Fetched {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly requestId: string | null;
}

/** Fetches within a page; a request that the browser blocks is an error there. */
function fetchIn(page: Page, path: string, body?: object, headers: object = {}): Promise<Fetched> {
  const init =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        };
  return page.evaluate(
    `fetch(${JSON.stringify(keywright.url + path)}, ${JSON.stringify(init)}).then(async (answer) => ` +
      `({ status: answer.status, body: await answer.json(), requestId: answer.headers.get('x-request-id') }))`,
  );
}

describe('in a browser', { skip: browser ? false : 'Chromium is not installed.' }, () => {
  let page: Page;
  let elsewhere: Page;

  before(async () => {
    page = await (browser as Browser).newPage();
    await page.goto(app);
    elsewhere = await (browser as Browser).newPage();
    await elsewhere.goto(foreign);
  });

  test('An app on an allowed origin logs in, refreshes, and fetches keys', async () => {
    const { identifier, password: secret } = user;
    const login = await fetchIn(page, `${API}/auth/login`, { identifier, secret });
    assert.equal(login.status, 200);
    assert.ok(login.requestId, 'it can read the request id');
    const { refresh_token, access_token } = login.body as TokenAnswer;
    const refresh = await fetchIn(page, `${API}/auth/refresh`, { refresh_token });
    assert.equal(refresh.status, 200);
    const me = await fetchIn(page, `${API}/me`, undefined, {
      authorization: `Bearer ${access_token}`,
    });
    assert.equal(me.body['id'], user.user.id);
    const keys = await fetchIn(page, '/.well-known/jwks.json');
    assert.equal((keys.body['keys'] as unknown[]).length > 0, true);
    const wrong = await fetchIn(page, `${API}/auth/refresh`, { refresh_token: 'x' });
    assert.deepEqual([wrong.status, wrong.body['code']], [401, 'TOKEN_INVALID']);
  });

  test('An app on an allowed origin can name its tenant with X-Tenant-ID', async () => {
    const named = { 'x-tenant-id': tenant.id };
    const answer = await fetchIn(
      page,
      `${API}/auth/login`,
      { identifier: 'a@example.com', secret: 'x' },
      named,
    );
    assert.deepEqual([answer.status, answer.body['code']], [401, 'INVALID_CREDENTIALS']);
  });

  test('The browser rejects a foreign origin, which can still read public keys', async () => {
    const { identifier, password: secret } = user;
    const body = { identifier, secret };
    await assert.rejects(fetchIn(elsewhere, `${API}/auth/login`, body), /Failed to fetch/);
    const named = { 'x-tenant-id': tenant.id };
    await assert.rejects(fetchIn(elsewhere, `${API}/auth/login`, body, named), /Failed to fetch/);
    assert.equal((await fetchIn(elsewhere, '/.well-known/jwks.json')).status, 200);
  });
});
