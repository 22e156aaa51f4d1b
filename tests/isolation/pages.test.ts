// The matrix of pages: each page tested against another tenant and another origin. Includes the test's own pages; new
// ones are included automatically.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ERRORS, type ErrorCode } from '@keywright/contract/errors';
import { isPage, needsSameOrigin, pathTo, type Route } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { newIdentityProviderId } from '@keywright/server/platform/crypto/ids';
import type { Answer, JsonBody, RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { FIELDS, REFUSED } from './page-fields.ts';
import { codeOnPage, CookieJar } from '../pages/cookie-jar.ts';
import { notesModule } from '../pages/notes-module.ts';
import { enterForm, NOTES_ROUTES, notesCleared } from '../pages/notes-routes.ts';

const PAGES = [...ROUTES, ...NOTES_ROUTES].filter(
  (route) => isPage(route) && route.access !== 'open',
);
const FORMS = PAGES.filter(({ method, form }) => method === 'POST' && form === 'page');
const REPLAYED = PAGES.filter(({ form }) => form === 'replayed');
const APP = 'https://app.example.com';

let keywright: Keywright;
let local: TestTenant;
let foreign: TestTenant;
let inactive: string;

before(async () => {
  keywright = await startKeywright({ modules: [notesModule] });
  local = await keywright.tenant('own', { config: { allowed_origins: [APP] } });
  foreign = await keywright.tenant('foreign');
  inactive = (await keywright.tenant('inactive')).id;
  const request = { token: await keywright.adminToken(), body: { is_active: false } };
  await keywright.home.request('PATCH', `/tenants/${inactive}`, request);
});

after(() => keywright.close());

const PROVIDER = newIdentityProviderId(new Date());
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const pathIn = (route: Route, tenantId: string) =>
  pathTo(route, { tenant_id: tenantId, provider_id: PROVIDER });
/** The header that names the tenant of a page without it in the path. */
const naming = ({ path }: Route, tenantId: string): Record<string, string> =>
  path.includes(':tenant_id') ? {} : { 'x-tenant-id': tenantId };
const statusOf = ({ id, ok }: Route) => {
  const refusal = REFUSED[id];
  return refusal ? ERRORS[refusal].status : ok.status;
};
const FORM = 'application/x-www-form-urlencoded';
const OF_HERE = { 'sec-fetch-site': 'same-origin' };
const OF_ANOTHER_SITE = { 'sec-fetch-site': 'cross-site', origin: APP };
const newJar = () =>
  new CookieJar((method, path, options) => keywright.request(method, path, options));

function fieldsOf({ id }: Route): Readonly<Record<string, string>> {
  const fields = FIELDS[id];
  if (!fields)
    throw new Error(`${id} has no example: add one to FIELDS in tests/isolation/pages.test.ts`);
  return fields;
}

/** Returns a browser where a user of the tenant is logged in and the last page had a form for the route. */
async function enter(tenantId: string, route: Route): Promise<CookieJar> {
  const jar = newJar();
  await jar.open(pathIn(enterForm, tenantId));
  if (route.access !== 'browser') return jar;
  const entered = await jar.submit(pathIn(enterForm, tenantId), { name: 'Ada' });
  await jar.open(String(entered.headers.location));
  return jar;
}

function sendFrom(
  jar: CookieJar,
  route: Route,
  tenantId: string,
  options: RequestOptions & {
    readonly token?: string;
    readonly headers?: Record<string, string>;
  } = {},
): Promise<Answer<JsonBody>> {
  const path = pathIn(route, tenantId);
  const query = () => `?${new URLSearchParams(fieldsOf(route)).toString()}`;
  const request = {
    ...options,
    headers: { ...(options.headers ?? OF_HERE), ...naming(route, tenantId) },
  };
  if (route.method === 'GET') return jar.open(route.query ? path + query() : path, request);
  if (route.form === 'replayed') return replay(route, tenantId);
  return jar.submit(path, fieldsOf(route), request);
}

/** Submits a form from another site, with these headers. */
function replay(
  route: Route,
  tenantId: string,
  rawBody = new URLSearchParams(fieldsOf(route)).toString(),
  extraHeaders: Readonly<Record<string, string>> = {},
): Promise<Answer<JsonBody>> {
  const headers = { ...OF_ANOTHER_SITE, ...naming(route, tenantId), ...extraHeaders };
  return keywright.request('POST', pathIn(route, tenantId), {
    rawBody,
    contentType: FORM,
    headers,
  });
}

function assertPage(answer: Answer<JsonBody>, code: ErrorCode, what: string): void {
  const got = [answer.status, codeOnPage(answer)];
  assert.deepEqual(got, [ERRORS[code].status, code], `${what}: ${answer.text}`);
  assertHeaders(answer);
}

function assertHeaders({ headers, status }: Answer<JsonBody>): void {
  assert.equal(headers['content-encoding'], undefined);
  assert.equal(headers['access-control-allow-origin'], undefined);
  assert.equal(headers['cache-control'], 'no-store');
  if (status === 303) return;
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.match(String(headers['permissions-policy']), /camera=\(\).*credentials-get=\(self\)$/);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'; require-trusted-types-for/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
}

/** The page without its varying parts. */
const faceOf = ({ text }: Answer<JsonBody>) => text.replace(/<code>[\w-]{22}<\/code>/, '');

test('The routes include pages, and those of a test', () => {
  assert.ok(NOTES_ROUTES.every((route) => PAGES.includes(route)));
});

for (const route of PAGES) {
  describe(nameOf(route), () => {
    test('The page is served to its own tenant, with the headers of a page, and no other origin can read it', async () => {
      const jar = await enter(local.id, route);
      const headers = {
        ...OF_HERE,
        'accept-encoding': 'gzip, br',
        origin: APP,
      };
      const answer = await sendFrom(jar, route, local.id, { headers });
      const status = statusOf(route);
      assert.equal(answer.status, status, answer.text);
      assertHeaders(answer);
      assert.equal('location' in answer.headers, status === 303);
      // Error pages isolate themselves from their opener.
      const hasOpenerPolicy =
        route.ok.kind === 'html' && route.ok.policy.opener && !REFUSED[route.id];
      const keepsOpener = status === 303 || hasOpenerPolicy;
      const opener = keepsOpener ? undefined : 'same-origin';
      assert.equal(answer.headers['cross-origin-opener-policy'], opener);
      const preflight = { origin: APP, 'access-control-request-method': route.method };
      const preflightAnswer = await keywright.request('OPTIONS', pathIn(route, local.id), {
        headers: { ...preflight, ...naming(route, local.id) },
      });
      assert.equal(preflightAnswer.headers['access-control-allow-origin'], undefined);
    });

    test('The page rejects an unknown, a malformed and an inactive tenant before anything else', async () => {
      const jar = await enter(local.id, route);
      for (const id of ['org_nobody', 'x', 'ORG_OWN', "org_'"]) {
        assertPage(await sendFrom(jar, route, id, { headers: {} }), 'TENANT_NOT_FOUND', id);
      }
      const refused = await sendFrom(jar, route, inactive, { headers: {} });
      assertPage(refused, 'TENANT_INACTIVE', 'inactive');
    });
  });
}

for (const route of PAGES.filter(({ access }) => access === 'browser')) {
  test(`${nameOf(route)} answers 401, always with the same body, to anything but a session of its tenant`, async () => {
    const [mine, theirs] = [await enter(local.id, route), await enter(foreign.id, route)];
    const nameIn = (jar: CookieJar) =>
      [...jar.cookies.keys()].find((name) => /kw_/.test(name)) ?? '';
    const secretIn = (jar: CookieJar) => jar.cookies.get(nameIn(jar)) ?? '';
    assert.notEqual(nameIn(mine), nameIn(theirs));
    const faces = new Set<string>();
    for (const [what, cookies] of Object.entries({
      'no cookie': [],
      garbage: [[nameIn(mine), 'garbage']],
      'the cookie of another tenant': [...theirs.cookies],
      'the secret of another tenant by the name of this one': [[nameIn(mine), secretIn(theirs)]],
      'two cookies of one name': [[nameIn(mine), `${secretIn(mine)}; ${nameIn(mine)}=x`]],
    })) {
      const jar = newJar();
      for (const [name = '', value = ''] of cookies) jar.cookies.set(name, value);
      const answer = await sendFrom(jar, route, local.id);
      assertPage(answer, 'BROWSER_SESSION_REQUIRED', what);
      faces.add(faceOf(answer));
    }
    assert.equal(faces.size, 1);
    const authorization = `Bearer ${await local.adminToken()}`;
    const byToken = await keywright.request(route.method, pathIn(route, local.id), {
      headers: { authorization, 'sec-fetch-site': 'same-origin' },
    });
    assertPage(byToken, 'BROWSER_SESSION_REQUIRED', 'a token');
  });
}

for (const route of PAGES.filter(({ method }) => method === 'GET')) {
  test(`HEAD ${route.path} has only the headers of the page`, async () => {
    const jar = await enter(local.id, route);
    const page = await sendFrom(jar, route, local.id);
    const path = route.query
      ? `${pathIn(route, local.id)}?${new URLSearchParams(fieldsOf(route)).toString()}`
      : pathIn(route, local.id);
    const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, ...naming(route, local.id) };
    const head = await keywright.request('HEAD', path, { headers });
    assert.deepEqual([head.status, head.text], [page.status, '']);
    assertHeaders(head);
  });
}

test('A request from another site is accepted only if it is a form redirected to GET', () => {
  for (const route of PAGES.filter(({ method }) => method !== 'GET')) {
    assert.equal(needsSameOrigin(route), route.form !== 'replayed', nameOf(route));
    if (needsSameOrigin(route)) continue;
    assert.deepEqual(
      [route.access, route.ok.kind, route.cookies],
      ['tenant', 'redirect', undefined],
    );
    assert.ok(PAGES.some((page) => page.method === 'GET' && page.path === route.path));
  }
});

test('A JSON response to a session cookie is given only to the origin of the issuer', async () => {
  const jar = await enter(local.id, notesCleared);
  const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
  const send = (headers: Readonly<Record<string, string>>) =>
    keywright.request('POST', pathIn(notesCleared, local.id), { headers: { cookie, ...headers } });
  for (const headers of [{}, OF_ANOTHER_SITE, { 'sec-fetch-site': 'same-site' }]) {
    const { status, body } = await send(headers);
    assert.deepEqual([status, body['code']], [403, 'ORIGIN_REFUSED']);
  }
  assert.equal((await send(OF_HERE)).status, 200);
});

for (const route of REPLAYED) {
  describe(`the form of ${nameOf(route)}, which any site may submit`, () => {
    test('A form from any site is redirected to the same path by GET, regardless of who is logged in, and sets no cookie', async () => {
      const path = pathIn(route, local.id);
      const query = new URLSearchParams(fieldsOf(route)).toString();
      const jar = await enter(local.id, { ...route, access: 'browser' });
      const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
      for (const headers of [{}, { cookie }]) {
        const answer = await replay(route, local.id, query, headers);
        assert.deepEqual([answer.status, answer.headers.location], [303, `${path}?${query}`]);
        assert.equal(answer.headers['set-cookie'], undefined);
        assertHeaders(answer);
      }
    });

    test('A form from any site is redirected to no other path and injects no header, regardless of its content', async () => {
      const path = pathIn(route, local.id);
      const [name = ''] = Object.keys(fieldsOf(route));
      for (const value of ['//evil.example', '\r\nset-cookie: a=b', '#', '&x=1', 'ü', '%00']) {
        const { headers } = await replay(route, local.id, `${name}=${encodeURIComponent(value)}`);
        const location = new URL(String(headers.location), 'https://id.example.com');
        assert.equal(location.host + location.pathname, `id.example.com${path}`);
        assert.deepEqual([...location.searchParams], [[name, value]]);
        assert.equal(headers['set-cookie'], undefined);
      }
    });

    test('A form from any site must be form-encoded', async () => {
      const path = pathIn(route, local.id);
      for (const contentType of ['application/json', 'text/plain', 'multipart/form-data']) {
        const headers = { ...OF_ANOTHER_SITE, ...naming(route, local.id) };
        const options = { rawBody: '{}', contentType, headers };
        const answer = await keywright.request('POST', path, options);
        assertPage(answer, 'CONTENT_TYPE_UNSUPPORTED', contentType);
      }
      const [name = ''] = Object.keys(fieldsOf(route));
      const large = await replay(route, local.id, `${name}=${'x'.repeat(8192)}`);
      assertPage(large, 'BODY_TOO_LARGE', 'more than an address may have');
      const twice = await replay(route, local.id, `${name}=1&${name}=2`);
      assertPage(twice, 'VALIDATION_FAILED', 'a field twice');
    });
  });
}

for (const route of FORMS) {
  describe(`the form of ${nameOf(route)}`, () => {
    test('A form is accepted only from the origin of the issuer', async () => {
      const jar = await enter(local.id, route);
      for (const headers of [
        {},
        { origin: APP },
        { origin: 'null' },
        { origin: 'http://id.example.com' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { 'sec-fetch-site': 'cross-site', origin: 'https://id.example.com' },
      ]) {
        const answer = await sendFrom(jar, route, local.id, { headers });
        assertPage(answer, 'ORIGIN_REFUSED', JSON.stringify(headers));
      }
      const headers = { origin: 'https://id.example.com' };
      assert.equal((await sendFrom(jar, route, local.id, { headers })).status, statusOf(route));
    });

    test('A form is accepted only with the token of the same flow, which differs in each page', async () => {
      const jar = await enter(local.id, route);
      const [another, theirs] = [await enter(local.id, route), await enter(foreign.id, route)];
      for (const token of ['', 'x', 'A'.repeat(86), another.formToken, theirs.formToken]) {
        assertPage(await sendFrom(jar, route, local.id, { token }), 'FORM_TOO_OLD', token);
      }
      const first = jar.formToken;
      const path = '/t/:tenant_id/test/notes';
      const shown = NOTES_ROUTES.includes(route) ? route : enterForm;
      await jar.open(pathIn(route.access === 'browser' ? { ...route, path } : shown, local.id));
      assert.notEqual(jar.formToken, first);
      const answer = await sendFrom(jar, route, local.id, { token: first });
      assert.equal(answer.status, statusOf(route), 'an earlier token belongs to the same flow');
    });

    if (route.access === 'browser') {
      test('A form is accepted in the session that it was shown in, and not in the next one of that browser', async () => {
        const jar = await enter(local.id, route);
        const token = jar.formToken;
        await jar.open(pathIn(enterForm, local.id));
        const entered = await jar.submit(pathIn(enterForm, local.id), { name: 'Ada' });
        assert.equal(entered.status, 303);
        const refused = await sendFrom(jar, route, local.id, { token });
        assertPage(refused, 'FORM_TOO_OLD', 'another session');
      });
    }

    test('A form must be form-encoded, without repeated fields, and within the size limit', async () => {
      const jar = await enter(local.id, route);
      const headers = { ...OF_HERE, ...naming(route, local.id) };
      const path = pathIn(route, local.id);
      const cookie = [...jar.cookies].map((pair) => pair.join('=')).join('; ');
      const send = (rawBody: string, contentType = 'application/x-www-form-urlencoded') =>
        keywright.request('POST', path, { rawBody, contentType, headers: { ...headers, cookie } });
      const body = new URLSearchParams({
        ...fieldsOf(route),
        form_token: jar.formToken,
      }).toString();
      assertPage(await send(`${body}&unheard=1`), 'VALIDATION_FAILED', 'a field that is not known');
      assertPage(await send(`${body}&form_token=${jar.formToken}`), 'FORM_TOO_OLD', 'two tokens');
      const [name] = Object.keys(fieldsOf(route));
      if (name) assertPage(await send(`${body}&${name}=x`), 'VALIDATION_FAILED', 'a field twice');
      assertPage(await send('{}', 'application/json'), 'CONTENT_TYPE_UNSUPPORTED', 'JSON');
      assertPage(await send('', 'text/plain'), 'CONTENT_TYPE_UNSUPPORTED', 'text');
      assertPage(await send(body, 'multipart/form-data'), 'CONTENT_TYPE_UNSUPPORTED', 'parts');
      assertPage(await send(body, `${FORM}; charset=latin1`), 'CONTENT_TYPE_UNSUPPORTED', 'latin1');
      assertPage(await send(`${body}&__proto__=x`), 'VALIDATION_FAILED', 'a prototype');
      assertPage(await send(`${body}&a[b]=x`), 'VALIDATION_FAILED', 'a nested field');
      assertPage(await send(`${body}${'&a=b'.repeat(100)}`), 'VALIDATION_FAILED', 'many fields');
      assertPage(await send(`${body}&a=%ff`), 'REQUEST_MALFORMED', 'no UTF-8');
      assertPage(await send(`a=${'x'.repeat(17_000)}`), 'BODY_TOO_LARGE', 'too large');
    });
  });
}

test('The error pages do not repeat the input', async () => {
  const jar = newJar();
  const path = pathIn(enterForm, local.id);
  await jar.open(path);
  const mark = '<b>marked';
  for (const answer of [
    await jar.submit(path, { [mark]: mark }),
    await jar.submit(path, { name: mark.repeat(20) }),
    await jar.open(pathIn(enterForm, mark)),
    await jar.open(`${path}?${encodeURIComponent(mark)}`, { headers: { cookie: mark } }),
  ]) {
    assert.doesNotMatch(answer.text, /<b>marked/);
  }
});

test('All cookies are host-only, HttpOnly, and of one tenant', async () => {
  const { headers } = await newJar().open(pathIn(enterForm, local.id));
  const [line = ''] = headers['set-cookie'] ?? [];
  assert.match(
    line,
    /^__Host-kwp_[a-z2-7]{10}=[\w-]{22}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  );
});

test('A form rejected by its handler is shown again with the status of the error, and can be resubmitted', async () => {
  const jar = newJar();
  const path = pathIn(enterForm, local.id);
  await jar.open(path);
  const refused = await jar.submit(path, { name: 'wrong' });
  assert.equal(refused.status, 401);
  assert.match(refused.text, /<p role="alert">Not wrong\.<\/p>/);
  assert.equal((await jar.submit(path, { name: 'Ada' })).status, 303);
});
