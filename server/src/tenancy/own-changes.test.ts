// A node's own change takes effect there with its response, without a notification. None is sent here.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import type { SigningKeyRecord } from '@keywright/contract/records/signing-key';
import { newClient, requestOf } from '@keywright/tests/harness/code-login';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';
import { Visitor } from '@keywright/tests/harness/visitor';

const KEY_SET = '/.well-known/jwks.json';

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright();
  const announcing = await keywright.database.query<{ name: string }>(
    `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'announce' ORDER BY 1`,
  );
  // A table added to this list must also be invalidated by its store and tested here.
  assert.deepEqual(
    announcing.map(({ name }) => name),
    [
      'client_brandings',
      'logos',
      'oauth_clients',
      'oauth_resources',
      'signing_keys',
      'tenant_domains',
      'tenant_texts',
      'tenants',
    ],
  );
  for (const { name } of announcing) {
    await keywright.database.query(`ALTER TABLE ${name} DISABLE TRIGGER announce`);
  }
});

after(() => keywright.close());

async function asRoot<Body = JsonBody>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body>> {
  const token = await keywright.adminToken();
  return keywright.home.request<Body>(method, path, { token, ...(body && { body }) });
}

/** A tenant that the node remembers, and a user in it. */
async function cachedTenant() {
  tenants += 1;
  const tenant = await keywright.tenant(`own-${tenants}`);
  const user = { identifier: newIdentifier(), secret: newPassword() };
  await tenant.login(user.identifier, user.secret, { extra: { register: true } });
  return { tenant, user };
}

async function change({ id }: TestTenant, body: object): Promise<void> {
  expectStatus(200, await asRoot('PATCH', `/tenants/${id}`, body));
}

function says({ status, body }: Answer<object>): string {
  return `${status} ${'code' in body && typeof body.code === 'string' ? body.code : ''}`.trim();
}

const byHost = (host: string) => keywright.request('GET', KEY_SET, { host });
const byId = (tenant: string) => keywright.request('GET', KEY_SET, { tenant });

describe('as soon as a change is acknowledged', () => {
  test('No one can register as soon as a change that disables registration is acknowledged', async () => {
    const { tenant } = await cachedTenant();
    const register = () =>
      tenant.request('POST', '/auth/login', {
        body: { identifier: newIdentifier(), secret: newPassword(), register: true },
      });
    expectStatus(200, await register());
    await change(tenant, { config: { allow_registration: false } });
    assert.equal(says(await register()), '401 INVALID_CREDENTIALS');
    await change(tenant, { config: { allow_registration: true } });
    expectStatus(200, await register());
  });

  test('New tokens have the new lifetime as soon as its change is acknowledged', async () => {
    const { tenant, user } = await cachedTenant();
    for (const session_timeout of [120, 240, 360]) {
      await change(tenant, { config: { session_timeout } });
      assert.equal((await tenant.login(user.identifier, user.secret)).expires_in, session_timeout);
    }
  });

  test('A deactivated tenant is rejected as soon as the change is acknowledged, and an activated one is not', async () => {
    const { tenant } = await cachedTenant();
    expectStatus(200, await byId(tenant.id));
    await change(tenant, { is_active: false });
    assert.equal(says(await byId(tenant.id)), '403 TENANT_INACTIVE');
    await change(tenant, { is_active: true });
    expectStatus(200, await byId(tenant.id));
  });

  test('A domain resolves to its tenant as soon as its change is acknowledged, and a removed one to no tenant', async () => {
    const { tenant } = await cachedTenant();
    const [former = '', latter] = [tenant.domains[0], `moved-${tenants}.example.com`];
    expectStatus(200, await byHost(former));
    assert.equal(says(await byHost(latter)), '400 TENANT_NOT_FOUND');
    await change(tenant, { domains: [latter] });
    expectStatus(200, await byHost(latter));
    assert.equal(says(await byHost(former)), '400 TENANT_NOT_FOUND');
  });

  test('A new key is published as soon as its creation is acknowledged, and a deleted one is not', async () => {
    const { tenant } = await cachedTenant();
    const token = await keywright.adminToken();
    const body = { tenant_id: tenant.id, reason: 'a test' };
    const exchanged = await keywright.home.request('POST', '/auth/impersonate', { token, body });
    const inside = { token: String(exchanged.body['access_token']) };
    const published = async () =>
      expectStatus(200, await tenant.request<{ keys: { kid: string }[] }>('GET', KEY_SET)).keys.map(
        ({ kid }) => kid,
      );
    const [first] = await published();
    const rotated = await tenant.request<SigningKeyRecord>('POST', '/keys/rotate', inside);
    const { id } = expectStatus(201, rotated);
    assert.deepEqual(new Set(await published()), new Set([first, id]));
    expectStatus(200, await tenant.request('DELETE', `/keys/${id}`, inside));
    assert.deepEqual(await published(), [first]);
  });

  test('An application has its new name on the pages as soon as the change is acknowledged', async () => {
    const { tenant } = await cachedTenant();
    const { id } = await newClient(tenant, { name: 'Invoices' });
    const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
    for (const name of ['Invoices', 'Bills']) {
      const token = await tenant.adminToken();
      expectStatus(200, await tenant.request('PATCH', `/clients/${id}`, { token, body: { name } }));
      const { text } = await browser.authorize(requestOf({ id }));
      assert.ok(text.includes(name), name);
    }
  });

  test('An application has its new color on the pages as soon as the change is acknowledged', async () => {
    const { tenant } = await cachedTenant();
    const { id } = await newClient(tenant, { name: 'Invoices' });
    const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
    for (const color of ['#aa0055', '#112233']) {
      const body = { settings: { primary_color: color } };
      const options = { token: await tenant.adminToken(), body };
      expectStatus(200, await tenant.request('PATCH', `/clients/${id}/branding`, options));
      const { text } = await browser.authorize(requestOf({ id }));
      assert.ok(text.includes(color), color);
    }
  });

  test('A text of the tenant is on its pages as soon as the change is acknowledged, and a deleted one is not', async () => {
    const { tenant } = await cachedTenant();
    const { id } = await newClient(tenant, { name: 'Invoices' });
    const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
    const title = async () =>
      /<h1>(.*)<\/h1>/.exec((await browser.authorize(requestOf({ id }))).text)?.[1];
    assert.equal(await title(), 'Sign in');
    const token = await tenant.adminToken();
    const path = '/texts/en/login.title';
    const body = { text: 'Welcome back' };
    expectStatus(200, await tenant.request('PUT', path, { token, body }));
    assert.equal(await title(), 'Welcome back');
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    assert.equal(await title(), 'Sign in');
  });

  test('A resource has tokens as soon as its creation is acknowledged, and a deleted one has none', async () => {
    const { tenant } = await cachedTenant();
    const { agent, key } = await tenant.createAgent({ scopes: ['read:files'] });
    const uri = 'https://files.example.com/';
    const requestToken = async () =>
      oauthError(
        await postToken(tenant, {
          grant_type: 'client_credentials',
          client_id: agent.id,
          client_secret: key,
          resource: uri,
        }),
      );
    const unknown = await requestToken();
    assert.match(unknown, /^400 invalid_target/);
    const token = await tenant.adminToken();
    const body = { uri, name: 'Files' };
    const made = await tenant.request<OAuthResourceRecord>('POST', '/resources', { token, body });
    const { id } = expectStatus(201, made);
    assert.match(await requestToken(), /^200/);
    expectStatus(200, await tenant.request('DELETE', `/resources/${id}`, { token }));
    assert.equal(await requestToken(), unknown);
  });

  test('A tenant that was unknown is found as soon as its creation is acknowledged, and a deleted one is not', async () => {
    for (const headers of [{}, { 'idempotency-key': 'once' }]) {
      tenants += 1;
      const slug = `late-${tenants}`;
      assert.equal(says(await byId(`org_${slug}`)), '400 TENANT_NOT_FOUND');
      assert.equal(says(await byHost(`${slug}.example.com`)), '400 TENANT_NOT_FOUND');
      const body = { name: slug, slug, domains: [`${slug}.example.com`] };
      const token = await keywright.adminToken();
      expectStatus(201, await keywright.home.request('POST', '/tenants', { token, headers, body }));
      expectStatus(200, await byId(`org_${slug}`));
      expectStatus(200, await byHost(`${slug}.example.com`));
      expectStatus(200, await asRoot('DELETE', `/tenants/org_${slug}`));
      assert.equal(says(await byId(`org_${slug}`)), '400 TENANT_NOT_FOUND');
    }
  });
});

test('A tenant that another node created is found a second later, even if it was looked up before', async () => {
  const slug = 'unheard';
  assert.equal(says(await byId(`org_${slug}`)), '400 TENANT_NOT_FOUND');
  await keywright.database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('org_${slug}', 'Unheard', now())`,
  );
  await until('it is found', async () => (await byId(`org_${slug}`)).status === 200);
});
