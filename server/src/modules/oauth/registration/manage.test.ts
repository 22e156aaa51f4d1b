// What applications do with their own registration (RFC 7592).

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newOAuthClientId } from '@keywright/server/platform/crypto/ids';
import { postToken } from '@keywright/tests/harness/token-endpoint';
import { CALLBACK, exchangeOf, newClient } from '@keywright/tests/harness/code-login';
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

describe('an application with its registration access token', () => {
  test('A registration access token reads and changes its registration, and omitted fields get their default (RFC 7592 §2.2)', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const made = expectStatus(
      201,
      await register(tenant, { client_name: 'Old', contacts: ['help@app.example.com'] }),
    );
    const { client_id: id, registration_access_token: accessToken } = made;
    const read = expectStatus(200, await manage(tenant, 'GET', id, accessToken));
    const { client_secret, registration_access_token: _, ...metadata } = made;
    assert.deepEqual(read, metadata);
    const body = {
      client_id: id,
      client_secret,
      client_name: 'New',
      redirect_uris: ['https://app.example.com/new'],
    };
    const changed = expectStatus(200, await manage(tenant, 'PUT', id, accessToken, body));
    assert.deepEqual(
      [changed.client_name, changed.contacts, changed.redirect_uris],
      ['New', [], body.redirect_uris],
    );
    assert.deepEqual(expectStatus(200, await manage(tenant, 'GET', id, accessToken)), changed);
    assert.deepEqual(await actionsOn(keywright, tenant, id), [
      'client.created by anonymous',
      'client.updated by anonymous',
    ]);
    expectStatus(200, await manage(tenant, 'PUT', id, accessToken, body));
    assert.equal((await actionsOn(keywright, tenant, id)).length, 2, 'nothing changed');
  });

  test('A registration access token cannot obtain more than at first, nor another id, secret or authentication method', async () => {
    const tenant = await tenantWith();
    const policy = { scopes: ['openid'], redirect_hosts: ['app.example.com'] };
    const { registration_token: token = '' } = await newRegistrationToken(tenant, policy);
    const { client_id: id, registration_access_token: accessToken } = expectStatus(
      201,
      await register(tenant, {}, { token }),
    );
    const put = async (fields: object) =>
      refusalOf(
        await manage(tenant, 'PUT', id, accessToken, {
          client_id: id,
          redirect_uris: [CALLBACK],
          ...fields,
        }),
      );
    assert.equal(await put({}), '200');
    assert.equal(await put({ scope: 'openid email' }), '400 invalid_client_metadata /scope');
    assert.equal(
      await put({ redirect_uris: ['https://evil.example.com/'] }),
      '400 invalid_redirect_uri /redirect_uris/0',
    );
    assert.equal(
      await put({ token_endpoint_auth_method: 'none' }),
      '400 invalid_client_metadata /token_endpoint_auth_method',
    );
    assert.equal(
      await put({ client_secret: 'another' }),
      '400 invalid_client_metadata /client_secret',
    );
    assert.equal(await put({ client_id: 'another' }), '400 invalid_client_metadata /client_id');
    assert.equal(await put({ first_party: true }), '400 invalid_client_metadata /first_party');
  });

  test('A registration update keeps the permissions that an administrator registered, and adds no others', async () => {
    const tenant = await tenantWith();
    const scope = 'openid write:users';
    const by = { token: await tenant.adminToken() };
    const made = expectStatus(201, await register(tenant, { scope }, by));
    const { client_id: id, registration_access_token: accessToken } = made;
    const put = async (fields: object) => {
      const body = { client_id: id, redirect_uris: [CALLBACK], ...fields };
      return manage(tenant, 'PUT', id, accessToken, body);
    };
    assert.equal(expectStatus(200, await put({ scope })).scope, scope);
    const more = await put({ scope: `${scope} read:users` });
    assert.equal(refusalOf(more), '400 invalid_client_metadata /scope');
  });

  test('An application can delete its registration, and its sessions end', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const {
      client_id: id,
      client_secret,
      registration_access_token: accessToken,
    } = expectStatus(201, await register(tenant));
    const browser = browserOf(tenant, await tenant.createUser());
    const proof = { client_id: id, client_secret: client_secret ?? '' };
    const exchanged = await postToken(tenant, {
      ...exchangeOf(await browser.codeFor({ id })),
      ...proof,
    });
    const { access_token: token } = expectStatus(200, exchanged);
    expectStatus(200, await tenant.request('GET', '/oauth/userinfo', { token }));
    const answer = await manage(tenant, 'DELETE', id, accessToken);
    assert.deepEqual([answer.status, answer.text], [204, '']);
    expectStatus(401, await tenant.request('GET', '/oauth/userinfo', { token }));
    assert.equal(refusalOf(await manage(tenant, 'GET', id, accessToken)), '401 invalid_token');
    assert.equal((await actionsOn(keywright, tenant, id)).at(-1), 'client.deleted by anonymous');
  });

  test('The registration endpoint gives one answer for an unknown application, one of an administrator, and a wrong token', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const first = expectStatus(201, await register(tenant));
    const other = expectStatus(201, await register(tenant));
    const { id: byAdministrator } = await newClient(tenant);
    const wrong = await manage(tenant, 'GET', first.client_id, other.registration_access_token);
    assert.equal(refusalOf(wrong), '401 invalid_token');
    const same = [
      await manage(tenant, 'GET', newOAuthClientId(new Date()), other.registration_access_token),
      await manage(tenant, 'GET', byAdministrator, other.registration_access_token),
      await manage(tenant, 'GET', 'nothing', other.registration_access_token),
      await manage(tenant, 'GET', first.client_id, 'kwm_wrong'),
      await manage(tenant, 'GET', first.client_id, await tenant.adminToken()),
      await manage(
        await tenantWith({ oauth_registration: 'open' }),
        'GET',
        first.client_id,
        first.registration_access_token,
      ),
    ];
    for (const answer of same) assert.deepEqual([answer.status, answer.text], [401, wrong.text]);
    assert.equal(
      refusalOf(await manage(tenant, 'DELETE', first.client_id, undefined)),
      '401 invalid_token',
    );
  });
});
