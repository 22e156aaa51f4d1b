import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { ProviderDependents } from '@keywright/contract/records/provider-dependents';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { addPasskey } from '@keywright/tests/harness/passkey';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { addProvider, UPSTREAM_CONFIG } from '@keywright/tests/harness/upstream';

const METHODS = ['password', 'magic_link', 'oauth', 'passkey'] as const;
const NOWHERE = { issuer: 'https://id.corp.example', clientSecret: 'an-unused-secret' };
const MANY = 10_002;

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({
    env: { KEYWRIGHT_SMTP_URL: 'smtp://127.0.0.1:9', KEYWRIGHT_MAIL_FROM: 'id@example.com' },
  });
});
after(() => keywright.close());

interface Corporation {
  readonly tenant: TestTenant;
  readonly record: IdentityProviderRecord;
}

async function newCorporation(): Promise<Corporation> {
  tenants += 1;
  const config = { ...UPSTREAM_CONFIG, allowed_login_methods: [...METHODS] };
  const tenant = await keywright.tenant(`dependents-${tenants}`, { config });
  return { tenant, record: await addProvider(tenant, NOWHERE) };
}

async function fetchDependents({ tenant, record }: Corporation): Promise<ProviderDependents> {
  const token = await tenant.adminToken();
  const path = `/identity-providers/${record.id}/dependents`;
  return expectStatus(200, await tenant.request<ProviderDependents>('GET', path, { token }));
}

async function allow({ tenant }: Corporation, methods: readonly string[]): Promise<void> {
  const body = { config: { allowed_login_methods: methods } };
  const token = await keywright.adminToken();
  const path = `/tenants/${tenant.id}`;
  expectStatus(200, await keywright.home.request('PATCH', path, { token, body }));
}

const link = ({ tenant }: Corporation, { user }: TestUser, { id }: { readonly id: string }) =>
  keywright.database.query(
    `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id) VALUES ($1, $2, 'oauth', $3, $2)`,
    [tenant.id, user.id, id],
  );

/** A user with an identity at the provider and no password. */
async function newLinked(corporation: Corporation): Promise<TestUser> {
  const { tenant, record } = corporation;
  const person = await tenant.createUser();
  await link(corporation, person, record);
  await keywright.database.query(
    `DELETE FROM user_credentials WHERE tenant_id = $1 AND user_id = $2 AND type = 'password'`,
    [tenant.id, person.user.id],
  );
  return person;
}

/** The response to a user who unlinks their identity. */
async function unlink({ tenant, record }: Corporation, { token }: TestUser) {
  const answer = await tenant.request('DELETE', `/me/identities/${record.id}`, { token });
  return answer.status === 200 ? 'unlinked' : answer.body['code'];
}

describe('the dependents of an identity provider', () => {
  test('A new provider has no dependents, and an unknown provider or one of another tenant is not found', async () => {
    const [corporation, other] = [await newCorporation(), await newCorporation()];
    assert.deepEqual(await fetchDependents(corporation), {
      provider_id: corporation.record.id,
      tenant_id: corporation.tenant.id,
      identities: 0,
      without_other_way: 0,
      domains: [],
    });
    const token = await other.tenant.adminToken();
    const path = `/identity-providers/${corporation.record.id}/dependents`;
    assert.equal((await other.tenant.request('GET', path, { token })).status, 404);
    const { token: ordinary } = await corporation.tenant.createUser();
    assert.equal((await corporation.tenant.request('GET', path, { token: ordinary })).status, 403);
  });

  test('The users without another login method are those who cannot unlink their identity', async () => {
    const corporation = await newCorporation();
    const { tenant, record } = corporation;
    const [on, off] = [
      await addProvider(tenant, NOWHERE, { name: 'Other' }),
      await addProvider(tenant, NOWHERE, { name: 'Off', is_active: false }),
    ];
    const withPassword = await tenant.createUser();
    await link(corporation, withPassword, record);
    const people = [];
    for (let n = 0; n < 5; n += 1) people.push(await newLinked(corporation));
    const [, withPasskey, elsewhere, atOff, withAddress] = people;
    await addPasskey(tenant, (withPasskey as TestUser).token);
    await link(corporation, elsewhere as TestUser, on);
    await link(corporation, atOff as TestUser, off);
    await keywright.database.query(
      `UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND user_id = $2`,
      [tenant.id, (withAddress as TestUser).user.id],
    );
    const { identities, without_other_way: stranded } = await fetchDependents(corporation);
    assert.deepEqual([identities, stranded], [6, 2]);
    await allow(corporation, ['oauth', 'passkey']);
    assert.equal(
      (await fetchDependents(corporation)).without_other_way,
      4,
      'neither passwords nor mails',
    );
    await allow(corporation, METHODS);
    const answers = [];
    for (const person of [withPassword, ...people]) answers.push(await unlink(corporation, person));
    // A user with a passkey is asked for the passkey first.
    assert.deepEqual(answers, [
      'unlinked',
      'LAST_LOGIN_METHOD',
      'STEP_UP_REQUIRED',
      'unlinked',
      'LAST_LOGIN_METHOD',
      'unlinked',
    ]);
    const left = await fetchDependents(corporation);
    assert.deepEqual([left.identities, left.without_other_way], [3, 2]);
  });

  test('The dependents include the verified domains, in order', async () => {
    const corporation = await newCorporation();
    const { tenant, record } = corporation;
    const token = await tenant.adminToken();
    for (const domain of ['b.corp.example', 'a.corp.example', 'unproven.corp.example']) {
      const path = `/identity-providers/${record.id}/domains`;
      expectStatus(201, await tenant.request('POST', path, { token, body: { domain } }));
    }
    await keywright.database.query(
      `UPDATE provider_domains SET verified_at = now() WHERE tenant_id = $1 AND domain NOT LIKE 'unproven%'`,
      [tenant.id],
    );
    assert.deepEqual((await fetchDependents(corporation)).domains, [
      'a.corp.example',
      'b.corp.example',
    ]);
  });

  test('The dependents are counted up to 10,000, including those without another login method', async () => {
    const corporation = await newCorporation();
    const { tenant, record } = corporation;
    // The statistics date from a time with few users, and none of this provider.
    await keywright.database.query('ANALYZE users, user_credentials, identity_providers');
    await keywright.database.query(
      `WITH new AS (
         INSERT INTO users (tenant_id, id, created_at)
         SELECT $1, 'user:' || lpad(n::text, 26, '0'), now() FROM generate_series(1, $3::integer) AS n
         RETURNING tenant_id, id)
       INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
       SELECT tenant_id, id, 'oauth', $2, id FROM new`,
      [tenant.id, record.id, MANY],
    );
    const many = await fetchDependents(corporation);
    assert.equal(many.identities, 10_001);
    assert.equal('without_other_way' in many, false);
    await keywright.database.query(
      `DELETE FROM users WHERE tenant_id = $1 AND id > 'user:' || lpad('10000', 26, '0') AND id LIKE 'user:0000%'`,
      [tenant.id],
    );
    const { identities, without_other_way: stranded } = await fetchDependents(corporation);
    assert.deepEqual([identities, stranded], [10_000, 10_000]);
  });
});
