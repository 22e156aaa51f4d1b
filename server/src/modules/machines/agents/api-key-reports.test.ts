import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiKeyRecord } from '@keywright/contract/records/api-key';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { eventsFrom } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { mintApiKey } from './api-key-authentication.ts';

const ANSWERED_AFTER_MS = 200;
const LIMIT = 60;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({
    nodes: 2,
    clock: 'fake',
    env: { KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  tenant = await keywright.tenant('acme');
});

after(() => keywright.close());

/** Reports a key without a token or a tenant. */
function report(key: string, address = '192.0.2.1'): Promise<Answer<JsonBody>> {
  const headers = { 'x-forwarded-for': address };
  return keywright.request('POST', '/apikeys/report', {
    host: 'unknown.example.net',
    headers,
    body: { key },
  });
}

async function read<Body>(path: string): Promise<Body> {
  const token = await tenant.adminToken();
  return expectStatus(200, await tenant.request<Body>('GET', path, { token }));
}

describe('a reported key', () => {
  test('A reported key is revoked immediately on every node, whatever its tenant, and the tenant is notified', async () => {
    const { agent, record, key } = await tenant.createAgent({ scopes: ['*:*'] });
    for (const node of [0, 1]) {
      expectStatus(200, await tenant.request('GET', '/me', { token: key, node }));
    }
    const events = await eventsFrom(tenant, async () => {
      expectStatus(200, await report(`  ${key}\n`));
    });
    for (const node of [0, 1]) {
      assert.equal((await tenant.request('GET', '/me', { token: key, node })).status, 401);
    }
    const present = await read<ApiKeyRecord>(`/apikeys/${record.id}`);
    assert.equal(present.revoke_reason, 'leaked');
    assert.equal(present.revoked_at, keywright.clock.now().toISOString());
    const revokedEvent = events.find((event) => event.data['key_id'] === record.id);
    assert.equal(revokedEvent?.type, 'apikey.revoked');
    assert.deepEqual(revokedEvent?.data, {
      tenant_id: tenant.id,
      key_id: record.id,
      agent_id: agent.id,
      reason: 'leaked',
    });
    const audit = await read<{ items: JsonBody[] }>(`/audit?target=${record.id}`);
    const entry = audit.items.find((item) => item['action'] === 'apikey.reported');
    assert.deepEqual(entry?.['details'], { agent_id: agent.id, reason: 'leaked' });
    assert.equal(entry?.['address'], '192.0.2.1');
  });

  test('A reported key gets the same response as any other text, in the same time', async () => {
    const { key } = await tenant.createAgent();
    const { key: revoked } = await tenant.createAgent();
    await report(revoked);
    const texts = [key, revoked, mintApiKey(), 'svc_sk_', 'anything else'];
    for (const text of texts) {
      const start = performance.now();
      const answer = await report(text, '192.0.2.2');
      assert.ok(performance.now() - start >= ANSWERED_AFTER_MS - 1, text);
      assert.deepEqual([answer.status, answer.text], [200, '{"received":true}']);
    }
  });

  test('A reported key that was revoked before retains its revocation reason', async () => {
    const { record, key } = await tenant.createAgent();
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', `/apikeys/${record.id}`, { token }));
    expectStatus(200, await report(key));
    const present = await read<ApiKeyRecord>(`/apikeys/${record.id}`);
    assert.equal(present.revoke_reason, 'revoked');
  });

  test('The reports of keys are rate-limited by address, and other addresses are unaffected', async () => {
    const flood = (address: string, count: number) =>
      parallel(count, () => report(mintApiKey(), address));
    const answers = await flood('2001:db8::1', LIMIT + 5);
    const refused = answers.filter((answer) => answer.status === 429);
    assert.equal(refused.length, 5);
    assert.equal(refused[0]?.body['code'], 'TOO_MANY_ATTEMPTS');
    assert.equal(refused[0]?.headers['retry-after'], '60');
    assert.equal(refused[0]?.headers['ratelimit'], '"address";r=0;t=60');
    // All addresses of a customer's network share a limit.
    assert.equal((await report(mintApiKey(), '2001:db8::2')).status, 429);
    assert.equal((await report(mintApiKey(), '2001:db8:1::1')).status, 200);
    keywright.clock.advance(60);
    assert.equal((await report(mintApiKey(), '2001:db8::1')).status, 200);
  });

  test('A reported key must be text of a sensible length', async () => {
    for (const body of [
      {},
      { key: '' },
      { key: 1 },
      { key: 'x'.repeat(257) },
      { key: 'x', a: 1 },
    ]) {
      const answer = await keywright.request('POST', '/apikeys/report', { body });
      assert.equal(answer.status, 400);
    }
  });
});
