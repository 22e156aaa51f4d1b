// A node's cached copy of a client grants no access after the client has changed. No notification is delivered here.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { newPkce, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback';
const OTHER = 'https://app.example.com/other';
const CHANGING = { node: 0 };
/** The node that caches the client and receives no change notifications. */
const UNAWARE = { node: 1 };
const pkce = newPkce();

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let token: string;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('known-clients');
  user = await tenant.createUser();
  token = await tenant.adminToken();
  await keywright.database.query('ALTER TABLE oauth_clients DISABLE TRIGGER announce');
  // Creates the tenant's first key, which is also announced.
  await clientInUse();
});
after(() => keywright.close());

async function change(method: string, path: string, body?: object): Promise<object> {
  const options = { token, ...CHANGING, ...(body && { body }) };
  const answer = await tenant.request(method, `/clients${path}`, options);
  return expectStatus(method === 'POST' ? 201 : 200, answer);
}

/** A client that both nodes know, used by a logged-in user. */
async function clientInUse() {
  const client = (await change('POST', '', {
    name: 'Invoices',
    kind: 'web',
    first_party: true,
    redirect_uris: [CALLBACK, OTHER],
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'email', 'offline_access'],
  })) as CreatedOAuthClient;
  const issuer = new URL(`${keywright.nodes[1]?.baseUrl}/t/${tenant.id}`);
  const browser = new Visitor(tenant, issuer.href);
  const proof = { client_id: client.id, client_secret: client.client_secret ?? '' };
  const requestFor = (redirect_uri: string) => ({
    client_id: client.id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email offline_access',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
  });
  /** The response of the node that has not been notified of changes: its status and the code. */
  const authorize = async (redirectUri = CALLBACK) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const query = new URLSearchParams(requestFor(redirectUri)).toString();
    const path = `${issuer.pathname}/oauth/authorize?${query}`;
    const options = { ...UNAWARE, host: issuer.host, headers: { cookie } };
    const { status, headers } = await tenant.request<unknown>('GET', path, options);
    return { status, code: new URL(headers.location ?? issuer).searchParams.get('code') ?? '' };
  };
  const exchange = (code: string, redirectUri = CALLBACK) => {
    const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    return postToken(tenant, { ...grant, ...proof, code_verifier: pkce.verifier }, UNAWARE);
  };
  await browser.authorize(requestFor(CALLBACK));
  await browser.press('login', { identifier: user.identifier, secret: user.password });
  const { refresh_token: refreshToken = '' } = expectStatus(
    200,
    await exchange((await authorize()).code),
  );
  const refresh = () => {
    const grant = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return postToken(tenant, { ...grant, ...proof }, UNAWARE);
  };
  const introspect = () =>
    tenant.request<OAuthErrorBody>('POST', '/oauth/introspect', {
      rawBody: new URLSearchParams({ token: refreshToken, ...proof }).toString(),
      contentType: 'application/x-www-form-urlencoded',
      ...UNAWARE,
    });
  const push = (more: Readonly<Record<string, string>> = {}) =>
    tenant.request<OAuthErrorBody>('POST', '/oauth/par', {
      rawBody: new URLSearchParams({ ...requestFor(OTHER), ...more, ...proof }).toString(),
      contentType: 'application/x-www-form-urlencoded',
      ...UNAWARE,
    });
  return { client, authorize, exchange, refresh, introspect, push };
}

type InUse = Awaited<ReturnType<typeof clientInUse>>;

const INVALID = '401 invalid_client CLIENT_INVALID';
/** Deleting a client also deletes its consents. */
const WITHOUT_CONSENT = '400 invalid_grant GRANT_INVALID';

const REVOCATIONS: Readonly<Record<string, (client: CreatedOAuthClient) => Promise<object>>> = {
  'that was deleted': ({ id }) => change('DELETE', `/${id}`),
  'that was deactivated': ({ id }) => change('PATCH', `/${id}`, { is_active: false }),
  'whose secret was deleted': async ({ id, secrets: [secret] }) => {
    await change('POST', `/${id}/secrets`, {});
    return change('DELETE', `/${id}/secrets/${secret?.id}`);
  },
};

describe('on another node, a client', () => {
  for (const [how, revoke] of Object.entries(REVOCATIONS)) {
    test(`${how} opens no session with a code`, async () => {
      const { client, authorize, exchange }: InUse = await clientInUse();
      const { code } = await authorize();
      await revoke(client);
      const refused = how === 'that was deleted' ? WITHOUT_CONSENT : INVALID;
      assert.equal(oauthError(await exchange(code)), refused);
    });

    test(`${how} refreshes nothing`, async () => {
      const { client, refresh }: InUse = await clientInUse();
      await revoke(client);
      assert.equal(oauthError(await refresh()), INVALID);
    });

    test(`${how} pushes nothing`, async () => {
      const { client, push }: InUse = await clientInUse();
      // A short request is sealed, a long one is stored.
      const requests = [{}, { state: 'long'.repeat(200) }];
      for (const request of requests) expectStatus(201, await push(request));
      await revoke(client);
      for (const request of requests) {
        const { status, body } = await push(request);
        assert.equal(`${status} ${body.error} ${body.code}`, INVALID);
      }
      const pushed = 'SELECT FROM pushed_requests WHERE client_id = $1';
      assert.equal((await keywright.database.query(pushed, [client.id])).length, 1);
    });

    test(`${how} learns nothing of a token`, async () => {
      const { client, introspect }: InUse = await clientInUse();
      expectStatus(200, await introspect());
      await revoke(client);
      const { status, body } = await introspect();
      assert.equal(`${status} ${body.error} ${body.code}`, INVALID);
    });
  }

  for (const how of ['that was deleted', 'that was deactivated']) {
    test(`${how} gets no code`, async () => {
      const { client, authorize }: InUse = await clientInUse();
      await REVOCATIONS[how]?.(client);
      assert.deepEqual(await authorize(), { status: 400, code: '' });
    });
  }

  test('A client on another node gets no code at an address that it has given up, and gets one at another', async () => {
    const { client, authorize, exchange, push } = await clientInUse();
    await change('PATCH', `/${client.id}`, { redirect_uris: [CALLBACK] });
    assert.equal((await push()).status, 400);
    assert.deepEqual(await authorize(OTHER), { status: 400, code: '' });
    expectStatus(200, await exchange((await authorize()).code));
  });

  test('A client on another node continues after a change that leaves it its rights: the code is used once', async () => {
    const { client, authorize, exchange, refresh, push } = await clientInUse();
    const { code } = await authorize();
    await change('PATCH', `/${client.id}`, { name: 'Bills' });
    expectStatus(201, await push());
    expectStatus(200, await exchange(code));
    assert.equal(oauthError(await exchange(code)), '400 invalid_grant GRANT_INVALID');
    await change('PATCH', `/${client.id}`, { name: 'Invoices' });
    expectStatus(200, await refresh());
  });

  test('A client on another node receives the scopes that it has now', async () => {
    const { client, authorize, exchange } = await clientInUse();
    await change('PATCH', `/${client.id}`, { scopes: ['openid'] });
    const { scope } = expectStatus(200, await exchange((await authorize()).code));
    assert.equal(scope, 'openid');
  });
});
