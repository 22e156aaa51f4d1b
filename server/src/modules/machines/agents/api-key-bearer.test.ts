import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { API_KEY_PREFIX, type ApiKeyRecord } from '@keywright/contract/records/api-key';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import { mintApiKey } from './api-key-authentication.ts';

const DAY = 86_400;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('robots', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function asAdmin<Body = JsonBody>(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return expectStatus(
    200,
    await tenant.request<Body>(method, path, { token, ...(body && { body }) }),
  );
}

/** Requires that both nodes refuse the key; one of them might have seen it before. */
async function assertRefused(key: string, extra: object = {}): Promise<void> {
  for (const node of [0, 1]) {
    const answer = await tenant.request<ErrorBody>('GET', '/me', { token: key, node, ...extra });
    assert.equal(expectStatus(401, answer).code, 'TOKEN_INVALID');
    assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
  }
}

async function assertAccepted(key: string): Promise<void> {
  for (const node of [0, 1]) {
    expectStatus(200, await tenant.request('GET', '/me', { token: key, node }));
  }
}

describe('an API key as a bearer token', () => {
  test('An API key used as a bearer token identifies its agent, whose record GET /me returns (SPEC service 5, SPEC authentication 1b, SPEC resources apikey 1)', async () => {
    const { agent, key } = await tenant.createAgent({ scopes: ['read:users'] });
    assert.match(key, /^svc_sk_[0-9A-Za-z]{44}$/);
    const me = await tenant.request('GET', '/me', { token: key });
    assert.deepEqual(expectStatus(200, me), agent);
  });

  test("An API key has its agent's current scopes, on every node (SPEC states agent 2, SPEC states apikey 4)", async () => {
    const { agent, key } = await tenant.createAgent();
    const change = (body: object) => asAdmin('PATCH', `/agents/${agent.id}`, body);
    const list = async (node: number) =>
      (await tenant.request('GET', '/users', { token: key, node })).status;
    for (const [scopes, status] of [
      [[], 403],
      [['read:users'], 200],
      [['read:roles'], 403],
      [['*:*'], 200],
    ] as const) {
      await change({ scopes });
      for (const node of [0, 1]) assert.equal(await list(node), status, String(scopes));
    }
    await change({ is_active: false });
    await assertRefused(key);
    await change({ is_active: true });
    await assertAccepted(key);
  });

  test('An API key with scopes grants only those that its agent also has', async () => {
    const { agent, key } = await tenant.createAgent(
      { scopes: ['*:users', 'read:*'] },
      { scopes: ['read:users', 'write:users', 'read:roles'] },
    );
    const may = async (path: string) =>
      (await tenant.request('GET', path, { token: key })).status === 200;
    assert.deepEqual([await may('/users'), await may('/roles')], [true, true]);
    assert.equal(await may('/workspaces'), false);
    await asAdmin('PATCH', `/agents/${agent.id}`, { scopes: ['read:roles', 'read:workspaces'] });
    assert.deepEqual([await may('/users'), await may('/roles')], [false, true]);
    assert.equal(await may('/workspaces'), false);
  });

  test('An API key is rejected from the first request after its revocation (SPEC states apikey 3)', async () => {
    const { record, key } = await tenant.createAgent();
    await assertAccepted(key);
    await asAdmin('DELETE', `/apikeys/${record.id}`);
    await assertRefused(key);
  });

  test('An API key is rejected once it has expired (SPEC states apikey 2, SPEC limits 6)', async () => {
    const { key } = await tenant.createAgent({}, { expires_in_days: 2 });
    keywright.clock.advance(2 * DAY - 1);
    await assertAccepted(key);
    keywright.clock.advance(1);
    await assertRefused(key);
  });

  test('An API key is rejected after its agent was deleted', async () => {
    const { agent, key } = await tenant.createAgent();
    await assertAccepted(key);
    await asAdmin('DELETE', `/agents/${agent.id}`);
    await assertRefused(key);
  });

  test('An API key is rejected if it was never issued, or belongs to another tenant', async () => {
    const other = await keywright.tenant('robots-2');
    const { key } = await other.createAgent({ scopes: ['*:*'] });
    for (const unknown of [mintApiKey(), API_KEY_PREFIX, key, `${key}0`]) {
      await assertRefused(unknown);
    }
    expectStatus(200, await other.request('GET', '/me', { token: key }));
    // Nor when one statement looks up the key for both tenants.
    const requests = [other, tenant, other, tenant].map((at) =>
      at.request('GET', '/me', { token: key }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    assert.deepEqual(statuses, [200, 401, 200, 401]);
  });

  test('An API key is reported by verify-token like a token of its agent', async () => {
    const { agent, record, key } = await tenant.createAgent(
      { scopes: ['read:users', 'read:roles'] },
      { scopes: ['read:users'], allowed_ips: ['192.0.2.1'] },
    );
    const verify = async (token: string) => {
      const { body } = await tenant.request('POST', '/auth/verify-token', {
        token: await tenant.adminToken(),
        body: { token },
      });
      return body;
    };
    const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);
    assert.deepEqual(await verify(key), {
      active: true,
      token_type: 'access',
      iss: `https://id.example.com/t/${tenant.id}`,
      aud: `https://id.example.com/t/${tenant.id}`,
      sub: agent.id,
      client_id: agent.id,
      key_id: record.id,
      iat: seconds(record.created_at),
      exp: seconds(record.expires_at),
      tenant_id: tenant.id,
      workspace_id: 'ws_default',
      roles: [],
      scopes: ['read:users'],
      scope: 'read:users',
      ver: 0,
    });
    await asAdmin('DELETE', `/apikeys/${record.id}`);
    for (const text of [key, mintApiKey(), `${key}0`]) {
      assert.deepEqual(await verify(text), { active: false });
    }
  });
});

describe('the last use of a key', () => {
  test('The last use of a key is in its record, to the minute, and is written asynchronously', async () => {
    const { record, key } = await tenant.createAgent();
    const lastUse = async () =>
      (await asAdmin<ApiKeyRecord>('GET', `/apikeys/${record.id}`)).last_used_at;
    assert.equal(await lastUse(), null);
    for (const seconds of [0, 60, 90]) {
      keywright.clock.advance(seconds);
      await assertAccepted(key);
      const minute = new Date(keywright.clock.now());
      minute.setUTCSeconds(0, 0);
      await until('the use is written', async () => (await lastUse()) === minute.toISOString());
    }
  });
});
