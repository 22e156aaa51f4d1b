import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { headerOf } from '@keywright/tests/harness/token';
import { until } from '@keywright/tests/harness/until';

const NODES = [0, 1];
const DAY_SECONDS = 86_400;

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length, clock: 'fake' });
});

after(() => keywright.close());

function freshTenant(): Promise<TestTenant> {
  tenants += 1;
  const config = { login_attempts_limit: 10_000, session_timeout: DAY_SECONDS };
  return keywright.tenant(`rotation-${tenants}`, { config });
}

async function requestAsAdmin<Body>(
  tenant: TestTenant,
  method: string,
  path: string,
  node = 0,
): Promise<Answer<Body & ErrorBody>> {
  return tenant.request(method, path, { node, token: await tenant.adminToken() });
}

async function rotate(tenant: TestTenant, query = '', node = 0): Promise<SigningKeyRecord> {
  keywright.clock.advance(1);
  const path = `/keys/rotate${query}`;
  return expectStatus(201, await requestAsAdmin<SigningKeyRecord>(tenant, 'POST', path, node));
}

async function keysOf(tenant: TestTenant): Promise<readonly SigningKeyRecord[]> {
  const answer = await requestAsAdmin<{ items: SigningKeyRecord[] }>(tenant, 'GET', '/keys');
  return expectStatus(200, answer).items;
}

async function statesOf(tenant: TestTenant): Promise<Record<string, string>> {
  return Object.fromEntries((await keysOf(tenant)).map(({ id, state }) => [id, state]));
}

async function currentKey(tenant: TestTenant): Promise<string> {
  return (await keysOf(tenant)).find(({ state }) => state === 'current')?.id ?? '';
}

interface KeySet {
  readonly keys: readonly { readonly kid: string }[];
}

async function publishedOn(tenant: TestTenant, node: number): Promise<string[]> {
  const answer = await tenant.request<KeySet>('GET', '/.well-known/jwks.json', { node });
  return expectStatus(200, answer).keys.map((key) => key.kid);
}

/** Asserts that every node publishes exactly these keys within a second. */
async function assertPublished(tenant: TestTenant, ...kids: readonly string[]): Promise<void> {
  for (const node of NODES) {
    let found: string[] = [];
    await until(
      `node ${node} publishes what it should`,
      async () => {
        found = await publishedOn(tenant, node);
        return found.toSorted().join() === kids.toSorted().join();
      },
      1000,
    ).catch(() => assert.deepEqual(found.toSorted(), kids.toSorted()));
  }
}

function logIn(tenant: TestTenant, node = 0): Promise<TokenAnswer> {
  return tenant.login(newIdentifier(), newPassword(), { node, extra: { register: true } });
}

/** Asserts that new tokens are signed with this key: those of a login on one node and of a refresh on the other. */
async function assertSignsWith(tenant: TestTenant, kid: string): Promise<TokenAnswer> {
  for (const node of NODES) {
    const login = await logIn(tenant, node);
    const options = { node: 1 - node, body: { refresh_token: login.refresh_token } };
    const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', options);
    const next = expectStatus(200, answer);
    for (const token of [login.access_token, login.refresh_token, next.access_token]) {
      assert.equal(headerOf(token).kid, kid, `node ${node}`);
    }
  }
  return logIn(tenant);
}

async function assertStatus(tenant: TestTenant, token: string, status: number): Promise<void> {
  for (const node of NODES) {
    assert.equal((await tenant.request('GET', '/me', { node, token })).status, status);
  }
}

describe('a rotation', () => {
  test('A rotation publishes the new key immediately, and signs with it once every cached key set has expired (SPEC authentication 4)', async () => {
    const tenant = await freshTenant();
    const old = await currentKey(tenant);
    const earlier = await logIn(tenant);
    const keySet = await tenant.request('GET', '/.well-known/jwks.json');
    const maxAge = Number(/max-age=(\d+)/.exec(keySet.headers['cache-control'] ?? '')?.[1]);

    const next = await rotate(tenant, '', 1);
    assert.deepEqual([next.state, next.is_active, next.tenant_id], ['next', true, tenant.id]);
    assert.equal(next.created_at, keywright.clock.now().toISOString());
    const lead = (Date.parse(next.signs_from) - Date.parse(next.created_at)) / 1000;
    assert.ok(maxAge > 0 && lead >= maxAge, `${lead} s after its publication, kept ${maxAge} s`);
    await assertPublished(tenant, old, next.id);
    assert.deepEqual(await statesOf(tenant), { [next.id]: 'next', [old]: 'current' });
    await assertSignsWith(tenant, old);

    keywright.clock.advance(lead - 1);
    const last = await assertSignsWith(tenant, old);
    keywright.clock.advance(1);
    const first = await assertSignsWith(tenant, next.id);
    assert.deepEqual(await statesOf(tenant), { [next.id]: 'current', [old]: 'previous' });
    for (const { access_token: token } of [earlier, last, first])
      await assertStatus(tenant, token, 200);
  });

  test('A rotation keeps the old key published until its last token has expired, and no longer', async () => {
    const tenant = await freshTenant();
    const old = await currentKey(tenant);
    const next = await rotate(tenant);
    keywright.clock.advance(310 - 1);
    const { access_token: last } = await assertSignsWith(tenant, old);
    keywright.clock.advance(1);
    keywright.clock.advance(DAY_SECONDS - 2);
    await assertPublished(tenant, old, next.id);
    await assertStatus(tenant, last, 200);
    keywright.clock.advance(2 + 10);
    await assertStatus(tenant, last, 401);
    keywright.clock.advance(60);
    await assertPublished(tenant, next.id);
    assert.deepEqual(await statesOf(tenant), { [next.id]: 'current', [old]: 'retired' });
    await assertSignsWith(tenant, next.id);
  });

  test('The deletion of a key does not republish its expired predecessor', async () => {
    const tenant = await freshTenant();
    const next = await rotate(tenant);
    keywright.clock.advance(310 + DAY_SECONDS + 60);
    const newest = await rotate(tenant);
    keywright.clock.advance(310);
    expectStatus(200, await requestAsAdmin(tenant, 'DELETE', `/keys/${next.id}`));
    await assertPublished(tenant, newest.id);
  });

  test('A rotation is rejected while another one is in progress, and is possible again afterward', async () => {
    const tenant = await freshTenant();
    const first = await rotate(tenant);
    for (const node of NODES) {
      const again = await requestAsAdmin(tenant, 'POST', '/keys/rotate', node);
      assert.equal(expectStatus(400, again).code, 'ROTATION_IN_PROGRESS');
    }
    assert.equal((await keysOf(tenant)).length, 2);
    keywright.clock.advance(310);
    const second = await rotate(tenant);
    assert.equal((await statesOf(tenant))[first.id], 'current');
    assert.equal((await statesOf(tenant))[second.id], 'next');
  });

  test('Ten concurrent rotation requests create one key', async () => {
    const tenant = await freshTenant();
    await tenant.adminToken();
    const answers = await parallel(10, (index) =>
      requestAsAdmin(tenant, 'POST', '/keys/rotate', index % NODES.length),
    );
    const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
    assert.deepEqual(codes.toSorted(), ['201', ...Array(9).fill('400 ROTATION_IN_PROGRESS')]);
    const states = Object.values(await statesOf(tenant));
    assert.deepEqual(states.toSorted(), ['current', 'next']);
  });

  test('A rotation with `immediately` signs with the new key immediately, even during another rotation', async () => {
    const tenant = await freshTenant();
    const old = await currentKey(tenant);
    const waiting = await rotate(tenant);
    const now = await rotate(tenant, '?immediately=true');
    assert.equal(now.state, 'current');
    await assertPublished(tenant, old, waiting.id, now.id);
    await assertSignsWith(tenant, now.id);
    keywright.clock.advance(310);
    await assertSignsWith(tenant, waiting.id);
    assert.deepEqual(await statesOf(tenant), {
      [waiting.id]: 'current',
      [now.id]: 'previous',
      [old]: 'previous',
    });
  });

  test('A rotation of one tenant does not affect another tenant', async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    const kid = await currentKey(other);
    await rotate(tenant, '?immediately=true');
    await assertPublished(other, kid);
    await assertSignsWith(other, kid);
  });

  test('A rotation discloses no private key, and changes the ETag of the key set', async () => {
    const tenant = await freshTenant();
    const earlier = await tenant.request('GET', '/.well-known/jwks.json');
    const answer = await requestAsAdmin<SigningKeyRecord>(tenant, 'POST', '/keys/rotate');
    assert.doesNotMatch(answer.text, /private|"d"/);
    const next = expectStatus(201, answer);
    await assertPublished(tenant, await currentKey(tenant), next.id);
    const headers = { 'if-none-match': earlier.headers.etag ?? '' };
    expectStatus(200, await tenant.request('GET', '/.well-known/jwks.json', { headers }));
  });
});

describe('a retired key', () => {
  test('A retired key leaves the key set, and its access tokens are rejected on every node; sessions continue by refreshing', async () => {
    const tenant = await freshTenant();
    const old = await currentKey(tenant);
    const earlier = [await logIn(tenant, 0), await logIn(tenant, 1)];
    for (const { access_token: token } of earlier) await assertStatus(tenant, token, 200);
    const { id } = await rotate(tenant, '?immediately=true');
    const administrator = await tenant.createUser({ roles: ['admin'] });
    const path = `/keys/${old}`;
    const gone = await tenant.request('DELETE', path, { token: administrator.token });
    assert.deepEqual(expectStatus(200, gone), { id: old, revoked: true });
    for (const node of NODES) {
      const refused = async () =>
        (await tenant.request('GET', '/me', { node, token: earlier[0]?.access_token ?? '' }))
          .status === 401;
      await until('its token is rejected', refused, 1000);
    }
    for (const { access_token: token } of earlier) await assertStatus(tenant, token, 401);
    await assertStatus(tenant, administrator.token, 200);
    for (const node of NODES) assert.deepEqual(await publishedOn(tenant, node), [id]);
    for (const { refresh_token } of earlier) {
      const answer = await tenant.request<TokenAnswer>('POST', '/auth/refresh', {
        body: { refresh_token },
      });
      const next = expectStatus(200, answer);
      assert.equal(headerOf(next.access_token).kid, id);
      await assertStatus(tenant, next.access_token, 200);
    }
  });

  test('The key that currently signs cannot be retired', async () => {
    const tenant = await freshTenant();
    const kid = await currentKey(tenant);
    const refused = await requestAsAdmin(tenant, 'DELETE', `/keys/${kid}`);
    assert.equal(expectStatus(400, refused).code, 'KEY_IN_USE');
    await assertSignsWith(tenant, kid);
    const next = await rotate(tenant);
    expectStatus(400, await requestAsAdmin(tenant, 'DELETE', `/keys/${kid}`));
    keywright.clock.advance(310);
    const now = await requestAsAdmin(tenant, 'DELETE', `/keys/${next.id}`);
    assert.equal(expectStatus(400, now).code, 'KEY_IN_USE');
    expectStatus(200, await requestAsAdmin(tenant, 'DELETE', `/keys/${kid}`));
  });

  test('A key that has not signed yet can be retired: it never signs, and another rotation can start', async () => {
    const tenant = await freshTenant();
    const kid = await currentKey(tenant);
    const next = await rotate(tenant);
    expectStatus(200, await requestAsAdmin(tenant, 'DELETE', `/keys/${next.id}`));
    await assertPublished(tenant, kid);
    const another = await rotate(tenant);
    keywright.clock.advance(310);
    await assertSignsWith(tenant, another.id);
  });

  test('A request to retire an already retired key or a key of another tenant returns 404 (SPEC errors 4)', async () => {
    const [tenant, other] = [await freshTenant(), await freshTenant()];
    const foreign = await currentKey(other);
    await rotate(other, '?immediately=true');
    const retired = await currentKey(tenant);
    await rotate(tenant, '?immediately=true');
    // Later requests need a token of the new key.
    const { token } = await tenant.createUser({ roles: ['admin'] });
    const retire = (id: string) => tenant.request('DELETE', `/keys/${id}`, { token });
    expectStatus(200, await retire(retired));
    const unknown = await retire('key_01m7yem8kde4evjbe6jjkxrpjd');
    for (const id of [foreign, retired, 'key_', 'key_x', 'key_%00']) {
      const answer = await retire(id);
      assert.deepEqual([answer.status, answer.text], [404, unknown.text], id);
    }
    assert.deepEqual((await retire('x')).text, (await retire('%00')).text);
    assert.equal((await statesOf(other))[foreign], 'previous');
    assert.ok((await publishedOn(other, 0)).includes(foreign));
  });
});

test('A caller without the scopes cannot list, rotate or retire keys', async () => {
  const tenant = await freshTenant();
  const { token } = await tenant.createUser();
  for (const [method, path] of [
    ['GET', '/keys'],
    ['POST', '/keys/rotate'],
    ['POST', '/keys/rotate?immediately=true'],
    ['DELETE', `/keys/${await currentKey(tenant)}`],
  ] as const) {
    const answer = await tenant.request<ErrorBody>(method, path, { token });
    assert.equal(expectStatus(403, answer).code, 'SCOPE_REQUIRED', `${method} ${path}`);
  }
});
