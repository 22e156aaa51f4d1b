import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('permissions');
});
after(() => keywright.close());

async function permissionsOf(token: string) {
  return expectStatus(200, await tenant.request('GET', '/me/permissions', { token }));
}

async function tenantName() {
  const token = await tenant.adminToken();
  return (await tenant.request('GET', `/tenants/${tenant.id}`, { token })).body['name'];
}

test('A user reads the roles and scopes of their token, and the name of the tenant', async () => {
  const admin = await tenant.createUser({ roles: ['admin'] });
  assert.deepEqual(await permissionsOf(admin.token), {
    roles: ['admin'],
    scopes: ['*:*'],
    tenant_name: await tenantName(),
  });
  const member = await tenant.createUser();
  const { roles } = await permissionsOf(member.token);
  assert.deepEqual(roles, ['member']);
});

test('An agent reads the scopes of its key', async () => {
  const { key } = await tenant.createAgent({ scopes: ['read:users'] });
  const { roles, scopes } = await permissionsOf(key);
  assert.deepEqual([roles, scopes], [[], ['read:users']]);
});
