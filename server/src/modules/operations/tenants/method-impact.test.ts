import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { addPasskey } from '@keywright/tests/harness/passkey';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let token: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('impact', { domains: ['login.acme.example'] });
  token = await tenant.adminToken();
  await tenant.createUser();
  await addPasskey(tenant, (await tenant.createUser()).token);
});
after(() => keywright.close());

/** How many users a change would affect, by effect. */
async function usersOf(config: Partial<TenantConfig>): Promise<number[]> {
  const path = `/tenants/${tenant.id}?dry_run=true`;
  const options = { token, body: { config } };
  const answer = await tenant.request<{ affected: { users: number }[] }>('PATCH', path, options);
  return expectStatus(200, answer).affected.map(({ users }) => users);
}

test('A user with a passkey has a second factor when one is required of all users', async () => {
  assert.deepEqual(await usersOf({ require_mfa: true }), [2, 3]);
  assert.deepEqual(await usersOf({ require_mfa_role: 'member' }), [2, 3]);
});

test('Users with a passkey could log in with passkeys as the only method, unless it is bound to another domain', async () => {
  const only: Partial<TenantConfig> = { allowed_login_methods: ['passkey'] };
  assert.deepEqual(await usersOf(only), [2, 3]);
  const moved = await usersOf({ ...only, passkey_rp_id: 'login.acme.example' });
  assert.deepEqual(moved, [3, 3, 1]);
});

test('A user with a passkey could log in with it without passwords', async () => {
  assert.deepEqual(await usersOf({ allowed_login_methods: ['passkey', 'oauth'] }), [2, 3]);
});

test('A user with an identity at an active provider could log in with it without passwords', async () => {
  const request = {
    token,
    body: {
      type: 'oidc',
      name: 'Door',
      issuer: 'https://id.example.com',
      client_id: 'keywright',
      is_active: true,
      skip_test: true,
    },
  };
  const { id } = expectStatus(201, await tenant.request('POST', '/identity-providers', request));
  const { user } = await tenant.createUser();
  await keywright.database.query(
    `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
     VALUES ($1, $2, 'oauth', $3, 'subject')`,
    [tenant.id, user.id, id],
  );
  // Of four, one has a passkey, and this one the identity.
  assert.deepEqual((await usersOf({ allowed_login_methods: ['passkey', 'oauth'] }))[0], 2);
  assert.deepEqual((await usersOf({ allowed_login_methods: ['oauth'] }))[0], 3);
  assert.deepEqual((await usersOf({ allowed_login_methods: ['passkey'] }))[0], 3);
  const path = `/identity-providers/${String(id)}`;
  expectStatus(200, await tenant.request('PATCH', path, { token, body: { is_active: false } }));
  assert.deepEqual((await usersOf({ allowed_login_methods: ['passkey', 'oauth'] }))[0], 3);
});
