import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { exchangeOf, newClient, requestOf, UserBrowser } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { InApp, newInAppClient, nextOf } from '@keywright/tests/harness/in-app';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';
const REFUSED = '401 invalid_client CLIENT_INVALID';

type Parameters = Readonly<Record<string, string>>;

let keywright: Keywright;
let tenant: TestTenant;
let page: CreatedOAuthClient;
let site: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('named');
  page = await newClient(tenant, {
    kind: 'spa',
    grant_types: ['authorization_code', 'refresh_token', DEVICE],
  });
  site = await newClient(tenant);
});
after(() => keywright.close());

/** The header of a client, with an empty password. */
function named({ id }: { readonly id: string }) {
  return { authorization: `Basic ${Buffer.from(`${id}:`).toString('base64')}` };
}

function send(path: string, client: { readonly id: string }, parameters: Parameters) {
  return tenant.request('POST', `/t/${tenant.id}${path}`, {
    rawBody: new URLSearchParams(parameters).toString(),
    contentType: 'application/x-www-form-urlencoded',
    headers: named(client),
  });
}

function withoutClient(parameters: Parameters): Parameters {
  const { client_id: _, ...request } = parameters;
  return request;
}

describe('a public client can name itself by HTTP Basic with an empty password', () => {
  test('A public client can use HTTP Basic with an empty password for pushed requests, tokens and revocation', async () => {
    const scope = 'openid offline_access';
    const request = withoutClient(requestOf(page, { scope }));
    const pushed = expectStatus(201, await send('/oauth/par', page, request));
    const browser = new UserBrowser(
      tenant,
      `https://id.example.com/t/${tenant.id}`,
      await tenant.createUser(),
    );
    const reference = { client_id: page.id, request_uri: String(pushed['request_uri']) };
    const { redirectsTo } = await browser.goThrough(reference);
    const code = redirectsTo?.searchParams.get('code') ?? '';
    const headers = named(page);
    const tokens = expectStatus(200, await postToken(tenant, exchangeOf(code), { headers }));
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    const next = expectStatus(200, await postToken(tenant, refresh, { headers }));
    expectStatus(200, await send('/oauth/revoke', page, { token: next.refresh_token ?? '' }));
    const again = { ...refresh, refresh_token: next.refresh_token ?? '' };
    const ended = await postToken(tenant, again, { headers });
    assert.equal(oauthError(ended), '400 invalid_grant GRANT_INVALID');
  });

  test('A public client can use HTTP Basic with an empty password at the device endpoint', async () => {
    const started = await send('/oauth/device_authorization', page, { scope: 'openid' });
    assert.ok(expectStatus(200, started)['device_code']);
  });

  test('A public client whose users log in inside it can name itself by HTTP Basic with an empty password', async () => {
    const app = await newInAppClient(tenant);
    const started = await new InApp(tenant, app, { request: { headers: named(app) } }).start({
      client_id: '',
      login_hint: 'ada@example.com',
    });
    assert.match(nextOf(started), /^insufficient_authorization: /);
  });

  test('A public client that uses HTTP Basic can repeat its name in the body, but no other name', async () => {
    const grant = { grant_type: 'refresh_token', refresh_token: 'x' };
    const headers = named(page);
    const same = await postToken(tenant, { ...grant, client_id: page.id }, { headers });
    assert.equal(oauthError(same), '400 invalid_grant GRANT_INVALID');
    const other = await postToken(tenant, { ...grant, client_id: site.id }, { headers });
    assert.equal(oauthError(other), REFUSED);
  });
});

test('A client with a secret is refused with an empty password, as with an empty client_secret', async () => {
  const grant = { grant_type: 'refresh_token', refresh_token: 'x' };
  const byBasic = await postToken(tenant, grant, { headers: named(site) });
  const inBody = await postToken(tenant, { ...grant, client_id: site.id, client_secret: '' });
  assert.deepEqual([oauthError(byBasic), oauthError(inBody)], [REFUSED, REFUSED]);
  const pushed = await send('/oauth/par', site, withoutClient(requestOf(site)));
  assert.equal(expectStatus(401, pushed)['error'], 'invalid_client');
  const introspected = await send('/oauth/introspect', page, { token: 'x' });
  assert.equal(expectStatus(401, introspected)['error'], 'invalid_client');
});
