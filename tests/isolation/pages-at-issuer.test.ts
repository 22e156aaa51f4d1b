// Attacks on every page at the address of its issuer. The matrix in pages.test.ts does not cover pages of a login.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isPage, pathTo, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { newIdentityProviderId } from '@keywright/server/platform/crypto/ids';
import { openApplication } from '../harness/application.ts';
import { newClient, requestOf, UserBrowser } from '../harness/code-login.ts';
import type { Answer, JsonBody } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { codeOnPage } from '../pages/cookie-jar.ts';
import { FIELDS } from './page-fields.ts';

const PAGES = ROUTES.filter((route) => isPage(route) && route.path.startsWith('/t/:tenant_id/'));
const FORMS = PAGES.filter(({ method, form }) => method === 'POST' && form === 'page');
const HOST = 'id.example.com';
const FORM = 'application/x-www-form-urlencoded';
const OF_HERE = { 'sec-fetch-site': 'same-origin' };
const OUTSIDE = 'https://evil.example';
const PROVIDER = newIdentityProviderId(new Date());

const PAYLOADS = [
  `"><script>alert(1)</script>`,
  `' onfocus=alert(1) autofocus x='`,
  'x\r\nset-cookie: injected=1\r\n\r\n<script>alert(1)</script>',
  '//evil.example/',
  'https://evil.example/',
  'javascript:alert(1)',
  '../../../../etc/passwd',
  '%00%0d%0a',
  '\u0000\u202e\ud7ff\u{1f511}',
  '__proto__',
  '{{7*7}}${7*7}',
  "'; DROP TABLE users; --",
  'A'.repeat(4000),
  '',
];

/** A tenant, and the browser of a user who has logged in there and is in the middle of another login. */
interface Side {
  readonly tenant: TestTenant;
  readonly user: TestUser;
  readonly browser: UserBrowser;
  /** The sealed request of the login in progress, bound to that browser. */
  readonly request: string;
  readonly formToken: string;
}

let keywright: Keywright;
let local: Side;
let foreign: Side;
/** Access tokens of the own tenant: an application's and an administrator's. */
let tokens: readonly string[];

before(async () => {
  keywright = await startKeywright();
  [local, foreign] = [await sideOf('own'), await sideOf('foreign')];
  const { id: clientId } = await newClient(local.tenant);
  const { user, tenant } = local;
  const application = await openApplication(keywright, tenant, { user, clientId });
  tokens = [application.token, await tenant.adminToken()];
});
after(() => keywright.close());

async function sideOf(slug: string): Promise<Side> {
  const tenant = await keywright.tenant(slug);
  const user = await tenant.createUser();
  const client = await newClient(tenant);
  const browser = new UserBrowser(tenant, `https://${HOST}/t/${tenant.id}`, user);
  await browser.codeFor(client);
  const { hidden } = await browser.authorize(requestOf(client, { prompt: 'consent' }));
  const { request = '', form_token: formToken = '' } = hidden;
  assert.ok(request && formToken);
  return { tenant, user, browser, request, formToken };
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const headerOf = (cookies: Iterable<readonly [string, string]>) =>
  [...cookies].map((pair) => pair.join('=')).join('; ');

/** Returns the route's fields, with the request in progress of the own browser where the route takes one. */
function fieldsOf({ id }: Route): Record<string, string> {
  const fields = { ...FIELDS[id] };
  return fields['request'] === undefined ? fields : { ...fields, request: local.request };
}

interface Sent {
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly formToken?: string;
  readonly fields?: readonly (readonly [string, string])[];
}

/** Sends a route's request as the own tenant's page does, except for the given parts. */
function send(route: Route, sent: Sent = {}): Promise<Answer<JsonBody>> {
  const path = pathTo(route, { tenant_id: local.tenant.id, provider_id: PROVIDER });
  const cookie = sent.cookie ?? headerOf(local.browser.cookies);
  const headers = { ...(sent.headers ?? OF_HERE), ...(cookie !== '' && { cookie }) };
  const entries = sent.fields ?? Object.entries(fieldsOf(route));
  const fields = new URLSearchParams(entries.map(([name, value]) => [name, value]));
  const options = { host: HOST, headers, tenant: [] };
  if (route.method === 'GET') {
    const query = route.query ? `?${fields.toString()}` : '';
    return keywright.request('GET', `${path}${query}`, options);
  }
  if (route.form === 'page') fields.append('form_token', sent.formToken ?? local.formToken);
  const form = { rawBody: fields.toString(), contentType: FORM };
  return keywright.request(route.method, path, { ...options, ...form });
}

/** Asserts that the response is a page or a redirect of the service that discloses nothing of the request. */
function assertSane(answer: Answer<JsonBody>, what: string): void {
  const { status, headers, text } = answer;
  assert.ok([200, 303, 400, 401, 403, 404, 413].includes(status), `${what}: ${status} ${text}`);
  assert.equal(headers['cache-control'], 'no-store', what);
  assert.equal(headers['access-control-allow-origin'], undefined, what);
  const set = headers['set-cookie'] ?? [];
  assert.ok(
    set.every((line) => /^__Host-kw[a-z]?_[a-z2-7]{10}=/.test(line)),
    `${what}: ${set.join()}`,
  );
  if (status === 303) {
    // Never 307, which would repeat a form with its password elsewhere (RFC 9700 §4.12).
    assert.match(String(headers.location), /^\/(console\/)?t\/[a-z]/, what);
    return;
  }
  assert.equal(headers['content-type'], 'text/html; charset=utf-8', what);
  assert.equal(headers['referrer-policy'], 'no-referrer', what);
  assert.equal(headers['x-frame-options'], 'DENY', what);
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, what);
  assert.doesNotMatch(
    text,
    /<script>alert|<[^>]*\sonfocus=|<svg(?! viewBox="0 0 24 24" aria-hidden="true">)|evil\.example\/['"]/,
    what,
  );
}

/** Returns a response without its varying parts. */
function said({ status, text, headers }: Answer<JsonBody>): string {
  const to = (headers.location ?? '').replace(/\?.*/, '');
  const varying = /<code>[\w-]{22}<\/code>|value="[\w.-]{20,}"|nonce="[^"]*"|'nonce-[^']*'/g;
  return `${status} ${to} ${codeOnPage({ text } as Answer<JsonBody>) ?? ''} ${text.replaceAll(varying, '')}`;
}

test('Every page has an address at the issuer, and its fields', () => {
  assert.ok(PAGES.length > FORMS.length && FORMS.length > 3);
  for (const route of PAGES) assert.ok(FIELDS[route.id], route.id);
});

for (const route of PAGES) {
  describe(nameOf(route), () => {
    test('The route answers anything in its fields with a page that repeats none of it', async () => {
      assertSane(await send(route), 'as its page sends it');
      for (const name of Object.keys(fieldsOf(route))) {
        for (const payload of PAYLOADS) {
          const fields = Object.entries({ ...fieldsOf(route), [name]: payload });
          assertSane(await send(route, { fields }), `${name}: ${payload.slice(0, 40)}`);
        }
      }
      for (const payload of PAYLOADS.filter(
        (candidate) => !/[\r\n\u0080-\uffff\0]/.test(candidate),
      )) {
        assertSane(await send(route, { cookie: `x=${payload}` }), `the cookies ${payload}`);
      }
    });

    test('The route rejects a field that is sent twice', async () => {
      for (const [name, value] of Object.entries(fieldsOf(route))) {
        const fields = [...Object.entries(fieldsOf(route)), [name, value] as const];
        const answer = await send(route, { fields });
        assertSane(answer, name);
        assert.ok(answer.status >= 400, `${name}: ${answer.status}`);
      }
    });

    test('The route identifies the browser only by its own cookies, and no user by a token', async () => {
      const nothing = await send(route, { cookie: '' });
      assertSane(nothing, 'no cookie');
      const [mine, theirs] = [local.browser.cookies, foreign.browser.cookies];
      const values = [...theirs.values()];
      const stolen = [...mine.keys()].map((name, index) => [name, values[index] ?? ''] as const);
      const twice = [...mine].flatMap((pair) => [pair, [pair[0], 'another'] as const]);
      for (const [what, cookie] of Object.entries({
        'cookies of another tenant': headerOf(theirs),
        'two cookies of each name': headerOf(twice),
      })) {
        const answer = await send(route, { cookie });
        assert.equal(said(answer), said(nothing), what);
      }
      const garbage = headerOf([...mine.keys()].map((name) => [name, 'garbage'] as const));
      const wrong = [
        await send(route, { cookie: garbage }),
        // Cookies of another tenant under this tenant's names, with a form token that matches them.
        await send(route, { cookie: headerOf(stolen), formToken: foreign.formToken }),
      ];
      for (const answer of [nothing, ...wrong]) {
        assertSane(answer, 'wrong cookies');
        const { text } = answer;
        assert.ok(!text.includes(local.user.identifier) && !text.includes(foreign.user.identifier));
      }
      for (const token of tokens) {
        const headers = { ...OF_HERE, authorization: `Bearer ${token}` };
        assert.equal(said(await send(route, { cookie: '', headers })), said(nothing), 'a token');
      }
    });
  });
}

for (const route of FORMS) {
  test(`${nameOf(route)} accepts nothing from another origin, regardless of who is logged in`, async () => {
    for (const headers of [
      { origin: OUTSIDE },
      { origin: 'null' },
      { origin: `https://${HOST}.evil.example` },
      { origin: OUTSIDE, 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      const answer = await send(route, { headers });
      assertSane(answer, JSON.stringify(headers));
      assert.equal(codeOnPage(answer), 'ORIGIN_REFUSED', JSON.stringify(headers));
    }
  });
}

test('The login of the browser is still valid after all requests of the attacks', async () => {
  const { text, status } = await local.browser.open(`/t/${local.tenant.id}/account`);
  assert.deepEqual([status, text.includes(local.user.identifier)], [200, true]);
});
