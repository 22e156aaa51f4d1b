// An identity provider is enabled after a test of its current settings, or explicitly without one.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import {
  type IdentityProviderRecord,
  PROVIDER_CHANGE,
} from '@keywright/contract/records/identity-provider';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import {
  addProvider,
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  handoffOf,
  proveUpstream,
  RETURN_URL,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let token: string;

before(async () => {
  upstream = await startUpstreamLogin({ slug: 'enabling' });
  ({ keywright, tenant, provider } = upstream);
});
after(() => upstream.close());
beforeEach(async () => {
  token = await tenant.adminToken();
});

type Fields = Readonly<Record<string, unknown>>;
type Named = Pick<IdentityProviderRecord, 'id'>;

const draft = (fields: Fields = {}) =>
  addProvider(tenant, provider, { is_active: false, ...fields });

const change = ({ id }: Named, body: Fields) =>
  tenant.request('PATCH', `/identity-providers/${id}`, { token, body });

async function read({ id }: Named): Promise<IdentityProviderRecord> {
  const answer = await tenant.request<IdentityProviderRecord>('GET', `/identity-providers/${id}`, {
    token,
  });
  return expectStatus(200, answer);
}

/** @returns the URL to which the browser is redirected */
async function startTest({ id }: Named): Promise<string> {
  const options = { token, body: { return_url: RETURN_URL } };
  const answer = await tenant.request('POST', `/identity-providers/${id}/test`, options);
  return String(expectStatus(200, answer)['authorize_url']);
}

const come = (at: string) => comeBack(tenant, provider.authorize(at, { sub: 'tester' }));

const finish = ({ id }: Named, handoff: string, by = tenant) =>
  by.request<ProviderTest & JsonBody>('POST', `/identity-providers/${id}/test/finish`, {
    token,
    body: { handoff },
  });

async function runTest(record: Named): Promise<ProviderTest> {
  const answer = await finish(record, handoffOf(await come(await startTest(record))));
  return expectStatus(200, answer);
}

async function assertUntested(record: Named, what: string): Promise<void> {
  assert.equal((await read(record)).tested_at, null, what);
  const { status, body } = await change(record, { is_active: true });
  assert.deepEqual([status, body['code']], [400, 'PROVIDER_NOT_TESTED'], what);
  assert.equal((await read(record)).is_active, false, what);
}

async function latestDetails({ id }: Named): Promise<AuditEntry['details'] | undefined> {
  const path = `/audit?limit=1&target=${id}`;
  const listed = expectStatus(200, await tenant.request('GET', path, { token }));
  return (listed['items'] as readonly AuditEntry[])[0]?.details;
}

const sessions = () =>
  keywright.database.query('SELECT id FROM sessions WHERE tenant_id = $1 ORDER BY id', [tenant.id]);

describe('An identity provider', () => {
  test('A provider is enabled after an accepted test, which opens no session, and users can then log in with it', async () => {
    const record = await draft();
    await assertUntested(record, 'a new provider');
    const open = await sessions();
    const { accepted, tested_at: testedAt } = await runTest(record);
    assert.deepEqual(await sessions(), open);
    assert.ok(accepted && testedAt !== null);
    assert.equal((await read(record)).tested_at, testedAt);
    const enabled = expectStatus(200, await change(record, { is_active: true }));
    assert.deepEqual([enabled['is_active'], enabled['tested_at']], [true, testedAt]);
    const flow = await startUpstreamFlow(tenant);
    const person = { sub: 'user', email: newIdentifier() };
    expectStatus(200, await proveUpstream(tenant, flow, { provider, record }, person));
  });

  test('A provider is created inactive, or active with skip_test, which the audit log shows', async () => {
    const { issuer, clientSecret: client_secret } = provider;
    const body = { type: 'oidc', name: 'Usual', issuer, client_id: 'keywright', client_secret };
    const create = (fields: Fields) =>
      tenant.request<IdentityProviderRecord & { code?: string }>('POST', '/identity-providers', {
        token,
        body: { ...body, ...fields },
      });
    const usual = expectStatus(201, await create({}));
    assert.deepEqual([usual.is_active, usual.tested_at], [false, null]);
    for (const fields of [{}, { skip_test: false }]) {
      const refused = await create({ is_active: true, ...fields });
      assert.deepEqual([refused.status, refused.body.code], [400, 'PROVIDER_NOT_TESTED']);
    }
    const active = expectStatus(201, await create({ is_active: true, skip_test: true }));
    assert.deepEqual([active.is_active, active.tested_at], [true, null]);
    assert.equal((await latestDetails(active))?.['skip_test'], true);
    expectStatus(200, await change(usual, { is_active: true, skip_test: true }));
    const fields = ['is_active'];
    assert.deepEqual(await latestDetails(usual), { fields, skip_test: true });
    // An override that was not needed is not recorded.
    const record = await draft();
    await runTest(record);
    expectStatus(200, await change(record, { is_active: true, skip_test: true }));
    assert.deepEqual(await latestDetails(record), { fields });
  });

  test('A provider is not enabled by a test that was only started, not read, declined, or not accepted', async () => {
    const record = await draft();
    const at = await startTest(record);
    await assertUntested(record, 'begun');
    const handoff = handoffOf(await come(at));
    await assertUntested(record, 'not read');
    const declined = provider.authorize(await startTest(record), { sub: 'tester' });
    declined.searchParams.delete('code');
    declined.searchParams.set('error', 'access_denied');
    const back = await comeBack(tenant, declined);
    const declinedHandoff = back.searchParams.get('handoff');
    if (declinedHandoff !== null) await finish(record, declinedHandoff);
    await assertUntested(record, 'declined');
    const replaced = await finish(record, handoff);
    assert.equal(replaced.body['code'], 'PROVIDER_REFUSED');
    await assertUntested(record, 'replaced by another test');
    provider.claims = (usual) => ({ ...usual, aud: 'another-client' });
    try {
      const { accepted, tested_at: testedAt } = await runTest(record);
      assert.deepEqual([accepted, testedAt], [false, null]);
      await assertUntested(record, 'not believed');
    } finally {
      provider.claims = (usual) => usual;
    }
  });

  test('A provider is not enabled by the test of another provider or tenant, or by a login of a user', async () => {
    const [tested, other] = [await draft(), await draft()];
    const handoff = handoffOf(await come(await startTest(tested)));
    assert.equal((await finish(other, handoff)).body['code'], 'PROVIDER_REFUSED');
    const elsewhere = await keywright.tenant('enabling-elsewhere', { config: UPSTREAM_CONFIG });
    const theirs = await addProvider(elsewhere, provider, { is_active: false });
    const foreign = { token: await elsewhere.adminToken(), body: { handoff } };
    for (const { id } of [theirs, tested]) {
      const path = `/identity-providers/${id}/test/finish`;
      assert.notEqual((await elsewhere.request('POST', path, foreign)).status, 200);
    }
    expectStatus(200, await finish(tested, handoff));
    await assertUntested(other, 'another provider');
    const found = await elsewhere.request('GET', `/identity-providers/${theirs.id}`, foreign);
    assert.equal(expectStatus(200, found)['tested_at'], null);
    const active = await addProvider(tenant, provider);
    const flow = await startUpstreamFlow(tenant);
    const person = { sub: 'unlinked', email: newIdentifier() };
    expectStatus(200, await proveUpstream(tenant, flow, { provider, record: active }, person));
    expectStatus(200, await change(active, { is_active: false }));
    await assertUntested(active, 'a login of a user');
  });

  test('A provider is not enabled by a test during which a setting that logins depend on changed', async () => {
    const client_secret = provider.clientSecret;
    const changed = await draft();
    const at = await startTest(changed);
    expectStatus(200, await change(changed, { client_secret }));
    const early = handoffOf(await come(at));
    const answer = expectStatus(200, await finish(changed, early));
    assert.deepEqual([answer['accepted'], answer['tested_at']], [true, null]);
    await assertUntested(changed, 'changed before the browser came back');
    const late = handoffOf(await come(await startTest(changed)));
    expectStatus(200, await change(changed, { scopes: ['email'] }));
    expectStatus(200, await finish(changed, late));
    await assertUntested(changed, 'changed before the result was read');
    // The same applies if the change is reverted.
    const again = handoffOf(await come(await startTest(changed)));
    for (const scopes of [['profile'], ['email']]) {
      expectStatus(200, await change(changed, { scopes }));
    }
    expectStatus(200, await finish(changed, again));
    await assertUntested(changed, 'changed and changed back');
    const renamed = handoffOf(await come(await startTest(changed)));
    expectStatus(200, await change(changed, { name: 'Renamed', link: 'never' }));
    expectStatus(200, await finish(changed, renamed));
    expectStatus(200, await change(changed, { is_active: true }));
  });

  test('A provider is not enabled by a test that ends while a change of its settings commits', async () => {
    const record = await draft();
    const handoff = handoffOf(await come(await startTest(record)));
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'update "identity_providers"%'`;
    const changer = new pg.Client(keywright.database.superuserUrl);
    await changer.connect();
    try {
      await changer.query('BEGIN');
      const changing = 'UPDATE identity_providers SET version = version + 1 WHERE id = $1';
      await changer.query(changing, [record.id]);
      const finishing = finish(record, handoff);
      await until('it waits', async () => (await keywright.database.query(waiting))[0]);
      await changer.query('COMMIT');
      const { accepted, tested_at: testedAt } = expectStatus(200, await finishing);
      assert.deepEqual([accepted, testedAt], [true, null]);
    } finally {
      await changer.end();
    }
    await assertUntested(record, 'changed while the test ended');
  });
});

/** For each field: a type that has it, two values, and whether logins depend on it. */
const CHANGES: Readonly<Record<string, readonly [type: string, value: unknown, matters: boolean]>> =
  {
    name: ['oidc', 'Another', false],
    domains: ['oidc', ['corp.example'], false],
    link: ['oidc', 'auto', false],
    trust_mfa: ['oidc', true, false],
    issuer: ['oidc', 'https://id.example.com', true],
    client_id: ['oidc', 'another', true],
    client_secret: ['oidc', newPassword(), true],
    scopes: ['oidc', ['email'], true],
    allowed_tenants: ['microsoft', ['11111111-2222-4333-8444-555555555555'], true],
    team_id: ['apple', 'AAAAAAAAAA', true],
    key_id: ['apple', 'AAAAAAAAAA', true],
    authorization_endpoint: ['oauth2', 'https://id.example.com/other', true],
    token_endpoint: ['oauth2', 'https://id.example.com/other', true],
    userinfo_endpoint: ['oauth2', 'https://id.example.com/other', true],
    subject_claim: ['oauth2', 'id', true],
  };
const ENDPOINT = 'https://id.example.com/endpoint';
const OF_TYPE: Readonly<Record<string, Fields>> = {
  oidc: {},
  microsoft: { allowed_tenants: ['6f1c6b3e-0d5c-4c0e-9d1f-2f8b1a7c3e4d'] },
  apple: { team_id: 'TEAM123456', key_id: 'KEY1234567' },
  oauth2: {
    authorization_endpoint: ENDPOINT,
    token_endpoint: ENDPOINT,
    userinfo_endpoint: ENDPOINT,
  },
};

describe('A changed setting', () => {
  test('Every field of a change is covered here', () => {
    const covered = [...Object.keys(CHANGES), 'is_active', 'skip_test'];
    assert.deepEqual(covered.toSorted(), Object.keys(PROVIDER_CHANGE).toSorted());
  });

  for (const [field, [type, value, matters]] of Object.entries(CHANGES)) {
    const consequence = matters ? 'needs another test, or skip_test' : 'needs no other test';
    test(`A change of ${field} ${consequence}`, async () => {
      const secret = field === 'client_secret' ? {} : { client_secret: provider.clientSecret };
      const body = { [field]: value, ...(matters && secret) };
      const tested = async () => {
        const record = await addProvider(tenant, provider, { type, ...OF_TYPE[type] });
        await keywright.database.query(
          'UPDATE identity_providers SET tested_at = now() WHERE id = $1',
          [record.id],
        );
        return record;
      };
      const isTested = async (candidate: Named) => (await read(candidate)).tested_at !== null;
      const record = await tested();
      const present = await read(record);
      const { status, body: answer } = await change(record, body);
      if (matters) {
        assert.deepEqual([status, answer['code']], [400, 'PROVIDER_NOT_TESTED']);
        assert.deepEqual(await read(record), present);
        expectStatus(200, await change(record, { ...body, skip_test: true }));
        assert.deepEqual([(await read(record)).is_active, await isTested(record)], [true, false]);
        const off = await tested();
        expectStatus(200, await change(off, { ...body, is_active: false }));
        await assertUntested(off, 'changed and disabled');
      } else {
        assert.equal(status, 200);
        assert.ok(await isTested(record));
      }
    });
  }

  test('A changed client secret of an active provider can be tested while the provider is active', async () => {
    const record = await draft();
    await runTest(record);
    expectStatus(200, await change(record, { is_active: true }));
    const { clientSecret: client_secret } = provider;
    expectStatus(200, await change(record, { client_secret, skip_test: true }));
    assert.equal((await read(record)).tested_at, null);
    assert.ok((await runTest(record)).tested_at);
    expectStatus(200, await change(record, { is_active: false }));
    expectStatus(200, await change(record, { is_active: true }));
  });
});
