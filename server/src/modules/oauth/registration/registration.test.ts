// Applications that register themselves (RFC 7591).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedRegistrationToken } from '@keywright/contract/records/registration-token';
import { postToken } from '@keywright/tests/harness/token-endpoint';
import { CALLBACK, exchangeOf, requestOf } from '@keywright/tests/harness/code-login';
import { createUserWith, delegate, exchange } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import {
  actionsOn,
  browserOf,
  manage,
  newRegistrationToken,
  refusalOf,
  register,
} from '@keywright/tests/harness/registration';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';

let keywright: Keywright;
let tenants = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
});
after(() => keywright.close());

function tenantWith(config: Partial<TenantConfig> = {}): Promise<TestTenant> {
  tenants += 1;
  return keywright.tenant(`registering-${tenants}`, { config });
}

async function recordOf(tenant: TestTenant, id: string) {
  return tenant.request('GET', `/clients/${id}`, { token: await tenant.adminToken() });
}

describe('a caller with a registration token', () => {
  test('A registration token registers a client, which then logs users in', async () => {
    const tenant = await tenantWith();
    const { registration_token: token = '' } = await newRegistrationToken(tenant);
    const client = expectStatus(201, await register(tenant, { client_name: 'Partner' }, { token }));
    assert.match(client.client_id, /^client_/);
    assert.match(client.client_secret ?? '', /^kwc_/);
    assert.match(client.registration_access_token ?? '', /^kwm_/);
    const browser = browserOf(tenant, await tenant.createUser());
    const code = await browser.codeFor({ id: client.client_id });
    const proof = { client_id: client.client_id, client_secret: client.client_secret ?? '' };
    const tokens = await postToken(tenant, { ...exchangeOf(code), ...proof });
    assert.ok(expectStatus(200, tokens).id_token);
    const record = expectStatus(200, await recordOf(tenant, client.client_id));
    assert.deepEqual([record['created_by'], record['first_party']], ['registration', false]);
    assert.deepEqual(await actionsOn(keywright, tenant, client.client_id), [
      'client.created by anonymous',
    ]);
  });

  test('A registration response contains everything that was registered, including defaults (RFC 7591 §3.2.1)', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const metadata = {
      client_name: 'Partner',
      'client_name#de': 'Geschäftspartner',
      grant_types: ['authorization_code', 'refresh_token'],
      contacts: ['help@app.example.com'],
      logo_uri: 'https://app.example.com/logo.png',
      jwks_uri: 'https://app.example.com/jwks.json',
      scope: 'openid email claudeai',
      software_id: 'ignored',
    };
    const body = expectStatus(201, await register(tenant, metadata));
    const { client_id, client_secret, registration_access_token, ...registered } = body;
    assert.ok(client_secret !== undefined && registration_access_token !== undefined);
    assert.deepEqual(registered, {
      client_id_issued_at: Math.floor(keywright.clock.now().getTime() / 1000),
      client_secret_expires_at: 0,
      registration_client_uri: `https://id.example.com/t/${tenant.id}/oauth/register/${client_id}`,
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: metadata.grant_types,
      response_types: ['code'],
      client_name: 'Partner',
      scope: 'openid email',
      contacts: metadata.contacts,
      logo_uri: metadata.logo_uri,
      jwks_uri: metadata.jwks_uri,
      application_type: 'web',
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      post_logout_redirect_uris: [],
      backchannel_logout_session_required: false,
      require_pushed_authorization_requests: false,
      require_signed_request_object: false,
      dpop_bound_access_tokens: false,
    });
  });

  test('A client that registers with one scope of a resource can also request its other scopes', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const token = await tenant.adminToken();
    const scopesOf = (...names: readonly string[]) =>
      names.map((name) => ({ name, description: 'Use it' }));
    for (const [uri, scopes] of [
      ['https://files.example.com/', scopesOf('files:list', 'files:share', 'write:files')],
      ['https://mail.example.com/', scopesOf('mail:send')],
    ]) {
      const body = { name: 'One', uri, scopes };
      expectStatus(201, await tenant.request('POST', '/resources', { token, body }));
    }
    const scopeOf = async (scope: string, by: Parameters<typeof register>[2] = {}) =>
      expectStatus(201, await register(tenant, { scope }, by)).scope;
    assert.equal(await scopeOf('files:list'), 'files:list files:share');
    assert.equal(await scopeOf('openid email'), 'openid email');
    const limit = { scopes: ['files:list', 'mail:send'] };
    const { registration_token: limited = '' } = await newRegistrationToken(tenant, limit);
    assert.equal(await scopeOf('files:list', { token: limited }), 'files:list');
  });

  test('A registration token permits only the scopes and redirect hosts of its policy', async () => {
    const tenant = await tenantWith();
    const resource = {
      name: 'Files',
      uri: 'https://files.example.com/',
      scopes: [{ name: 'files:share', description: 'Share' }],
    };
    expectStatus(
      201,
      await tenant.request('POST', '/resources', {
        token: await tenant.adminToken(),
        body: resource,
      }),
    );
    const policy = {
      uses: 10,
      scopes: ['openid', 'files:share'],
      redirect_hosts: ['app.example.com'],
    };
    const { registration_token: token = '' } = await newRegistrationToken(tenant, policy);
    const refusalFor = async (metadata: object) =>
      refusalOf(await register(tenant, metadata, { token }));
    assert.equal(await refusalFor({ scope: 'openid email' }), '400 invalid_client_metadata /scope');
    assert.equal(
      await refusalFor({ scope: 'openid read:users' }),
      '400 invalid_client_metadata /scope',
    );
    const elsewhere = { redirect_uris: ['https://evil.example.com/'] };
    assert.equal(await refusalFor(elsewhere), '400 invalid_redirect_uri /redirect_uris/0');
    const start = { initiate_login_uri: 'https://evil.example.com/' };
    assert.equal(await refusalFor(start), '400 invalid_client_metadata /initiate_login_uri');
    const local = {
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    };
    assert.equal(await refusalFor(local), '400 invalid_redirect_uri /redirect_uris/0');
    const client = expectStatus(201, await register(tenant, {}, { token }));
    assert.equal(client.scope, 'openid files:share');
    // What failed used nothing up.
    const list = await tenant.request<{ items: CreatedRegistrationToken[] }>(
      'GET',
      '/clients/registration-tokens',
      { token: await tenant.adminToken() },
    );
    const [record] = expectStatus(200, list).items;
    assert.deepEqual([record?.uses, record?.registration_token], [9, undefined]);
  });

  test('A registration token permits no resource other than those it names, at registration or in a later change', async () => {
    const tenant = await tenantWith();
    const admin = await tenant.adminToken();
    for (const name of ['files', 'mail']) {
      const scopes = [{ name: `${name}:use`, description: 'Use it' }];
      const body = { name, uri: `https://${name}.example.com/`, scopes };
      expectStatus(201, await tenant.request('POST', '/resources', { token: admin, body }));
    }
    const policy = { uses: 2, resources: ['https://files.example.com/'] };
    const { registration_token: token = '' } = await newRegistrationToken(tenant, policy);
    const registerFor = (scope: string) => register(tenant, { scope }, { token });
    assert.doesNotMatch((await registerFor('openid mail:use')).body.scope ?? '', /mail/);
    const client = expectStatus(201, await registerFor('openid files:use'));
    assert.equal(client.scope, 'openid files:use');
    const { client_id, registration_access_token: accessToken } = client;
    const change = { client_id, redirect_uris: [CALLBACK], scope: 'openid mail:use' };
    const changed = await manage(tenant, 'PUT', client_id, accessToken, change);
    assert.equal(refusalOf(changed), '400 invalid_client_metadata /scope');
  });

  test('A registration token registers nothing after its last use, after it expires, or after it is deleted', async () => {
    const tenant = await tenantWith();
    const once = await newRegistrationToken(tenant);
    expectStatus(201, await register(tenant, {}, { token: once.registration_token ?? '' }));
    const brief = await newRegistrationToken(tenant, { ttl: 60, uses: 5 });
    const deleted = await newRegistrationToken(tenant, { uses: 5 });
    const path = `/clients/registration-tokens/${deleted.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: await tenant.adminToken() }));
    keywright.clock.advance(60);
    const [first = ''] = (once.registration_token ?? '').split('_');
    const other = await tenantWith();
    const foreign = await newRegistrationToken(other);
    for (const token of [
      once.registration_token,
      brief.registration_token,
      deleted.registration_token,
      foreign.registration_token,
      `${first}_${'A'.repeat(44)}`,
    ]) {
      const answer = await register(tenant, {}, { token: token ?? '' });
      assert.equal(refusalOf(answer), '401 invalid_token');
      assert.equal(answer.headers['www-authenticate'], 'Bearer error="invalid_token"');
      // A caller without a valid token learns nothing else, and causes no outgoing request.
      const wrong = await register(tenant, { scope: 'write:users' }, { token: token ?? '' });
      assert.equal(refusalOf(wrong), '401 invalid_token');
    }
  });
});

describe('a credential with write:clients', () => {
  test('A credential with write:clients registers clients only for permissions that it holds', async () => {
    const tenant = await tenantWith();
    const { key, agent } = await tenant.createAgent({ scopes: ['write:clients', 'write:users'] });
    const permitted = { scope: 'openid write:users' };
    const client = expectStatus(201, await register(tenant, permitted, { token: key }));
    assert.equal(client.scope, 'openid write:users');
    const [created] = await keywright.database.query<{ actor_id: string }>(
      'SELECT actor_id FROM audit_entries WHERE tenant_id = $1 AND target_id = $2',
      [tenant.id, client.client_id],
    );
    assert.equal(created?.actor_id, agent.id);
    const more = { scope: 'openid write:users write:agents' };
    assert.equal(
      refusalOf(await register(tenant, more, { token: key })),
      '400 invalid_client_metadata /scope',
    );
  });

  test('A credential with write:clients creates registration tokens only for permissions that it holds', async () => {
    const tenant = await tenantWith();
    const { token } = await createUserWith(tenant, ['write:clients', 'read:users']);
    const create = (scopes: readonly string[]) => {
      const options = { token, body: { name: 'Partners', scopes } };
      return tenant.request<ErrorBody>('POST', '/clients/registration-tokens', options);
    };
    expectStatus(201, await create(['openid', 'read:users']));
    const more = await create(['openid', 'write:users']);
    assert.deepEqual([more.status, more.body.code], [403, 'SCOPE_NOT_HELD']);
    const unknown = await create(['openid', 'files:nothing']);
    assert.deepEqual([unknown.status, unknown.body.code], [400, 'VALIDATION_FAILED']);
  });

  test('A credential without write:clients registers nothing, and neither does one that a user delegated', async () => {
    const tenant = await tenantWith();
    const { key } = await tenant.createAgent({ scopes: ['read:clients'] });
    const answer = await register(tenant, {}, { token: key });
    assert.equal(refusalOf(answer), '403 access_denied');
    assert.match(String(answer.headers['www-authenticate']), /insufficient_scope/);
    assert.equal(
      refusalOf(await register(tenant, {}, { token: 'eyJ.e30.c2ln' })),
      '401 invalid_token',
    );
    const none = await register(tenant);
    assert.equal(refusalOf(none), '401 invalid_token');
    assert.equal(none.headers['www-authenticate'], 'Bearer');
    const user = await createUserWith(tenant, ['write:clients']);
    expectStatus(201, await register(tenant, {}, { token: user.token }));
    const agent = await tenant.createAgent({ scopes: ['write:clients'] });
    await delegate(tenant, user, agent, ['write:clients']);
    const lent = expectStatus(200, await exchange(tenant, agent, user.token)).access_token;
    assert.match(claimsOf(lent).scope, /write:clients/);
    assert.equal(refusalOf(await register(tenant, {}, { token: lent })), '403 access_denied');
  });
});

describe('wrong metadata', () => {
  const WRONG: Readonly<Record<string, [object, string]>> = {
    'no address to return to': [{ redirect_uris: [] }, 'invalid_redirect_uri /redirect_uris'],
    'an address that is none': [
      { redirect_uris: ['callback'] },
      'invalid_redirect_uri /redirect_uris/0',
    ],
    'addresses that are no list': [
      { redirect_uris: CALLBACK },
      'invalid_redirect_uri /redirect_uris',
    ],
    'http to elsewhere': [
      { redirect_uris: ['http://app.example.com/'] },
      'invalid_redirect_uri /redirect_uris/0',
    ],
    'a fragment': [{ redirect_uris: [`${CALLBACK}#a`] }, 'invalid_redirect_uri /redirect_uris/0'],
    'the implicit flow': [
      { response_types: ['token'] },
      'invalid_client_metadata /response_types/0',
    ],
    'an unknown grant': [{ grant_types: ['implicit'] }, 'invalid_client_metadata /grant_types/0'],
    'a name of two lines': [{ client_name: 'a\nb' }, 'invalid_client_metadata /client_name'],
    'a secret where there is none': [
      { token_endpoint_auth_method: 'client_secret_jwt' },
      'invalid_client_metadata /token_endpoint_auth_method',
    ],
    'keys that are missing': [
      { token_endpoint_auth_method: 'private_key_jwt' },
      'invalid_client_metadata /jwks',
    ],
    'keys at a private address': [
      { jwks_uri: 'https://10.0.0.1/jwks' },
      'invalid_client_metadata /jwks_uri',
    ],
    'a list at a private address': [
      { sector_identifier_uri: 'https://[::ffff:127.0.0.1]/s' },
      'invalid_client_metadata /sector_identifier_uri',
    ],
    'an address of the local network that is notified of logouts': [
      { backchannel_logout_uri: 'http://192.168.0.1/' },
      'invalid_client_metadata /backchannel_logout_uri',
    ],
    'a page that is a script': [
      { client_uri: 'javascript:alert(1)' },
      'invalid_client_metadata /client_uri',
    ],
  };
  for (const [what, [metadata, expected]] of Object.entries(WRONG)) {
    test(`Wrong metadata registers nothing: ${what}`, async () => {
      const token = await keywright.adminToken();
      const answer = await register(keywright.home, metadata, { token });
      assert.equal(refusalOf(answer), `400 ${expected}`);
      assert.equal(typeof answer.body.error_description, 'string');
    });
  }
});

test('A script of any origin can register a client', async () => {
  const headers = { origin: 'https://inspector.example.com' };
  const preflightHeaders = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  const preflight = await keywright.home.request('OPTIONS', '/oauth/register', {
    headers: { ...headers, ...preflightHeaders },
  });
  assert.equal(preflight.headers['access-control-allow-origin'], '*');
  const answer = await keywright.home.request('POST', '/oauth/register', { headers, body: {} });
  assert.equal(answer.headers['access-control-allow-origin'], '*');
});

test('A registered application on a device can return to any port of the loopback address', async () => {
  const tenant = await tenantWith({ oauth_registration: 'open' });
  const metadata = {
    redirect_uris: ['http://127.0.0.1/callback'],
    token_endpoint_auth_method: 'none',
  };
  const client = expectStatus(201, await register(tenant, metadata));
  assert.deepEqual([client.application_type, client.client_secret], ['native', undefined]);
  const browser = browserOf(tenant, await tenant.createUser());
  const redirect_uri = 'http://127.0.0.1:49152/callback';
  const seen = await browser.goThrough(requestOf({ id: client.client_id }, { redirect_uri }));
  assert.equal(seen.redirectsTo?.port, '49152');
});
