import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('methods');
});
after(() => keywright.close());

const fetchMethods = (headers: Record<string, string> = {}) =>
  tenant.request('GET', '/auth/methods', { headers });

const change = async (config: Record<string, unknown>) => {
  const token = await keywright.adminToken();
  const options = { token, body: { config } };
  expectStatus(200, await keywright.home.request('PATCH', `/tenants/${tenant.id}`, options));
};

test('Any caller can see how users of a tenant log in, and sees only methods that work', async () => {
  const { body } = await fetchMethods();
  assert.deepEqual(body, {
    tenant_id: tenant.id,
    methods: ['password', 'passkey'],
    channels: [],
    providers: [],
    registration: true,
    password: { min_length: 12, require_special: false },
  });
});

test('A changed setting changes the login methods response and its ETag, and an unchanged one is not sent again', async () => {
  const first = await fetchMethods();
  const etag = String(first.headers.etag);
  assert.equal(first.headers['cache-control'], 'public, max-age=60');
  assert.equal(first.headers.vary, 'X-Tenant-ID, Host');
  assert.equal((await fetchMethods({ 'if-none-match': etag })).status, 304);
  await change({ allow_registration: false, password_min_length: 16 });
  const body = expectStatus(200, await fetchMethods({ 'if-none-match': etag }));
  assert.equal(body.registration, false);
  assert.deepEqual(body.password, { min_length: 16, require_special: false });
});

test('Caches store the login methods separately by origin if the tenant allows origins, and by tenant', async () => {
  const origin = 'https://app.example.com';
  const open = await keywright.tenant('open', { config: { allowed_origins: [origin] } });
  for (const headers of [{ origin }, { origin: 'https://evil.example' }, {}]) {
    const answer = await open.request('GET', '/auth/methods', { headers });
    assert.equal(answer.headers.vary, 'Origin, X-Tenant-ID, Host');
  }
});
