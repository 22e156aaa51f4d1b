import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { ApiKeyRecord, CreatedApiKey } from '@keywright/contract/records/api-key';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type TestAgent, type TestTenant, shownOnce } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

const DAY_MS = 86_400_000;

let keywright: Keywright;
let tenant: TestTenant;
let robot: TestAgent;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('acme', { config: { login_attempts_limit: 10_000 } });
  robot = await tenant.createAgent({ scopes: ['read:users', 'read:roles'] });
});

after(() => keywright.close());

async function asAdmin<Body = JsonBody>(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Body & ErrorBody>> {
  const token = await tenant.adminToken();
  return tenant.request(method, path, { token, headers, ...(body && { body }) });
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

async function read(id: string): Promise<ApiKeyRecord> {
  return expectStatus(200, await asAdmin<ApiKeyRecord>('GET', `/apikeys/${id}`));
}

describe('an API key', () => {
  test('An API key is shown once, with a record that never changes (SPEC endpoints apikeys 1, SPEC endpoints apikeys 3, SPEC states apikey 1, SPEC resources apikey 2, SPEC resources apikey 3, SPEC authentication 10)', async () => {
    const body = { agent_id: robot.agent.id, name: 'nightly', expires_in_days: 30 };
    const answer = await asAdmin<CreatedApiKey>('POST', '/apikeys', body);
    const { key, record } = shownOnce(expectStatus(201, answer));
    assert.match(record.id, /^key_[0-9a-z]{26}$/);
    const now = keywright.clock.now();
    assert.deepEqual(record, {
      id: record.id,
      tenant_id: tenant.id,
      agent_id: robot.agent.id,
      name: 'nightly',
      prefix: key.slice(0, 12),
      scopes: null,
      allowed_ips: null,
      created_by: claimsOf(await tenant.adminToken()).sub,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 30 * DAY_MS).toISOString(),
      last_used_at: null,
      revoked_at: null,
      revoke_reason: null,
      successor_id: null,
    });
    assert.deepEqual(await read(record.id), record);
    const list = await asAdmin('GET', '/apikeys?limit=100');
    assert.ok(list.text.includes(record.id));
    for (const { text } of [list, await asAdmin('GET', `/apikeys/${record.id}`)]) {
      assert.ok(!text.includes(key) && !text.includes('secret_hash'));
    }
  });

  test('An API key is stored only as a hash', async () => {
    const { record, key } = await tenant.createApiKey(robot.agent.id);
    const [row] = await keywright.database.query<{ row: string; matches: boolean }>(
      `SELECT k::text AS row, k.secret_hash = sha256($2::bytea) AS matches FROM api_keys k WHERE id = $1`,
      [record.id, Buffer.from(key)],
    );
    assert.equal(row?.matches, true);
    assert.ok(!row.row.includes(key.slice(12)));
  });

  test('An API key is valid for 1 to 365 days, 90 by default (SPEC limits 6, SPEC resources apikey 4)', async () => {
    const base = { agent_id: robot.agent.id, name: 'a key' };
    for (const [days, expected] of [
      [1, 1],
      [365, 365],
      [undefined, 90],
    ] as const) {
      const body = { ...base, ...(days === undefined ? {} : { expires_in_days: days }) };
      const answer = await asAdmin<CreatedApiKey>('POST', '/apikeys', body);
      const record = expectStatus(201, answer);
      const lives = Date.parse(record.expires_at) - Date.parse(record.created_at);
      assert.equal(lives, expected * DAY_MS);
    }
    for (const days of [0, -1, 366, 1.5, '30', null]) {
      const answer = await asAdmin('POST', '/apikeys', { ...base, expires_in_days: days });
      assert.equal(says(answer), '400 VALIDATION_FAILED', String(days));
    }
  });

  test('An API key requires an agent and a name, and malformed input is rejected', async () => {
    const base = { agent_id: robot.agent.id, name: 'a key' };
    const wrong: readonly object[] = [
      {},
      { name: 'a key' },
      { agent_id: robot.agent.id },
      { ...base, agent_id: 'robot' },
      { ...base, name: '' },
      { ...base, scopes: ['everything'] },
      { ...base, allowed_ips: [] },
      { ...base, allowed_ips: ['here'] },
      { ...base, allowed_ips: ['10.0.0.0/33'] },
      { ...base, allowed_ips: Array.from({ length: 65 }, (_, n) => `10.0.0.${n}`) },
      { ...base, key: 'svc_sk_chosen' },
    ];
    for (const body of wrong) {
      assert.equal(says(await asAdmin('POST', '/apikeys', body)), '400 VALIDATION_FAILED');
    }
  });

  test('The list of API keys is sorted newest first, and filtered by agent if requested (SPEC endpoints apikeys 2)', async () => {
    const { agent, record } = await tenant.createAgent();
    const records = [record];
    for (let more = 0; more < 3; more += 1) {
      keywright.clock.advance(1);
      records.push((await tenant.createApiKey(agent.id)).record);
    }
    interface List {
      readonly items: readonly ApiKeyRecord[];
      readonly meta: { readonly total: number; readonly next_cursor?: string };
    }
    const list = async (query: string) =>
      expectStatus(200, await asAdmin<List>('GET', `/apikeys${query}`));
    const agentQuery = `?agent_id=${agent.id}`;
    assert.deepEqual((await list(agentQuery)).items, records.toReversed());
    const first = await list(`${agentQuery}&sort=created_at&limit=3`);
    assert.deepEqual([first.items, first.meta.total], [records.slice(0, 3), 4]);
    const cursor = `${agentQuery}&sort=created_at&limit=3&cursor=${first.meta.next_cursor}`;
    assert.deepEqual((await list(cursor)).items, records.slice(3));
    assert.ok((await list('')).meta.total > 4);
  });

  test('An API key is revoked once and permanently, and its record remains (SPEC endpoints apikeys 4, SPEC states apikey 3)', async () => {
    const { record } = await tenant.createApiKey(robot.agent.id);
    const path = `/apikeys/${record.id}`;
    const at = keywright.clock.now().toISOString();
    const answer = { id: record.id, revoked: true };
    assert.deepEqual(expectStatus(200, await asAdmin('DELETE', path)), answer);
    const revoked = { ...record, revoked_at: at, revoke_reason: 'revoked' };
    assert.deepEqual(await read(record.id), revoked);
    keywright.clock.advance(60);
    expectStatus(404, await asAdmin('DELETE', path));
    assert.deepEqual(await read(record.id), revoked);
  });

  test('An API key created with an Idempotency-Key is created once, and shown once', async () => {
    const headers = { 'idempotency-key': 'one key' };
    const body = { agent_id: robot.agent.id, name: 'made once' };
    const create = () => asAdmin<CreatedApiKey>('POST', '/apikeys', body, headers);
    const { record, key } = shownOnce(expectStatus(201, await create()));
    const again = await create();
    assert.deepEqual(expectStatus(201, again), record);
    assert.ok(!again.text.includes(key));
    const [stored] = await keywright.database.query<{ text: string }>(
      'SELECT k::text AS text FROM idempotency_keys k WHERE key = $1',
      ['one key'],
    );
    assert.ok(stored?.text.includes(record.id) && !stored.text.includes(key));
  });
});

describe('a key with allowed addresses', () => {
  test('A key with allowed addresses is rejected from any other address, as if it did not exist', async () => {
    const me = async (key: string) => says(await tenant.request('GET', '/me', { token: key }));
    for (const [allowed, expected] of [
      [['127.0.0.1'], '200'],
      [['10.0.0.0/8', '127.0.0.0/8'], '200'],
      [['192.0.2.0/24', '2001:db8::/32'], '401 TOKEN_INVALID'],
    ] as const) {
      const { key } = await tenant.createApiKey(robot.agent.id, { allowed_ips: allowed });
      assert.equal(await me(key), expected, String(allowed));
    }
  });

  test('A key with allowed addresses is checked against the address that a trusted proxy reports, and no other', async (t) => {
    const behind = await startKeywright({ env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' } });
    t.after(() => behind.close());
    const { key } = await behind.home.createAgent({}, { allowed_ips: ['2001:db8::/32'] });
    const from = async (at: Keywright, token: string, address: string) => {
      const headers = { 'x-forwarded-for': address };
      return (await at.home.request('GET', '/me', { token, headers })).status;
    };
    assert.equal(await from(behind, key, '2001:db8::7'), 200);
    assert.equal(await from(behind, key, '2001:db9::7'), 401);
    assert.equal(await from(behind, key, '2001:db8::7, 192.0.2.1'), 401);
    const { key: direct } = await keywright.home.createAgent({}, { allowed_ips: ['192.0.2.1'] });
    assert.equal(await from(keywright, direct, '192.0.2.1'), 401);
  });
});
