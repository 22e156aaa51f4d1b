import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { ApiKeyRecord, CreatedApiKey } from '@keywright/contract/records/api-key';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type TestTenant, shownOnce } from '@keywright/tests/harness/tenant';

const DAY = 86_400;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('acme', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function rotate(
  id: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<CreatedApiKey & ErrorBody>> {
  const token = await tenant.adminToken();
  return tenant.request('POST', `/apikeys/${id}/rotate`, { token, body, headers });
}

async function read(id: string): Promise<ApiKeyRecord> {
  const token = await tenant.adminToken();
  return expectStatus(200, await tenant.request<ApiKeyRecord>('GET', `/apikeys/${id}`, { token }));
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

/** The status of each node's response to the key. */
async function statusesOf(key: string): Promise<number[]> {
  const answers = [0, 1].map((node) => tenant.request('GET', '/me', { token: key, node }));
  return (await Promise.all(answers)).map((answer) => answer.status);
}

function later(days: number): string {
  return new Date(keywright.clock.now().getTime() + days * DAY * 1000).toISOString();
}

describe('a rotated API key', () => {
  test('A rotated API key has an equivalent successor, and remains valid during the overlap (SPEC authentication 10b)', async () => {
    const { record, key } = await tenant.createAgent(
      { scopes: ['read:users', 'read:roles'] },
      { name: 'nightly', expires_in_days: 30, scopes: ['read:users'], allowed_ips: ['127.0.0.1'] },
    );
    keywright.clock.advance(10 * DAY);
    const next = shownOnce(expectStatus(201, await rotate(record.id, { overlap_days: 2 })));
    const { id, prefix, created_at: createdAt, expires_at: expiresAt, ...same } = next.record;
    assert.notEqual(next.key, key);
    assert.deepEqual([createdAt, expiresAt], [later(0), later(30)]);
    assert.equal(prefix, next.key.slice(0, 12));
    assert.deepEqual({ ...record, ...same }, { ...record, created_by: same.created_by });
    const after2 = { ...record, expires_at: later(2), successor_id: id };
    assert.deepEqual({ ...(await read(record.id)), last_used_at: null }, after2);
    keywright.clock.advance(2 * DAY - 1);
    assert.deepEqual(
      [await statusesOf(key), await statusesOf(next.key)],
      [
        [200, 200],
        [200, 200],
      ],
    );
    keywright.clock.advance(1);
    assert.deepEqual(
      [await statusesOf(key), await statusesOf(next.key)],
      [
        [401, 401],
        [200, 200],
      ],
    );
  });

  test('A rotated API key overlaps for a week by default, and never beyond its expiry', async () => {
    const { record } = await tenant.createAgent({}, { expires_in_days: 30 });
    expectStatus(201, await rotate(record.id, {}));
    assert.equal((await read(record.id)).expires_at, later(7));
    const { record: short } = await tenant.createAgent({}, { expires_in_days: 3 });
    expectStatus(201, await rotate(short.id, { overlap_days: 30 }));
    assert.equal((await read(short.id)).expires_at, short.expires_at);
    for (const days of [-1, 31, 0.5, '7', null]) {
      assert.equal(says(await rotate(short.id, { overlap_days: days })), '400 VALIDATION_FAILED');
    }
  });

  test('A rotated API key without an overlap is revoked immediately, on every node', async () => {
    const { record, key } = await tenant.createAgent();
    assert.deepEqual(await statusesOf(key), [200, 200]);
    const next = shownOnce(expectStatus(201, await rotate(record.id, { overlap_days: 0 })));
    assert.deepEqual(
      [await statusesOf(key), await statusesOf(next.key)],
      [
        [401, 401],
        [200, 200],
      ],
    );
    const { revoked_at: revokedAt, revoke_reason: reason } = await read(record.id);
    assert.deepEqual([revokedAt, reason], [later(0), 'rotated']);
  });

  test('A rotated API key is reported by verify-token with its new expiry', async () => {
    const { record, key } = await tenant.createAgent();
    const expiry = async () => {
      const token = await tenant.adminToken();
      const options = { token, body: { token: key } };
      return (await tenant.request('POST', '/auth/verify-token', options)).body['exp'];
    };
    assert.equal(await expiry(), Math.floor(Date.parse(record.expires_at) / 1000));
    expectStatus(201, await rotate(record.id, { overlap_days: 1 }));
    assert.equal(await expiry(), Math.floor(Date.parse(later(1)) / 1000));
  });

  test('A rotated API key has one successor: it cannot be rotated again, but the successor can', async () => {
    const { record } = await tenant.createAgent();
    const next = expectStatus(201, await rotate(record.id, {}));
    for (const overlap of [{}, { overlap_days: 0 }]) {
      assert.equal(says(await rotate(record.id, overlap)), '400 APIKEY_ROTATED');
    }
    expectStatus(201, await rotate(next.id, { overlap_days: 0 }));
    assert.equal(says(await rotate(next.id, {})), '400 APIKEY_ROTATED');
  });

  test('An API key must still be valid to be rotated', async () => {
    const token = await tenant.adminToken();
    const { record: revoked } = await tenant.createAgent();
    expectStatus(200, await tenant.request('DELETE', `/apikeys/${revoked.id}`, { token }));
    const { record: expired } = await tenant.createAgent({}, { expires_in_days: 1 });
    keywright.clock.advance(DAY);
    for (const { id } of [revoked, expired]) {
      assert.equal(says(await rotate(id, {})), '400 APIKEY_ENDED');
      assert.equal((await read(id)).successor_id, null);
    }
  });

  test('An API key rotated with an Idempotency-Key is rotated once, and the successor is shown once', async () => {
    const { record } = await tenant.createAgent();
    const headers = { 'idempotency-key': 'rotate once' };
    const next = shownOnce(expectStatus(201, await rotate(record.id, {}, headers)));
    assert.deepEqual(expectStatus(201, await rotate(record.id, {}, headers)), next.record);
    const { record: other } = await tenant.createAgent();
    assert.equal(says(await rotate(other.id, {}, headers)), '400 IDEMPOTENCY_KEY_REUSED');
  });
});
