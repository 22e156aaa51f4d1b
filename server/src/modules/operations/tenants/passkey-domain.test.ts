import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { addPasskey } from '@keywright/tests/harness/passkey';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});
after(() => keywright.close());

async function tenantWith(slug: string, domains: readonly string[]) {
  const tenant = await keywright.tenant(slug, { domains });
  const token = await tenant.adminToken();
  const set = (passkey_rp_id: string | null, query = '') =>
    tenant.request<ErrorBody & { affected?: object[] }>('PATCH', `/tenants/${tenant.id}${query}`, {
      token,
      body: { config: { passkey_rp_id } },
    });
  return { tenant, set };
}

test('A passkey is bound to a domain of the tenant, or to a parent of one that is not a public suffix', async () => {
  const domains = ['login.acme.co.uk', 'acme.github.io', 'intranet'];
  const { set } = await tenantWith('bound', domains);
  for (const id of [...domains, 'acme.co.uk', 'id.example.com', 'example.com']) {
    expectStatus(200, await set(id));
  }
  const foreign = ['evil.example', 'cme.co.uk', 'sub.login.acme.co.uk', '192.0.2.1'];
  for (const id of ['co.uk', 'uk', 'github.io', 'com', ...foreign]) {
    const { errors } = expectStatus(400, await set(id));
    assert.equal(errors?.[0]?.path, '/config/passkey_rp_id', id);
  }
});

test('Another passkey domain is refused while users have passkeys, unless it is forced', async () => {
  const { tenant, set } = await tenantWith('moved', ['login.acme.example']);
  const { token } = await tenant.createUser();
  await addPasskey(tenant, token);
  assert.equal((await set('acme.example')).body.code, 'IN_USE');
  expectStatus(200, await set('id.example.com'));
  const { affected } = expectStatus(200, await set('acme.example', '?dry_run=true'));
  assert.deepEqual(affected, [
    {
      setting: 'passkey_rp_id',
      users: 1,
      code: 'passkey_lost',
      effect: 'have passkeys that are bound to the previous domain, and stop working',
    },
  ]);
  expectStatus(200, await set('acme.example', '?force=true'));
});
