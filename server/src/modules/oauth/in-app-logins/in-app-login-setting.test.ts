// Which clients are allowed to use in-app logins.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  APP_CALLBACK,
  type ChallengeAnswer,
  InApp,
  newInAppClient,
} from '@keywright/tests/harness/in-app';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { register } from '@keywright/tests/harness/registration';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const NOT_LET = '400 unauthorized_client CLIENT_UNAUTHORIZED';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { oauth_registration: 'open' } as const;
  tenant = await keywright.tenant('in-app-setting', { config });
  user = await tenant.createUser();
  client = await newInAppClient(tenant);
});
after(() => keywright.close());

const app = (by = client, of = tenant) => new InApp(of, by);
const outcomeOf = ({ status, body }: ChallengeAnswer) => `${status} ${body.error} ${body.code}`;

async function change(id: string, body: object, of = tenant) {
  const token = await of.adminToken();
  return of.request<ErrorBody>('PATCH', `/clients/${id}`, { token, body });
}

describe('in_app_login', () => {
  for (const [what, fields] of [
    ['of a third party', { first_party: false }],
    ['in a browser', { kind: 'spa', redirect_uris: ['https://app.example.com/cb'] }],
    ['on a server', { kind: 'web', redirect_uris: ['https://app.example.com/cb'] }],
    [
      'that logs users in on devices only',
      { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], redirect_uris: [] },
    ],
    ['under the profile fapi2', { profile: 'fapi2' }],
  ] as const) {
    test(`The setting cannot be given to a client ${what}`, async () => {
      const body = {
        name: 'Pocket',
        kind: 'native',
        first_party: true,
        redirect_uris: [APP_CALLBACK],
        in_app_login: true,
        ...fields,
      };
      const token = await tenant.adminToken();
      const answer = await tenant.request<ErrorBody>('POST', '/clients', { token, body });
      assert.equal(answer.status, 400);
      const paths = answer.body.errors?.map(({ path }) => path);
      assert.ok(paths?.includes('/in_app_login'), JSON.stringify(paths));
    });
  }

  test('The setting cannot outlast first_party', async () => {
    const { status, body } = await change(client.id, { first_party: false });
    assert.deepEqual([status, body.errors?.[0]?.path], [400, '/in_app_login']);
  });

  test('The setting is not for clients that registered themselves, whatever they request', async () => {
    const metadata = {
      application_type: 'native',
      redirect_uris: [APP_CALLBACK],
      token_endpoint_auth_method: 'none',
      in_app_login: true,
    };
    const { client_id: id } = expectStatus(201, await register(tenant, metadata));
    const { status, body } = await change(id, { in_app_login: true });
    assert.deepEqual([status, body.errors?.[0]?.path], [400, '/in_app_login']);
    const both = await change(id, { in_app_login: true, first_party: true });
    assert.deepEqual([both.status, both.body.errors?.[0]?.path], [400, '/first_party']);
    const login = app({ ...client, id });
    assert.equal(outcomeOf(await login.start({ login_hint: user.identifier })), NOT_LET);
  });

  test('The setting has no effect in a tenant under the profile fapi2', async () => {
    const strict = await keywright.tenant('in-app-strict');
    const by = await newInAppClient(strict);
    const token = await keywright.adminToken();
    const body = { config: { oauth_profile: 'fapi2' } };
    expectStatus(
      200,
      await keywright.home.request('PATCH', `/tenants/${strict.id}`, { token, body }),
    );
    assert.equal(outcomeOf(await app(by, strict).start()), '401 invalid_client CLIENT_INVALID');
    const metadata = await strict.request('GET', '/.well-known/openid-configuration');
    assert.ok(!('authorization_challenge_endpoint' in expectStatus(200, metadata)));
  });
});
