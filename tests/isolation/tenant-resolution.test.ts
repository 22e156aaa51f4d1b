// How the tenant of a request is resolved, before anything else: from X-Tenant-ID, otherwise from the host.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ERRORS, type ErrorBody, type ErrorCode } from '@keywright/contract/errors';
import { sendRaw } from '../conformance/raw-http.ts';
import { type Answer, expectStatus, type RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';

interface KeySet extends ErrorBody {
  readonly keys: readonly { readonly kid: string }[];
}

const NORTH_DOMAINS = ['north.example.com', 'id.north.example', 'bücher.example', '[2001:db8::1]'];
const NORTH_HOST = 'north.example.com';
const SOUTH_HOST = 'south.example.com';

let keywright: Keywright;
let north: TestTenant;
let south: TestTenant;

before(async () => {
  // These ranges exclude the tests' own address, so that this service does not trust it as a proxy.
  keywright = await startKeywright({ env: { KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' } });
  north = await keywright.tenant('north', { domains: NORTH_DOMAINS });
  south = await keywright.tenant('south');
});

after(() => keywright.close());

/** The tenant of a request, identified by its key set; or the code of the rejection. */
async function resolve(options: RequestOptions, service = keywright): Promise<string> {
  return tenantOf(await service.request<KeySet>('GET', '/.well-known/jwks.json', options), service);
}

async function tenantOf(answer: Answer<KeySet>, service = keywright): Promise<string> {
  if (answer.status !== 200) {
    assert.equal(answer.status, ERRORS[answer.body.code as ErrorCode].status);
    return answer.body.code;
  }
  const [row] = await service.database.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM signing_keys WHERE id = $1',
    [answer.body.keys[0]?.kid],
  );
  return row?.tenant_id ?? 'unknown';
}

describe('the X-Tenant-ID header', () => {
  test('The X-Tenant-ID header takes precedence over the host (SPEC authentication 6)', async () => {
    assert.equal(await resolve({ tenant: north.id, host: SOUTH_HOST }), north.id);
    assert.equal(await resolve({ tenant: south.id, host: 'unknown.example.net' }), south.id);
  });

  const BAD: readonly (readonly [title: string, value: string | string[]])[] = [
    ['empty', ''],
    ['of blanks', '  '],
    ['unknown', 'org_nobody'],
    ['without its prefix', 'north'],
    ['of nothing but its prefix', 'org_'],
    ['in upper case', 'ORG_NORTH'],
    ['too long', `org_${'x'.repeat(49)}`],
    ['with something behind it', 'org_north;'],
    ['with a wildcard', 'org_%'],
    ['with an escape', 'org_nort%68'],
    ['beyond ASCII', 'org_nörth'],
    ['a domain', SOUTH_HOST],
    ['repeated', ['org_north', 'org_north']],
    ['repeated with another tenant', ['org_north', 'org_south']],
    ['repeated, first empty', ['', 'org_north']],
    ['a list', 'org_north, org_south'],
    ['the tenant of the isolation check', 'isolation-check'],
  ];

  for (const [title, tenant] of BAD) {
    test(`The response is 400 if X-Tenant-ID is ${title}, without falling back to the host (SPEC authentication 6, SPEC errors 2)`, async () => {
      assert.equal(await resolve({ tenant, host: SOUTH_HOST }), 'TENANT_NOT_FOUND');
    });
  }

  test('An unknown X-Tenant-ID is rejected with a detail that the tenant was not found (SPEC errors 2)', async () => {
    const { status, body } = await keywright.request('GET', '/me', { tenant: 'org_nobody' });
    assert.equal(status, 400);
    assert.match(String(body['detail']), /^The tenant was not found\./);
  });
});

describe('the host', () => {
  const NORTH: readonly string[] = [
    NORTH_HOST,
    'north.example.com:8443',
    'north.example.com:',
    'NORTH.Example.COM',
    'north.example.com.',
    'North.Example.com.:443',
    'id.north.example',
    'xn--bcher-kva.example',
    'XN--BCHER-KVA.EXAMPLE:80',
    'bücher.example',
    'BÜCHER.example',
    '[2001:db8::1]',
    '[2001:DB8::1]:8443',
  ];

  for (const host of NORTH) {
    test(`${host} resolves to the tenant with that domain (SPEC authentication 6, SPEC resources tenant 3)`, async () => {
      assert.equal(await resolve({ host }), north.id);
    });
  }

  const UNKNOWN: readonly string[] = [
    'unknown.example.net',
    'example.com',
    'x.north.example.com',
    'north.example.com.unknown.net',
    'north.example.com..',
    '.north.example.com',
    'north.example.com:80:80',
    'north.example.com:http',
    'north.example.com, south.example.com',
    'resident@north.example.com',
    'north.example.com/',
    'north.example.com/south',
    'north.example.com?',
    'north.example.com#x',
    'north.example.com\\x',
    'north.example\t.com',
    'nort%68.example.com',
    'north%2eexample.com',
    '[2001:db8::1]x',
    '[2001:db8::2]',
    '2001:db8::1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '127.0.0.2',
    'xn--',
    '%',
    "' OR true --",
    'x'.repeat(300),
    ' ',
  ];

  for (const host of UNKNOWN) {
    test(`${JSON.stringify(host.slice(0, 40))} resolves to no tenant (SPEC authentication 6, SPEC errors 2)`, async () => {
      assert.equal(await resolve({ host }), 'TENANT_NOT_FOUND');
    });
  }

  test('A host belongs to one tenant of the installation (SPEC resources tenant 3)', async () => {
    await assert.rejects(keywright.tenant('thief', { domains: ['North.Example.com.'] }));
    assert.equal(await resolve({ host: NORTH_HOST }), north.id);
    assert.equal(await resolve({ tenant: 'org_thief' }), 'TENANT_NOT_FOUND');
  });
});

describe('a request target in absolute form', () => {
  /** The tenant that a request line resolves to, sent with this Host header. */
  async function resolveTarget(origin: string, host: string, more = ''): Promise<string> {
    const head = `GET ${origin}/.well-known/jwks.json HTTP/1.1\r\nHost: ${host}\r\n${more}`;
    const answer = await sendRaw(keywright.url, `${head}Connection: close\r\n\r\n`);
    return tenantOf({ ...answer, body: JSON.parse(answer.text) as KeySet });
  }

  test('A request target in absolute form determines the host, whatever the Host header says (SPEC authentication 6; RFC 9112 §3.2.2)', async () => {
    for (const origin of [
      'http://north.example.com',
      'HTTPS://north.example.com',
      'http://NORTH.example.com.:8443',
    ]) {
      assert.equal(await resolveTarget(origin, SOUTH_HOST), north.id, origin);
    }
    assert.equal(await resolveTarget('http://south.example.com', NORTH_HOST), south.id);
    assert.equal(await resolveTarget('http://south.example.com', 'unknown.example.net'), south.id);
  });

  test('A request target in absolute form that names no tenant is rejected, without falling back to the header (SPEC errors 2)', async () => {
    for (const origin of ['http://unknown.example.net', 'http://resident@north.example.com']) {
      assert.equal(await resolveTarget(origin, NORTH_HOST), 'TENANT_NOT_FOUND', origin);
    }
  });

  test('A request target in absolute form is ignored if X-Tenant-ID is present, like any host (SPEC authentication 6)', async () => {
    const named = `X-Tenant-ID: ${north.id}\r\n`;
    assert.equal(await resolveTarget('http://south.example.com', SOUTH_HOST, named), north.id);
  });
});

describe('the default tenant', () => {
  test('The default tenant is org_default, named Default Tenant, and active (SPEC resources default tenant 1)', async () => {
    const rows = await keywright.database.query(
      `SELECT name, is_active FROM tenants WHERE tenant_id = 'org_default'`,
    );
    assert.deepEqual(rows, [{ name: 'Default Tenant', is_active: true }]);
    assert.equal(await resolve({ tenant: 'org_default' }), 'org_default');
  });

  for (const host of ['localhost', '127.0.0.1', 'keywright.localhost']) {
    test(`The default tenant is served at ${host} (SPEC resources default tenant 2)`, async () => {
      assert.equal(await resolve({ host }), 'org_default');
      assert.equal(await resolve({ host: `${host}:8080` }), 'org_default');
    });
  }
});

describe('X-Forwarded-Host', () => {
  let behindProxy: Keywright;
  let west: TestTenant;

  before(async () => {
    behindProxy = await startKeywright({ env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.0/8' } });
    west = await behindProxy.tenant('west');
    await behindProxy.tenant('south');
  });

  after(() => behindProxy.close());

  test('The X-Forwarded-Host header is ignored if its sender is not a trusted proxy (SPEC authentication 6)', async () => {
    const headers = { 'x-forwarded-host': SOUTH_HOST };
    assert.equal(await resolve({ host: NORTH_HOST, headers }), north.id);
    const chain = { ...headers, 'x-forwarded-for': '10.0.0.1' };
    assert.equal(await resolve({ host: NORTH_HOST, headers: chain }), north.id);
    assert.equal(await resolve({ host: 'unknown.example.net', headers }), 'TENANT_NOT_FOUND');
  });

  test('The X-Forwarded-Host header determines the host if a trusted proxy sends it (SPEC authentication 6)', async () => {
    for (const name of ['west.example.com', 'WEST.example.com.:443']) {
      const headers = { 'x-forwarded-host': name };
      assert.equal(await resolve({ host: SOUTH_HOST, headers }, behindProxy), west.id);
    }
    const unknown = { 'x-forwarded-host': 'unknown.example.net' };
    const options = { host: SOUTH_HOST, headers: unknown };
    assert.equal(await resolve(options, behindProxy), 'TENANT_NOT_FOUND');
  });

  test('The X-Forwarded-Host value is the one appended by the nearest proxy, not what the client claimed before', async () => {
    for (const claimed of [`${SOUTH_HOST}, west.example.com`, [SOUTH_HOST, 'west.example.com']]) {
      const headers = { 'x-forwarded-host': claimed };
      assert.equal(await resolve({ host: SOUTH_HOST, headers }, behindProxy), west.id);
    }
  });

  test('The X-Forwarded-Host header never takes precedence over X-Tenant-ID (SPEC authentication 6)', async () => {
    const headers = { 'x-forwarded-host': SOUTH_HOST };
    assert.equal(await resolve({ tenant: west.id, headers }, behindProxy), west.id);
    assert.equal(await resolve({ tenant: '', headers }, behindProxy), 'TENANT_NOT_FOUND');
  });

  test('The X-Forwarded-Host header is not required from a trusted proxy: the Host header then applies', async () => {
    assert.equal(await resolve({ host: 'west.example.com' }, behindProxy), west.id);
  });
});

/** Changes a tenant as a system administrator, or deletes it. */
async function administer({ id }: TestTenant, method: 'PATCH' | 'DELETE', body?: object) {
  const token = await keywright.adminToken();
  const options = body ? { token, body } : { token };
  return expectStatus(200, await keywright.home.request(method, `/tenants/${id}`, options));
}

/** Waits until every node has applied the change. */
function untilResolved(options: RequestOptions, answer: string): Promise<unknown> {
  const isResolved = async () => (await resolve(options)) === answer;
  return until(`${JSON.stringify(options)} is answered ${answer}`, isResolved, 5000);
}

describe('an inactive tenant', () => {
  test('A request to an inactive tenant gets 403 however the tenant is named', async () => {
    const closed = await keywright.tenant('closed');
    await administer(closed, 'PATCH', { is_active: false });
    assert.equal(await resolve({ tenant: closed.id }), 'TENANT_INACTIVE');
    assert.equal(await resolve({ host: 'closed.example.com' }), 'TENANT_INACTIVE');
    const address = `/t/${closed.id}/.well-known/jwks.json`;
    const byIssuer = await keywright.request('GET', address, { tenant: north.id });
    assert.equal(byIssuer.status, 403);
    assert.equal(byIssuer.body['code'], 'TENANT_INACTIVE');
  });

  test('An inactive tenant grants nothing from the next request on, soon says why, and after reactivation accepts only new tokens (SPEC resources tenant 1)', async () => {
    const closing = await keywright.tenant('closing');
    const { identifier, password, token: old } = await closing.createUser();
    const statusOfMe = async (token = old) =>
      (await closing.request('GET', '/me', { token })).status;
    assert.equal(await statusOfMe(), 200);
    await administer(closing, 'PATCH', { is_active: false });
    assert.notEqual(await statusOfMe(), 200);
    await untilResolved({ tenant: closing.id }, 'TENANT_INACTIVE');
    await administer(closing, 'PATCH', { is_active: true });
    await untilResolved({ tenant: closing.id }, closing.id);
    assert.equal(await statusOfMe(), 401);
    assert.equal(await statusOfMe((await closing.login(identifier, password)).access_token), 200);
  });
});

describe('domains are set through the API', () => {
  test('The domains set through the API resolve from then on, and removed ones no longer resolve (SPEC resources tenant 3, SPEC authentication 6)', async () => {
    const moving = await keywright.tenant('moving', { domains: ['old.example', 'kept.example'] });
    for (const host of moving.domains) assert.equal(await resolve({ host }), moving.id);
    const { domains } = await administer(moving, 'PATCH', {
      domains: ['New.Example.:443', 'kept.example', 'NEW.example', '[2001:DB8:0::2]'],
    });
    assert.deepEqual(domains, ['[2001:db8::2]', 'kept.example', 'new.example']);
    await untilResolved({ host: 'new.example' }, moving.id);
    await untilResolved({ host: '[2001:db8::2]:8443' }, moving.id);
    await untilResolved({ host: 'old.example' }, 'TENANT_NOT_FOUND');
    assert.equal(await resolve({ host: 'kept.example:80' }), moving.id);
  });

  test('The domains of a tenant are available to another tenant once removed (SPEC resources tenant 3)', async () => {
    const [giver, taker] = [await keywright.tenant('giver'), await keywright.tenant('taker')];
    const change = { domains: ['giver.example.com'] };
    const token = await keywright.adminToken();
    const take = () =>
      keywright.home.request('PATCH', `/tenants/${taker.id}`, { token, body: change });
    assert.equal(await resolve({ host: 'giver.example.com' }), giver.id);
    assert.equal((await take()).body['code'], 'DOMAIN_TAKEN');
    assert.equal(await resolve({ host: 'taker.example.com' }), taker.id);
    await administer(giver, 'PATCH', { domains: [] });
    assert.equal((await take()).status, 200);
    await untilResolved({ host: 'giver.example.com' }, taker.id);
  });
});

describe('a deleted tenant', () => {
  test('A deleted tenant is not found however it is named, and its tokens are invalid (SPEC endpoints tenants 6)', async () => {
    const doomed = await keywright.tenant('doomed');
    const { token } = await doomed.createUser();
    await administer(doomed, 'DELETE');
    assert.notEqual((await doomed.request('GET', '/me', { token })).status, 200);
    await untilResolved({ tenant: doomed.id }, 'TENANT_NOT_FOUND');
    await untilResolved({ host: 'doomed.example.com' }, 'TENANT_NOT_FOUND');
  });
});

describe('the tenant is resolved first, the credential is looked up within it', () => {
  test('No user can log in at a tenant other than their own (SPEC authentication 7)', async () => {
    const { identifier, password: secret } = await south.createUser();
    const body = { identifier, secret };
    const unknown = { identifier: `unknown-${identifier}`, secret };
    const logIn = (tenant: TestTenant, credentials: object) =>
      tenant.request<ErrorBody>('POST', '/auth/login', { body: credentials });
    const crossed = await logIn(north, body);
    assert.equal(crossed.status, 401);
    assert.equal(crossed.text, (await logIn(north, unknown)).text);
    assert.equal((await logIn(south, body)).status, 200);
  });

  test('A valid token does not determine the tenant of a request (SPEC errors 2, SPEC errors 3, SPEC authentication 7)', async () => {
    const { token } = await south.createUser();
    const codeOf = async (options: RequestOptions) =>
      (await keywright.request<ErrorBody>('GET', '/me', { token, ...options })).body.code;
    assert.equal(await codeOf({ host: 'unknown.example.net' }), 'TENANT_NOT_FOUND');
    assert.equal(await codeOf({ tenant: '', host: SOUTH_HOST }), 'TENANT_NOT_FOUND');
    assert.equal(await codeOf({ host: NORTH_HOST }), 'TENANT_MISMATCH');
    assert.equal(await codeOf({ tenant: north.id, host: SOUTH_HOST }), 'TENANT_MISMATCH');
    assert.equal(await codeOf({ host: SOUTH_HOST }), undefined);
    // A token that was valid in its own tenant a moment ago is rejected as well.
    assert.equal(await codeOf({ host: NORTH_HOST }), 'TENANT_MISMATCH');
  });
});
