// Clients that anyone can register, in tenants that allow it.

import { ASSERTION_GRANT, EXCHANGE_GRANT } from '@keywright/contract/records/client-grants';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import { addBank, TYPES } from '@keywright/tests/harness/authorization-details';
import { CALLBACK } from '@keywright/tests/harness/code-login';
import { consent } from '@keywright/tests/harness/consent';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { actionsOn, manage, refusalOf, register } from '@keywright/tests/harness/registration';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import type { TenantConfig } from '@keywright/contract/records/tenant-config';

const ABOUT = { redirect_uris: [CALLBACK] };

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

test('oauth_registration: off registers no one, token callers with a token, open every caller', async () => {
  const off = await tenantWith({ oauth_registration: 'off' });
  assert.equal(
    refusalOf(await register(off, {}, { token: await off.adminToken() })),
    '403 access_denied',
  );
  const byToken = await tenantWith();
  assert.equal(refusalOf(await register(byToken)), '401 invalid_token');
  const open = await tenantWith({ oauth_registration: 'open' });
  expectStatus(201, await register(open));
  const found = async (tenant: TestTenant) => {
    const path = '/.well-known/oauth-authorization-server';
    return expectStatus(200, await tenant.request('GET', path))['registration_endpoint'];
  };
  assert.equal(await found(off), undefined);
  assert.equal(await found(open), `https://id.example.com/t/${open.id}/oauth/register`);
  const switchedOff = await tenantWith({ oauth_enabled: false, oauth_registration: 'open' });
  assert.equal((await register(switchedOff)).body.code, 'OAUTH_OFF');
});

test('oauth_max_registered_clients: callers without a token register up to that many clients, and administrators more', async () => {
  const tenant = await tenantWith({ oauth_registration: 'open', oauth_max_registered_clients: 2 });
  expectStatus(201, await register(tenant));
  const second = expectStatus(201, await register(tenant));
  assert.equal((await register(tenant)).body.code, 'REGISTRATION_FULL');
  expectStatus(201, await register(tenant, {}, { token: await tenant.adminToken() }));
  const { registration_access_token: accessToken } = second;
  expectStatus(204, await manage(tenant, 'DELETE', second.client_id, accessToken));
  expectStatus(201, await register(tenant));
});

describe('what is registered openly', () => {
  test('An openly registered client is never first-party, and has no permission to write or to delete', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const refusalFor = async (metadata: object) => refusalOf(await register(tenant, metadata));
    assert.equal(
      await refusalFor({ first_party: true }),
      '400 invalid_client_metadata /first_party',
    );
    // Only administrators can grant more than user logins.
    for (const grant of [EXCHANGE_GRANT, ASSERTION_GRANT]) {
      const refused = await refusalFor({ grant_types: ['authorization_code', grant] });
      assert.match(refused, /^400 invalid_client_metadata .grant_types/);
    }
    for (const scope of ['write:users', 'delete:users', '*:users', '*:*']) {
      assert.equal(
        await refusalFor({ scope: `openid ${scope}` }),
        '400 invalid_client_metadata /scope',
      );
    }
    const client = expectStatus(201, await register(tenant, { scope: 'openid read:users' }));
    assert.equal(client.scope, 'openid read:users');
    const path = `/clients/${client.client_id}`;
    const options = { token: await tenant.adminToken(), body: { first_party: true } };
    const { errors } = expectStatus(
      400,
      await tenant.request<OAuthErrorBody>('PATCH', path, options),
    );
    assert.deepEqual(
      errors?.map((error) => error.path),
      ['/first_party'],
    );
  });

  test('A dynamically registered client can request no type of authorization details before an administrator allows it', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    await addBank(tenant);
    const types = { authorization_details_types: TYPES };
    const token = await tenant.adminToken();
    for (const by of [{}, { token }]) {
      const registered = expectStatus(201, await register(tenant, types, by));
      const { client_id: id, registration_access_token: accessToken } = registered;
      const path = `/clients/${id}`;
      const allowed = async () => {
        return expectStatus(200, await tenant.request('GET', path, { token }))[
          'authorization_details_types'
        ];
      };
      assert.deepEqual(await allowed(), []);
      expectStatus(
        200,
        await manage(tenant, 'PUT', id, accessToken, { ...ABOUT, client_id: id, ...types }),
      );
      assert.deepEqual(await allowed(), []);
      const narrowed = { authorization_details_types: TYPES.slice(0, 1) };
      expectStatus(200, await tenant.request('PATCH', path, { token, body: narrowed }));
      expectStatus(
        200,
        await manage(tenant, 'PUT', id, accessToken, { ...ABOUT, client_id: id, ...types }),
      );
      assert.deepEqual(await allowed(), TYPES.slice(0, 1));
    }
  });

  test('An IP address can openly register ten clients a minute', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    for (let count = 0; count < 10; count += 1) expectStatus(201, await register(tenant));
    const refused = await register(tenant);
    assert.equal(refused.body.code, 'TOO_MANY_ATTEMPTS');
    assert.equal(refused.headers['retry-after'], '60');
    // Invalid requests also count; a caller with a token is not counted.
    expectStatus(201, await register(tenant, {}, { token: await tenant.adminToken() }));
    keywright.clock.advance(60);
    expectStatus(201, await register(tenant));
  });

  test('A dynamically registered client can be changed ten times a minute from an address, registrations included', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const registered = expectStatus(201, await register(tenant));
    const { client_id: id, registration_access_token: accessToken } = registered;
    const change = (name: string, token = accessToken) => {
      const body = { client_id: id, client_name: name, redirect_uris: [CALLBACK] };
      return manage(tenant, 'PUT', id, token, body);
    };
    for (let count = 1; count < 10; count += 1) {
      expectStatus(200, await change(`Name ${count}`));
      // A caller with a wrong token does not use up the limit of the application.
      assert.equal(refusalOf(await change('Mine', 'kwm_wrong')), '401 invalid_token');
    }
    const refused = await change('Name 10');
    assert.deepEqual([refused.status, refused.body.code], [429, 'TOO_MANY_ATTEMPTS']);
    assert.equal(refused.headers['retry-after'], '60');
    assert.equal((await register(tenant)).body.code, 'TOO_MANY_ATTEMPTS');
    const entries = await actionsOn(keywright, tenant, id);
    assert.equal(entries.length, 10);
    expectStatus(200, await manage(tenant, 'GET', id, accessToken));
    keywright.clock.advance(60);
    expectStatus(200, await change('Name 10'));
  });

  test('An openly registered client is deleted after 30 days without a consent, and not before', async () => {
    const tenant = await tenantWith({ oauth_registration: 'open' });
    const unused = expectStatus(201, await register(tenant));
    const used = expectStatus(201, await register(tenant));
    const byAdministrator = expectStatus(
      201,
      await register(tenant, {}, { token: await tenant.adminToken() }),
    );
    const user = await tenant.createUser();
    const grant = { userId: user.user.id, clientId: used.client_id };
    await consent(keywright, tenant.id, grant);
    const left = async () => {
      await keywright.nodes[0]?.housekeeping.sweep();
      const ids = [unused, used, byAdministrator].map(({ client_id: id }) => id);
      const rows = await keywright.database.query<{ id: string }>(
        'SELECT id FROM oauth_clients WHERE id = ANY ($1)',
        [ids],
      );
      return ids.map((id) => rows.some((row) => row.id === id));
    };
    keywright.clock.advance(30 * 86_400 - 1);
    assert.deepEqual(await left(), [true, true, true]);
    keywright.clock.advance(2);
    assert.deepEqual(await left(), [false, true, true]);
    assert.deepEqual(await actionsOn(keywright, tenant, unused.client_id), [
      'client.created by anonymous',
      'client.deleted by system',
    ]);
    await keywright.database.query('UPDATE consents SET revoked_at = $1 WHERE client_id = $2', [
      keywright.clock.now(),
      used.client_id,
    ]);
    keywright.clock.advance(30 * 86_400 + 1);
    assert.deepEqual(await left(), [false, false, true]);
  });
});
