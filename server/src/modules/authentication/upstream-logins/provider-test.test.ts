import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus, type JsonBody } from '@keywright/tests/harness/http';
import { type Keywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import {
  addProvider,
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  flowStep,
  handoffOf,
  type Person,
  RETURN_URL,
} from '@keywright/tests/harness/upstream';
import { startUpstreamLogin, type UpstreamLogin } from '@keywright/tests/harness/upstream-login';

let upstream: UpstreamLogin;
let keywright: Keywright;
let tenant: TestTenant;
let provider: FakeProvider;
let record: IdentityProviderRecord;

before(async () => {
  upstream = await startUpstreamLogin({
    slug: 'provider-tests',
    clock: 'fake',
    fields: { is_active: false, domains: ['corp.example'] },
  });
  ({ keywright, tenant, provider, record } = upstream);
});
after(() => upstream.close());

async function startTest(token: string): Promise<string> {
  const options = { token, body: { return_url: RETURN_URL } };
  const answer = await tenant.request('POST', `/identity-providers/${record.id}/test`, options);
  return String(expectStatus(200, answer)['authorize_url']);
}

async function handoffFor(token: string, person: Person): Promise<string> {
  return handoffOf(await comeBack(tenant, provider.authorize(await startTest(token), person)));
}

const finish = (token: string, handoff: string, id: string = record.id) =>
  tenant.request<ProviderTest & JsonBody>('POST', `/identity-providers/${id}/test/finish`, {
    token,
    body: { handoff },
  });

async function tryAs(person: Person): Promise<ProviderTest> {
  const token = await tenant.adminToken();
  const answer = await finish(token, await handoffFor(token, person));
  return expectStatus(200, answer);
}

const users = async () =>
  (await keywright.database.query('SELECT id FROM users WHERE tenant_id = $1', [tenant.id])).length;

describe('a test of a provider', () => {
  test('A test returns to the console screen for its provider, and to no other URL that is not in return_urls', async () => {
    const token = await tenant.adminToken();
    const startAt = (return_url: string) =>
      tenant.request('POST', `/identity-providers/${record.id}/test`, {
        token,
        body: { return_url },
      });
    const screen = `https://id.example.com/console/t/${tenant.id}/providers/${record.id}/test`;
    expectStatus(200, await startAt(screen));
    for (const other of [
      screen.replace('id.example.com', 'evil.example'),
      screen.replace(tenant.id, 'org_default'),
      screen.replace(/idp_\w+/, 'idp_01m81e4vr3f7k2m9x5q0t6w8za'),
      `${screen}?x=1`,
      `${screen}#x`,
    ]) {
      assert.equal((await startAt(other)).body['code'], 'RETURN_URL_UNKNOWN', other);
    }
  });

  test('A test shows the tester’s identity and every claim before the provider is active, and creates no user', async () => {
    await tenant.adminToken();
    const count = await users();
    const person = {
      sub: 'tester',
      email: 'Boss@Corp.Example',
      email_verified: true,
      department: 'board',
      amr: ['mfa'],
    };
    const { claims, ...rest } = await tryAs(person);
    assert.deepEqual(rest, {
      provider_id: record.id,
      tenant_id: tenant.id,
      accepted: true,
      reason: null,
      subject: 'tester',
      email: 'boss@corp.example',
      is_verified: true,
      is_authoritative: true,
      has_mfa: true,
      tested_at: keywright.clock.now().toISOString(),
    });
    const { iss, aud, department, nonce } = claims ?? {};
    assert.deepEqual(
      [iss, aud, department, nonce],
      [provider.issuer, 'keywright', 'board', undefined],
    );
    assert.equal(await users(), count);
  });

  test('A test reports why the response of a provider is not accepted, and shows nothing of it', async () => {
    provider.claims = (usual) => ({ ...usual, aud: 'another-client' });
    try {
      const { accepted, reason, subject, claims } = await tryAs({ sub: 'tester' });
      assert.deepEqual([accepted, reason, subject, claims], [false, 'id_token_aud', null, null]);
    } finally {
      provider.claims = (usual) => usual;
    }
  });

  test('A test stores at most 16 KiB of claims', async () => {
    const { accepted, claims } = await tryAs({ sub: 'tester', groups: 'g'.repeat(16_384) });
    assert.deepEqual([accepted, claims], [true, null]);
  });

  test('A test is read once, within a minute, and only as the test of its provider', async () => {
    const token = await tenant.adminToken();
    const handoff = await handoffFor(token, { sub: 'tester' });
    const another = await addProvider(tenant, provider, { is_active: false });
    const wrong = await finish(token, handoff, another.id);
    assert.equal(wrong.body['code'], 'PROVIDER_REFUSED');
    expectStatus(200, await finish(token, handoff));
    assert.equal((await finish(token, handoff)).body['code'], 'PROVIDER_REFUSED');
    const late = await handoffFor(token, { sub: 'tester' });
    keywright.clock.advance(60);
    assert.equal((await finish(await tenant.adminToken(), late)).body['code'], 'PROVIDER_REFUSED');
  });

  test('A test links and proves nothing, and a login or a link does not count as a test', async () => {
    const active = await addProvider(tenant, provider);
    const user = await tenant.createUser({ roles: ['admin'] });
    const tested = await handoffFor(user.token, { sub: 'tester', email: newIdentifier() });
    const linking = { token: user.token, body: { handoff: tested } };
    const linked = await tenant.request('POST', '/me/identities/finish', linking);
    assert.equal(linked.body['code'], 'PROVIDER_REFUSED');
    const flow = await startUpstreamFlow(tenant);
    const proven = await flowStep(tenant, flow, 'oauth/finish', { handoff: tested });
    assert.equal(proven.body.code, 'PROVIDER_REFUSED');
    const options = { token: user.token, body: { provider: active.id, return_url: RETURN_URL } };
    const started = expectStatus(200, await tenant.request('POST', '/me/identities', options));
    const back = provider.authorize(String(started['authorize_url']), { sub: 'linker' });
    const handoff = handoffOf(await comeBack(tenant, back));
    assert.equal((await finish(user.token, handoff, active.id)).body['code'], 'PROVIDER_REFUSED');
  });
});
