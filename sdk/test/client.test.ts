import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newIdentifier, newPassword } from '../../tests/harness/credentials.ts';
import { type Keywright, startKeywright } from '../../tests/harness/keywright.ts';
import type { TestTenant } from '../../tests/harness/tenant.ts';
import { type ClientOptions, createClient } from '../src/client/client.ts';
import { SecretLostError } from '../src/client/secret-lost-error.ts';
import type { TokenAnswer } from '../src/generated/records.ts';
import { failure } from './failure.ts';
import { base64url } from './signer.ts';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('clients');
});

after(() => keywright.close());

/** A client of the tenant, and the requests it sent. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const requests: string[] = [];
  const { fetch: fetchImpl = fetch, ...rest } = options;
  const client = createClient({
    baseUrl: keywright.url,
    tenant: tenant.id,
    fetch: (address, init) => {
      requests.push(`${init.method} ${address.replace(keywright.url, '')}`);
      return fetchImpl(address, init);
    },
    ...rest,
  });
  return { client, requests };
}

const adminClient = async (options: Partial<ClientOptions> = {}) =>
  clientOf({ token: await tenant.adminToken(), ...options });

describe('a client', () => {
  test('A client creates, reads, changes and deletes users', async () => {
    const { client } = await adminClient();
    const identifier = newIdentifier();
    const created = await client.users.create({ identifier, password: newPassword() });
    assert.equal(created.tenant_id, tenant.id);
    assert.deepEqual(await client.users.get(created.id), created);
    const changed = await client.users.update(created.id, { metadata: { team: 'blue' } });
    assert.deepEqual(changed.metadata, { team: 'blue' });
    assert.deepEqual(await client.users.delete(created.id), { id: created.id, deleted: true });
    assert.equal((await failure(client.users.get(created.id))).code, 'NOT_FOUND');
  });

  test('A client iterates over all pages of a list, or returns a single page', async () => {
    const { client, requests } = await adminClient();
    const prefix = `page-${Date.now()}`;
    for (let index = 0; index < 7; index += 1) {
      const identifier = `${prefix}-${index}@example.com`;
      await client.users.create({ identifier, password: newPassword() });
    }
    requests.length = 0;
    const found: string[] = [];
    const list = client.users.list({ email: prefix, limit: 3, sort: 'identifier' });
    assert.deepEqual(requests, [], 'nothing is fetched before it is needed');
    for await (const { identifiers } of list) found.push(identifiers[0]?.identifier ?? '');
    assert.deepEqual(
      found,
      [0, 1, 2, 3, 4, 5, 6].map((index) => `${prefix}-${index}@example.com`),
    );
    assert.equal(requests.length, 3);
    const page = await client.users.list({ email: prefix, limit: 3, page: 2 }).page();
    assert.equal(page.items.length, 3);
    assert.deepEqual([page.meta.page, page.meta.total], [2, 7]);
    const later: number[] = [];
    for await (const { items } of client.users.list({ email: prefix, limit: 3, page: 2 }).pages()) {
      later.push(items.length);
    }
    assert.deepEqual(later, [3, 1]);
  });

  test('A client iterates over all pages of the event log', async () => {
    const { client, requests } = await adminClient();
    for (let index = 0; index < 3; index += 1) {
      await client.users.create({ identifier: newIdentifier(), password: newPassword() });
    }
    const { items } = await client.events.list({ limit: 100 }).page();
    requests.length = 0;
    const found: string[] = [];
    for await (const { id } of client.events.list({ limit: 2 })) found.push(id);
    assert.deepEqual(
      found.slice(0, items.length),
      items.map(({ id }) => id),
    );
    assert.ok(requests.length > 2);
  });

  test('A client fetches no further page when the iteration stops', async () => {
    const { client, requests } = await adminClient();
    for await (const user of client.users.list({ limit: 1 })) {
      assert.ok(user.id);
      break;
    }
    assert.equal(requests.length, 1);
  });

  test('A client fails with the code, the fields and the request id of the response', async () => {
    const { client } = await adminClient();
    const error = await failure(client.users.create({ identifier: 'unknown', password: 'x' }));
    assert.deepEqual([error.status, error.code], [400, 'VALIDATION_FAILED']);
    assert.ok(error.errors.length > 0);
    assert.match(error.errors[0]?.path ?? '', /^\//);
    assert.ok(error.requestId);
    assert.equal((await failure(client.roles.get('nothing'))).code, 'NOT_FOUND');
  });

  test('A client can log in without a token, and sends none where none is needed', async () => {
    const { identifier, password } = await tenant.createUser();
    const tokens: (string | null)[] = [];
    const { client } = clientOf({
      token: 'not-to-be-shown',
      fetch: (address, init) => {
        tokens.push(new Headers(init.headers).get('authorization'));
        return fetch(address, init);
      },
    });
    const login = await client.auth.login({ identifier, secret: password });
    assert.equal(login.token_type, 'Bearer');
    await client.keySet.get();
    assert.deepEqual(tokens, [null, null]);
  });

  test('A client escapes ids, and rejects those that change the path', async () => {
    const { client, requests } = await adminClient();
    await failure(client.roles.get('a/b?c#d'));
    assert.deepEqual(requests, ['GET /api/sso/v1/roles/a%2Fb%3Fc%23d']);
    for (const id of ['', '.', '..']) assert.throws(() => client.users.get(id), TypeError);
  });
});

describe('the tokens of a login', () => {
  /** A client with the tokens of a login from an hour ago. */
  async function afterAnHour() {
    const { identifier, password } = await tenant.createUser();
    const login = await tenant.login(identifier, password);
    const refreshed: TokenAnswer[] = [];
    const onRefresh = async (tokens: TokenAnswer) => void refreshed.push(tokens);
    keywright.clock.advance(3700);
    return { login, refreshed, ...clientOf({ token: { ...login, onRefresh } }) };
  }

  const refreshes = (requests: readonly string[]) =>
    requests.filter((request) => request === 'POST /api/sso/v1/auth/refresh').length;

  test('The expired tokens of a login are refreshed once for all waiting calls, which continue', async () => {
    const { login, refreshed, client, requests } = await afterAnHour();
    const users = await Promise.all(Array.from({ length: 20 }, () => client.me.get()));
    assert.ok(users.every(({ id }) => id === login.user.id));
    assert.equal(refreshes(requests), 1);
    assert.equal(refreshed.length, 1);
    assert.notEqual(refreshed[0]?.refresh_token, login.refresh_token);
    await client.me.get();
    assert.equal(refreshes(requests), 1);
  });

  test('The tokens of a login whose exp has passed are refreshed before they are sent', async () => {
    const { login, requests, client } = await (async () => {
      const { identifier, password } = await tenant.createUser();
      const answer = await tenant.login(identifier, password);
      const expired = `${base64url({ alg: 'EdDSA' })}.${base64url({ exp: 1 })}.x`;
      return { login: answer, ...clientOf({ token: { ...answer, access_token: expired } }) };
    })();
    assert.equal((await client.me.get()).id, login.user.id);
    assert.deepEqual(requests, ['POST /api/sso/v1/auth/refresh', 'GET /api/sso/v1/me']);
  });

  test('The tokens of a login whose refresh response was lost are refreshed again with the same token', async () => {
    const { identifier, password } = await tenant.createUser();
    const login = await tenant.login(identifier, password);
    keywright.clock.advance(3700);
    let lost = 0;
    const { client } = clientOf({
      token: login,
      fetch: async (address, init) => {
        const answer = await fetch(address, init);
        if (!address.endsWith('/auth/refresh') || lost > 0) return answer;
        lost += 1;
        throw new TypeError('The connection broke.');
      },
    });
    assert.equal((await client.me.get()).id, login.user.id);
    assert.equal(lost, 1);
  });

  test('The tokens of a login whose session has ended cause an error with its code', async () => {
    const { login, client, requests } = await afterAnHour();
    const admin = await adminClient();
    await admin.client.sessions.deleteAll({ user_id: login.user.id });
    const error = await failure(client.me.get());
    assert.deepEqual([error.status, error.code], [401, 'TOKEN_INVALID']);
    assert.equal(refreshes(requests), 1);
  });

  test('The tokens of a login that cannot be stored cause an error, and are not used', async () => {
    const { identifier, password } = await tenant.createUser();
    const login = await tenant.login(identifier, password);
    keywright.clock.advance(3700);
    const onRefresh = () => Promise.reject(new Error('The disk is full.'));
    const { client } = clientOf({ token: { ...login, onRefresh } });
    await assert.rejects(client.me.get(), /The disk is full/);
  });

  test('The tokens of a login can come from a function, which is called again after a rejection', async () => {
    const { identifier, password, token } = await tenant.createUser();
    keywright.clock.advance(3700);
    const fresh = (await tenant.login(identifier, password)).access_token;
    const tokens = [token, fresh];
    const { client, requests } = clientOf({ token: () => tokens.shift() ?? fresh });
    await client.me.get();
    assert.equal(requests.length, 2);
    const useless = clientOf({ token: () => token });
    assert.equal((await failure(useless.client.me.get())).code, 'TOKEN_INVALID');
    assert.equal(useless.requests.length, 1);
  });
});

test('A creation whose response is lost takes effect once', async () => {
  const identifier = newIdentifier();
  const keys: (string | null)[] = [];
  const { client } = await adminClient({
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      if (init.method !== 'POST') return answer;
      keys.push(new Headers(init.headers).get('idempotency-key'));
      if (keys.length > 1) return answer;
      await answer.text();
      throw new TypeError('The connection broke.');
    },
  });
  const created = await client.users.create({ identifier, password: newPassword() });
  assert.equal(created.identifiers[0]?.identifier, identifier);
  assert.equal(keys.length, 2);
  assert.ok(keys[0] !== null && keys[0] === keys[1]);
  const { meta } = await client.users.list({ email: identifier }).page();
  assert.equal(meta.total, 1);
});

test('A creation of a key whose response is lost is an error that names the created record', async () => {
  const { client: admin } = await adminClient();
  const agent = await admin.agents.create({ name: 'Robot', scopes: [] });
  let attempts = 0;
  const { client } = await adminClient({
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      attempts += 1;
      if (attempts > 1) return answer;
      await answer.text();
      throw new TypeError('The connection broke.');
    },
  });
  const error = await client.apikeys.create({ agent_id: agent.id, name: 'one' }).then(
    () => assert.fail('it has no key'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SecretLostError, String(error));
  assert.equal(attempts, 2);
  const { items } = await admin.apikeys.list({ agent_id: agent.id }).page();
  assert.deepEqual(error.record, items[0]);
  const { key } = await client.apikeys.create({ agent_id: agent.id, name: 'two' });
  assert.match(key, /^svc_sk_/);
});

test('withResponse() returns the request id, status and headers', async () => {
  const { client } = await adminClient();
  const { data, status, headers, requestId } = await client.me.get().withResponse();
  assert.deepEqual(data, await client.me.get());
  assert.equal(status, 200);
  assert.equal(requestId, headers.get('x-request-id'));
  assert.ok(requestId !== undefined && requestId.length > 10);
  const page = await client.users.list({ limit: 1 }).page().withResponse();
  assert.equal(page.data.items.length, 1);
  assert.notEqual(page.requestId, requestId);
  const created = client.agents.create({ name: 'Robot', scopes: [] });
  assert.equal((await created.withResponse()).status, 201);
  assert.equal((await created).name, 'Robot', 'both are of one request');
  const refused = client.users.get('user:00000000000000000000000000');
  assert.equal((await failure(refused)).code, (await failure(refused.withResponse())).code);
});

test('Invalid IDs, URLs and durations are rejected with an explanation', async () => {
  const { client } = clientOf();
  assert.throws(() => client.users.get(''), /^TypeError: Expected user_id to be an ID, got ""\.$/);
  for (const [baseUrl, message] of [
    ['id.example.com', /Expected baseUrl to be an absolute URL such as https:.*got "id\.example/],
    ['ftp://id.example.com', /Expected baseUrl to be an absolute URL .*got ftp:/],
    ['http://id.example.com', /Expected baseUrl to use https, got http:/],
  ] as const) {
    assert.throws(() => createClient({ baseUrl }), message);
  }
});
