import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import { type KeywrightOptions, startKeywright } from './keywright.ts';

const ENGINES = ['postgres', 'pglite'] as const satisfies readonly KeywrightOptions['engine'][];

for (const engine of ENGINES) {
  test(`A service on ${engine} has an administrator, users and a clock controlled by tests`, async () => {
    const keywright = await startKeywright({ engine, clock: 'fake' });
    try {
      const { user, token } = await keywright.createUser({ roles: ['member'] });
      const me = await keywright.request<UserRecord>('GET', '/me', { token });
      assert.equal(me.status, 200);
      assert.equal(me.body.id, user.id);

      keywright.clock.advance(2 * 3600);
      assert.equal((await keywright.request('GET', '/me', { token })).status, 401);
      const users = await keywright.request('GET', '/users', {
        token: await keywright.adminToken(),
      });
      assert.equal(users.status, 200);
    } finally {
      await keywright.close();
    }
  });
}

test('A second tenant has its own administrator, and is found by its domain', async () => {
  const keywright = await startKeywright({ nodes: 2 });
  try {
    const other = await keywright.tenant('other');
    const { user } = await other.createUser({ roles: ['admin'] });
    assert.equal(user.tenant_id, 'org_other');
    const token = await other.adminToken();
    const byDomain = { token, host: 'Other.Example.com:8080', node: 1 };
    assert.equal((await keywright.request('GET', '/users', byDomain)).status, 200);
    assert.equal((await keywright.request('GET', '/users', { token })).status, 401);
    const twice = { token, tenant: ['org_other', 'org_other'] };
    assert.equal((await keywright.request('GET', '/users', twice)).status, 400);
  } finally {
    await keywright.close();
  }
});
