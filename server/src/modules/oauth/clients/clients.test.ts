import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { newOAuthClientId } from '@keywright/server/platform/crypto/ids';
import { sha256 } from '@keywright/server/platform/crypto/sealed';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('apps');
  token = await tenant.adminToken();
});
after(() => keywright.close());

const WEB = { name: 'Invoices', kind: 'web', redirect_uris: ['https://app.example.com/callback'] };

interface Client {
  readonly id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method: string;
  readonly scopes: readonly string[];
  readonly first_party: boolean;
  readonly secrets: readonly { readonly id: string }[];
}

async function register(body: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const answer = await tenant.request<Client>('POST', '/clients', {
    token,
    body: { ...WEB, ...body },
    headers,
  });
  return expectStatus(201, answer);
}

const expectRefused = (status: number, code: string, answer: Answer<unknown>) => {
  assert.deepEqual([answer.status, (answer.body as { code?: string }).code], [status, code]);
};

const hashes = async (clientId: string) => {
  const rows = await keywright.database.query<{ secret_hash: Buffer }>(
    'SELECT secret_hash FROM oauth_client_secrets WHERE tenant_id = $1 AND client_id = $2 ORDER BY created_at',
    [tenant.id, clientId],
  );
  return rows.map((row) => Buffer.from(row.secret_hash).toString('hex'));
};

describe('a client', () => {
  test('A client is found in its own tenant by a part of its name, in any case and without wildcards, or by its ID', async () => {
    const client = await register({ name: 'Robot_Shop 100%' });
    const other = await keywright.tenant('other-apps');
    const body = { ...WEB, name: 'Robot_Shop elsewhere' };
    const elsewhere = { token: await other.adminToken(), body };
    expectStatus(201, await other.request('POST', '/clients', elsewhere));
    const found = async (text: string) => {
      const path = `/clients?search=${encodeURIComponent(text)}`;
      type List = { items: Client[]; meta: { total: number } };
      const answer = await tenant.request<List>('GET', path, { token });
      const { items, meta } = expectStatus(200, answer);
      assert.equal(meta.total, items.length);
      return items.map(({ id }) => id);
    };
    for (const text of ['robot_shop', 'SHOP 100%', client.id]) {
      assert.deepEqual(await found(text), [client.id], text);
    }
    for (const text of ['robot%shop', 'robotxshop', client.id.slice(0, -1)]) {
      assert.deepEqual(await found(text), [], text);
    }
  });

  test('A client of a server gets a secret, which is shown once and stored as its SHA-256', async () => {
    const { client_secret: secret = '', ...shown } = await register();
    assert.match(secret, /^kwc_[0-9A-Za-z]{44}$/);
    assert.deepEqual(await hashes(shown.id), [sha256(secret).toString('hex')]);
    const read = expectStatus(200, await tenant.request('GET', `/clients/${shown.id}`, { token }));
    assert.deepEqual(read, { ...shown });
    assert.deepEqual(
      [shown.token_endpoint_auth_method, shown.scopes, shown.first_party],
      ['client_secret_basic', ['openid', 'profile', 'email'], false],
    );
  });

  test('A client in a browser or on a device is public', async () => {
    for (const kind of ['spa', 'native']) {
      const client = await register({ kind });
      assert.deepEqual([client.client_secret, client.secrets], [undefined, []]);
    }
    for (const kind of ['spa', 'native']) {
      const body = { ...WEB, kind, token_endpoint_auth_method: 'client_secret_post' };
      const refused = await tenant.request('POST', '/clients', { token, body });
      expectRefused(400, 'VALIDATION_FAILED', refused);
    }
  });

  test('A client is registered once, and its secret is not repeated, if the response was lost', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await register({}, headers);
    const second = await register({}, headers);
    assert.equal(second.id, first.id);
    assert.ok(first.client_secret !== undefined && second.client_secret === undefined);
  });

  const REFUSED: readonly (readonly [object, string])[] = [
    [{ redirect_uris: [] }, '/redirect_uris'],
    [{ redirect_uris: ['http://app.example.com/'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://a.example.com/', 'https://a.example.com/#x'] }, '/redirect_uris/1'],
    [{ redirect_uris: ['https://app.example.com/*'] }, '/redirect_uris/0'],
    [{ post_logout_redirect_uris: ['javascript:alert(1)'] }, '/post_logout_redirect_uris/0'],
    [{ post_logout_redirect_uris: ['https://*.example.com/'] }, '/post_logout_redirect_uris/0'],
    [{ initiate_login_uri: 'http://app.example.com/login' }, '/initiate_login_uri'],
    [{ kind: 'native', initiate_login_uri: 'com.example.app:/login' }, '/initiate_login_uri'],
    [{ initiate_login_uri: 'https://app.example.com/login#x' }, '/initiate_login_uri'],
    [{ initiate_login_uri: 'https://*.example.com/login' }, '/initiate_login_uri'],
    [{ grant_types: ['refresh_token'] }, '/grant_types'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, '/jwks'],
    [{ client_uri: 'javascript:alert(1)' }, '/client_uri'],
    [{ scopes: ['admin'] }, '/scopes/0'],
  ];
  for (const [body, path] of REFUSED) {
    test(`A client cannot have ${JSON.stringify(body)}`, async () => {
      const refused = await tenant.request('POST', '/clients', {
        token,
        body: { ...WEB, ...body },
      });
      expectRefused(400, 'VALIDATION_FAILED', refused);
      assert.ok(JSON.stringify(refused.body).includes(`"${path}"`), JSON.stringify(refused.body));
    });
  }

  test('A client can request only permissions that its administrator has, before and after a change', async () => {
    expectStatus(
      201,
      await tenant.request('POST', '/roles', {
        token,
        body: { name: 'app_keeper', scopes: ['*:clients'] },
      }),
    );
    const keeper = await tenant.createUser({ roles: ['app_keeper'] });
    const strong = await register({ scopes: ['openid', 'delete:users'] });
    const weak = await register();
    const path = `/clients/${strong.id}`;
    const as = { token: keeper.token };
    const body = { scopes: ['delete:users'] };
    const attempts = [
      tenant.request('POST', '/clients', { ...as, body: { ...WEB, ...body } }),
      tenant.request('PATCH', `/clients/${weak.id}`, { ...as, body }),
      tenant.request('PATCH', path, { ...as, body: { redirect_uris: ['https://evil.example/'] } }),
      tenant.request('POST', `${path}/secrets`, as),
      tenant.request('DELETE', `${path}/secrets/${strong.secrets[0]?.id}`, as),
      tenant.request('DELETE', path, as),
    ];
    for (const attempt of attempts) expectRefused(403, 'SCOPE_NOT_HELD', await attempt);
    const name = { name: 'Renamed' };
    expectStatus(200, await tenant.request('PATCH', `/clients/${weak.id}`, { ...as, body: name }));
  });

  test('An agent can neither read nor change a client', async () => {
    const { key } = await tenant.createAgent({ scopes: ['*:*'] });
    const refused = await tenant.request('GET', '/clients', { token: key });
    expectRefused(403, 'ADMINISTRATOR_REQUIRED', refused);
  });
});

describe('a rotation of secrets', () => {
  test('A rotation of client secrets adds a second one, never a third, and ends when the first is deleted', async () => {
    const client = await register();
    const path = `/clients/${client.id}/secrets`;
    const added = expectStatus(201, await tenant.request('POST', path, { token }));
    const third = await tenant.request('POST', path, { token });
    expectRefused(400, 'TOO_MANY_CLIENT_SECRETS', third);
    const old = `${path}/${client.secrets[0]?.id}`;
    expectStatus(200, await tenant.request('DELETE', old, { token }));
    assert.deepEqual(await hashes(client.id), [
      sha256(String(added['client_secret'])).toString('hex'),
    ]);
    expectRefused(404, 'NOT_FOUND', await tenant.request('DELETE', old, { token }));
  });

  test('A rotation of client secrets is refused for clients that have none, or that do not exist', async () => {
    const { id } = await register({ kind: 'spa' });
    const none = await tenant.request('POST', `/clients/${id}/secrets`, { token });
    expectRefused(400, 'CLIENT_HAS_NO_SECRET', none);
    const unknown = `/clients/${newOAuthClientId(new Date())}/secrets`;
    expectRefused(404, 'NOT_FOUND', await tenant.request('POST', unknown, { token }));
  });
});

test('A change of a client that changes nothing writes nothing', async () => {
  const { id } = await register();
  const count = async () => {
    const [row] = await keywright.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM audit_entries WHERE tenant_id = $1 AND target_id = $2',
      [tenant.id, id],
    );
    return row?.n;
  };
  const past = (await count()) ?? 0;
  const body = { name: WEB.name, redirect_uris: WEB.redirect_uris };
  expectStatus(200, await tenant.request('PATCH', `/clients/${id}`, { token, body }));
  assert.equal(await count(), past);
  expectStatus(
    200,
    await tenant.request('PATCH', `/clients/${id}`, { token, body: { name: 'X' } }),
  );
  assert.equal(await count(), past + 1);
});
