// System administrators inside other tenants, by the cookie of their own login: what they can do, and who else
// cannot.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { followEvents } from '@keywright/tests/harness/event-tail';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { Credentials, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { Visitor } from '@keywright/tests/harness/visitor';

const MARK = { 'x-keywright-console': '1', 'sec-fetch-site': 'same-origin' };
const REASON = 'ticket 4711';

let keywright: Keywright;
let acme: TestTenant;
let other: TestTenant;
let administrator: TestUser;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  acme = await keywright.tenant('acme');
  other = await keywright.tenant('other');
  administrator = await newAdministrator();
});
after(() => keywright.close());

/** Other administrators remain, so that the last one is never removed. */
function newAdministrator(): Promise<TestUser> {
  return keywright.home.createUser({ roles: ['system_admin'] });
}

async function logIn(person: Credentials, at = keywright.home): Promise<Visitor> {
  const base = keywright.nodes[0]?.baseUrl ?? '';
  const browser = new Visitor(at, at === keywright.home ? base : `${base}/t/${at.id}`);
  await browser.open(`/t/${at.id}/console/login`);
  const { identifier, password: secret } = person;
  await browser.press('login', { identifier, secret });
  return browser;
}

const cookieOf = ({ cookies }: Visitor) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly node?: number;
}

function call(
  browser: Visitor,
  method: string,
  path: string,
  { headers = MARK, ...rest }: Call = {},
): Promise<Answer<JsonBody>> {
  const requestHeaders = { cookie: cookieOf(browser), ...headers };
  return keywright.request(method, `/console/api${path}`, { ...rest, headers: requestHeaders });
}

const at = (path: string) => `/t/org_default/impersonations${path}`;
const startImpersonation = (browser: Visitor, tenant = acme, reason = REASON) =>
  call(browser, 'PUT', at(`/${tenant.id}`), { body: { reason } });
const look = (browser: Visitor, tenant = acme, options: Call = {}) =>
  call(browser, 'GET', `/in/t/${tenant.id}/users`, options);

/** A browser that is inside a tenant. */
async function enter(person: Credentials = administrator, tenant = acme): Promise<Visitor> {
  const browser = await logIn(person);
  expectStatus(200, await startImpersonation(browser, tenant));
  assert.equal((await look(browser, tenant)).status, 200);
  return browser;
}

const codeOf = ({ body }: Answer<unknown>) => (body as ErrorBody).code;

function assertOutside(answer: Answer<JsonBody>): void {
  assert.deepEqual([answer.status, codeOf(answer)], [403, 'IMPERSONATION_REQUIRED']);
}

describe('a system administrator inside a tenant', () => {
  test('A system administrator inside a tenant acts like its administrators on every node and is recorded with the reason', async () => {
    const browser = await enter();
    const users = await look(browser, acme, { node: 1 });
    const { items } = users.body as { items: { tenant_id: string }[] };
    assert.ok(items.every(({ tenant_id: id }) => id === acme.id));
    const body = { name: 'Of a visit', slug: 'of-a-visit' };
    expectStatus(201, await call(browser, 'POST', `/in/t/${acme.id}/workspaces`, { body }));
    const log = await call(browser, 'GET', `/in/t/${acme.id}/audit?limit=20`);
    const { items: entries } = log.body as { items: Record<string, unknown>[] };
    const made = entries.find(({ action }) => action === 'workspace.created');
    const impersonated = entries.find(({ action }) => action === 'auth.impersonated');
    const { kind, id } = Object(made?.['actor']) as Record<string, unknown>;
    assert.deepEqual([kind, id], ['impersonator', administrator.user.id]);
    assert.deepEqual(impersonated?.['details'], { reason: REASON });
  });

  test('A system administrator can enter a tenant in a session whose permissions changed earlier', async () => {
    const person = await newAdministrator();
    const browser = await logIn(person);
    await changeUser(person.user.id, { roles: ['system_admin', 'admin'] });
    expectStatus(200, await startImpersonation(browser));
    assert.equal((await look(browser)).status, 200);
  });

  test('A system administrator inside a tenant never receives a token', async () => {
    const browser = await logIn(administrator);
    const body = { tenant_id: acme.id, reason: REASON };
    const refused = await call(browser, 'POST', '/t/org_default/auth/impersonate', { body });
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'TOKEN_FOR_BROWSER_REFUSED']);
    for (const answer of [await startImpersonation(browser), await call(browser, 'GET', at(''))]) {
      assert.doesNotMatch(`${answer.text} ${JSON.stringify(answer.headers)}`, /eyJ|set-cookie/);
    }
  });

  test('A system administrator can be inside several tenants, each with its own reason, and in no other tenant', async () => {
    const browser = await enter();
    expectStatus(200, await startImpersonation(browser, other, 'ticket 4712'));
    const { items } = expectStatus(200, await call(browser, 'GET', at(''))) as {
      items: { tenant_id: string; reason: string }[];
    };
    const found = items.map(({ tenant_id: id, reason }) => [id, reason]);
    assert.deepEqual(
      new Map(found as [string, string][]),
      new Map([
        [acme.id, REASON],
        [other.id, 'ticket 4712'],
      ]),
    );
    assert.equal((await look(browser, other)).status, 200);
    assertOutside(await look(browser, await keywright.tenant('third')));
  });

  test('A system administrator needs a fresh login, where required, after the shortest time a tenant can set', async () => {
    const browser = await logIn(administrator);
    const inside = `/console/in/t/${acme.id}/providers`;
    const path = `/t/org_default/console/login?fresh=1&return_to=${encodeURIComponent(inside)}`;
    keywright.clock.advance(30);
    assert.equal((await browser.open(path)).address, inside);
    keywright.clock.advance(1);
    assert.ok((await browser.open(path)).actions.includes('login'));
  });

  test('A system administrator inside a tenant is neither a user of it nor a system administrator there', async () => {
    const browser = await enter();
    const me = await call(browser, 'GET', `/in/t/${acme.id}/me`);
    assert.equal(codeOf(me), 'IMPERSONATION_REFUSED');
    for (const path of ['tenants', 'impersonations']) {
      const answer = await call(browser, 'GET', `/in/t/${acme.id}/${path}`);
      assert.equal(codeOf(answer), 'SYSTEM_ADMINISTRATOR_REQUIRED');
    }
  });

  test('An impersonation requires a reason and stores it verbatim, even if it contains markup', async () => {
    const browser = await logIn(administrator);
    const reason = `"'><img src=x onerror=alert(1)> ${'x'.repeat(400)}`;
    const impersonation = expectStatus(200, await startImpersonation(browser, acme, reason));
    assert.equal(impersonation['reason'], reason);
    for (const bad of ['', 'ab', 'x'.repeat(513), 'two\nlines']) {
      assert.equal(codeOf(await startImpersonation(browser, acme, bad)), 'VALIDATION_FAILED', bad);
    }
  });

  test('A system administrator can be inside at most 20 tenants: one more ends the oldest impersonation', async () => {
    const browser = await enter();
    for (let count = 0; count < 20; count += 1) {
      keywright.clock.advance(1);
      const tenant = await keywright.tenant(`bounded-${count}`);
      expectStatus(200, await startImpersonation(browser, tenant));
    }
    const { items } = expectStatus(200, await call(browser, 'GET', at(''))) as { items: object[] };
    assert.equal(items.length, 20);
    assertOutside(await look(browser));
  });
});

describe('it ends', () => {
  const ENDS: Readonly<Record<string, (browser: Visitor, person: TestUser) => Promise<unknown>>> = {
    'when its administrator ends it': async (browser) =>
      expectStatus(200, await call(browser, 'DELETE', at(`/${acme.id}`))),
    'a quarter of an hour later': async () => keywright.clock.advance(901),
    'when the role is lost': async (_browser, { user }) =>
      changeUser(user.id, { roles: ['admin'] }),
    'for good when the role is lost and given again': async (_browser, { user }) => {
      await changeUser(user.id, { roles: ['admin'] });
      await changeUser(user.id, { roles: ['system_admin'] });
    },
    'when the tenant is suspended and activated': async () => {
      await changeTenant({ is_active: false });
      await changeTenant({ is_active: true });
    },
  };
  for (const [when, finish] of Object.entries(ENDS)) {
    test(`${when}, on every node, with the next request`, async () => {
      const person = await newAdministrator();
      const browser = await enter(person);
      await finish(browser, person);
      for (const node of [0, 1]) assertOutside(await look(browser, acme, { node }));
    });
  }

  test('An impersonation ends even when nothing but the role is gone', async () => {
    const person = await newAdministrator();
    const browser = await enter(person);
    const { id } = person.user;
    await keywright.database.query(`DELETE FROM user_roles WHERE user_id = $1`, [id]);
    assertOutside(await look(browser));
  });

  for (const [when, finish] of [
    ['the session is ended', (id: string) => endSessionsOf(id)],
    ['the administrator is disabled', (id: string) => changeUser(id, { is_active: false })],
  ] as const) {
    test(`An impersonation ends everywhere when ${when}, and a new login does not continue it`, async () => {
      const person = await newAdministrator();
      const browser = await enter(person);
      await finish(person.user.id);
      for (const node of [0, 1]) {
        const answer = await look(browser, acme, { node });
        assert.deepEqual([answer.status, codeOf(answer)], [401, 'BROWSER_SESSION_REQUIRED']);
      }
      if (when !== 'the session is ended') return;
      assertOutside(await look(await logIn(person)));
    });
  }

  test('The end of an impersonation also ends its open event stream', async () => {
    const browser = await enter();
    const headers = { ...MARK, cookie: cookieOf(browser) };
    const path = `/console/api/in/t/${acme.id}/events/stream`;
    const tail = await followEvents(keywright.url, path, headers);
    assert.equal(tail.status, 200);
    expectStatus(200, await call(browser, 'DELETE', at(`/${acme.id}`)));
    await until('the stream is over', () => tail.isOver());
  });

  test('An impersonation can be ended manually once, and its end is recorded in the tenant', async () => {
    const browser = await enter();
    expectStatus(200, await call(browser, 'DELETE', at(`/${acme.id}`)));
    expectStatus(404, await call(browser, 'DELETE', at(`/${acme.id}`)));
    const token = await acme.adminToken();
    const { items } = expectStatus(
      200,
      await acme.request('GET', '/audit?action=auth.impersonation_ended', { token }),
    ) as { items: object[] };
    assert.ok(items.length > 0);
  });
});

describe('other browsers are not inside', () => {
  test('An administrator of a tenant can impersonate neither that tenant nor another one', async () => {
    for (const tenant of [acme, other]) {
      const person = await tenant.createUser({ roles: ['admin'] });
      const browser = await logIn(person, tenant);
      const refused = await call(browser, 'PUT', `/t/${tenant.id}/impersonations/${acme.id}`, {
        body: { reason: REASON },
      });
      assert.equal(codeOf(refused), 'SYSTEM_ADMINISTRATOR_REQUIRED');
      const answer = await look(browser);
      assert.deepEqual([answer.status, codeOf(answer)], [401, 'BROWSER_SESSION_REQUIRED']);
    }
  });

  test('A user of the default tenant with every scope who is not a system administrator cannot impersonate a tenant', async () => {
    const browser = await logIn(await keywright.home.createUser({ roles: ['admin'] }));
    assert.equal(codeOf(await startImpersonation(browser)), 'SYSTEM_ADMINISTRATOR_REQUIRED');
    assertOutside(await look(browser));
  });

  test('Another browser of the same administrator, with a separate login, is not inside the impersonated tenant', async () => {
    await enter();
    assertOutside(await look(await logIn(administrator)));
  });

  test('Another system administrator is not inside the impersonated tenant', async () => {
    await enter();
    assertOutside(await look(await logIn(await newAdministrator())));
  });

  test('A bearer token gives no access inside a tenant, either instead of the cookie or along with it', async () => {
    const { token } = administrator;
    const authorization = `Bearer ${token}`;
    const path = `/impersonations/${acme.id}`;
    const body = { reason: REASON };
    expectStatus(200, await keywright.home.request('PUT', path, { token, body }));
    const stranger = new Visitor(keywright.home, keywright.nodes[0]?.baseUrl ?? '');
    const alone = await look(stranger, acme, { headers: { ...MARK, authorization } });
    assert.equal(codeOf(alone), 'BROWSER_SESSION_REQUIRED');
    const browser = await logIn(await newAdministrator());
    assertOutside(await look(browser, acme, { headers: { ...MARK, authorization } }));
    const atApi = await acme.request('GET', '/users', { token });
    assert.equal(codeOf(atApi), 'TENANT_MISMATCH');
  });

  for (const [how, headers] of Object.entries({
    'a page of another site': { ...MARK, 'sec-fetch-site': 'cross-site' },
    'a page of another host of the same site': { ...MARK, 'sec-fetch-site': 'same-site' },
    'a page without the mark of the console': { 'sec-fetch-site': 'same-origin' },
  })) {
    test(how, async () => {
      const browser = await enter();
      const body = { name: 'Forged', slug: 'forged' };
      const write = await call(browser, 'POST', `/in/t/${acme.id}/workspaces`, { headers, body });
      for (const answer of [write, await look(browser, acme, { headers })]) {
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'ORIGIN_REFUSED']);
      }
    });
  }

  test('A page of the impersonated tenant, whose issuer has a separate host, cannot use the impersonation', async () => {
    const tenant = await keywright.tenant('hosted');
    await changeTenant({ issuer: 'https://hosted.example.com' }, tenant);
    const browser = await enter(administrator, tenant);
    const from = (origin: string) =>
      look(browser, tenant, { headers: { 'x-keywright-console': '1', origin } });
    assert.equal(codeOf(await from('https://hosted.example.com')), 'ORIGIN_REFUSED');
    assert.equal((await from(keywright.nodes[0]?.baseUrl ?? '')).status, 200);
  });

  test("A request at the address of the tenant's own console, or of the API, does not use the impersonation", async () => {
    const browser = await enter();
    const answer = await call(browser, 'GET', `/t/${acme.id}/users`);
    assert.equal(codeOf(answer), 'BROWSER_SESSION_REQUIRED');
    const headers = { ...MARK, cookie: cookieOf(browser) };
    assert.equal(codeOf(await acme.request('GET', '/users', { headers })), 'TOKEN_INVALID');
  });
});

describe('the default tenant, an unknown and a suspended one', () => {
  test('The default tenant, an unknown tenant and a suspended tenant cannot be entered by impersonation', async () => {
    const browser = await logIn(administrator);
    assert.equal(
      codeOf(await startImpersonation(browser, keywright.home)),
      'DEFAULT_TENANT_PROTECTED',
    );
    const body = { reason: REASON };
    const unknown = await call(browser, 'PUT', at('/org_nobody'), { body });
    assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'NOT_FOUND']);
    const suspended = await keywright.tenant('suspended');
    await changeTenant({ is_active: false }, suspended);
    assert.equal(codeOf(await startImpersonation(browser, suspended)), 'TENANT_INACTIVE');
  });
});

async function changeUser(id: string, body: object): Promise<void> {
  const token = await keywright.adminToken();
  expectStatus(200, await keywright.home.request('PATCH', `/users/${id}`, { token, body }));
}

async function changeTenant(body: object, tenant = acme): Promise<void> {
  const token = await keywright.adminToken();
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
}

async function endSessionsOf(id: string): Promise<void> {
  const token = await keywright.adminToken();
  const path = `/sessions?user_id=${id}`;
  expectStatus(200, await keywright.home.request('DELETE', path, { token }));
}
