import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import {
  newClient,
  proofOf,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestApiKey, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { getToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { until } from '@keywright/tests/harness/until';

const REFUSED = '403 unauthorized_client OAUTH_OFF';
const OF_AGENTS = [
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
];

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let robot: TestAgent & TestApiKey;
let client: CreatedOAuthClient;
let publicId: string;
let tokens: ClientTokenAnswer;
/** A login that was started and a code that was issued before the setting changed. */
let browser: UserBrowser;
let startedBrowser: UserBrowser;
let code: string;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('turned-off');
  user = await tenant.createUser();
  robot = await tenant.createAgent({ scopes: ['read:users'] });
  client = await newClient(tenant);
  publicId = (await newClient(tenant, { kind: 'spa' })).id;
  browser = newBrowser();
  tokens = await browser.tokensFor(client, { scope: 'openid offline_access', prompt: 'consent' });
  code = await browser.codeFor(client);
  startedBrowser = newBrowser();
  await startedBrowser.authorize(requestOf(client));
  await turn(false);
});
after(() => keywright.close());

const newBrowser = () => new UserBrowser(tenant, `https://id.example.com/t/${tenant.id}`, user);

async function turn(isOn: boolean): Promise<void> {
  const options = { token: await tenant.adminToken(), body: { config: { oauth_enabled: isOn } } };
  expectStatus(200, await tenant.request('PATCH', `/tenants/${tenant.id}`, options));
  await until(
    'it is in force',
    async () => (await metadata('openid')).status === (isOn ? 200 : 403),
  );
}

const metadata = (name: 'openid' | 'oauth') => {
  const document = { openid: 'openid-configuration', oauth: 'oauth-authorization-server' };
  return tenant.request('GET', `/t/${tenant.id}/.well-known/${document[name]}`);
};

function send(path: string, fields: Readonly<Record<string, string>>) {
  return tenant.request<ClientTokenAnswer & OAuthErrorBody>('POST', `/t/${tenant.id}${path}`, {
    rawBody: new URLSearchParams(fields).toString(),
    contentType: 'application/x-www-form-urlencoded',
  });
}

describe('oauth_enabled: in a tenant that is not an OpenID provider', () => {
  test('The metadata lists what agents use, and there is no OpenID Connect metadata', async () => {
    const { status, body } = await metadata('openid');
    assert.deepEqual([status, body['code']], [403, 'OAUTH_OFF']);
    assert.match(String(body['detail']), /oauth_enabled/);
    const left = expectStatus(200, await metadata('oauth'));
    assert.deepEqual(left['grant_types_supported'], OF_AGENTS);
    const endpoints = Object.keys(left).filter((name) => name.endsWith('_endpoint'));
    assert.deepEqual(endpoints.toSorted(), ['introspection_endpoint', 'token_endpoint']);
    assert.deepEqual(
      Object.keys(left).filter((name) => /scopes|response|logout|claims|prompt/.test(name)),
      [],
    );
  });

  test('Applications cannot log users in: a page says so, also in a login that was started before', async () => {
    const [freshBrowser, page] = [newBrowser(), startedBrowser.seen];
    const press = (action: string) => {
      startedBrowser.goBackTo(page);
      return startedBrowser.press(action, { identifier: user.identifier, secret: user.password });
    };
    for (const seen of [
      await freshBrowser.authorize(requestOf(client)),
      await freshBrowser.authorizeByForm(requestOf(client)),
      await freshBrowser.authorize({ client_id: 'client_unknown' }),
      await browser.authorize(requestOf(client, { prompt: 'none' })),
      await press('login'),
      await press('deny'),
    ]) {
      assert.deepEqual([seen.status, seen.redirectsTo], [403, undefined]);
      assert.equal(seen.title, 'Apps can’t sign you in here');
      assert.ok(seen.text.includes('<code>OAUTH_OFF</code>'));
    }
  });

  test('Applications are refused wherever they authenticate, and with every credential', async () => {
    const credentials = proofOf(client);
    const { access_token: token, refresh_token: refresh = '' } = tokens;
    const wrong = { ...credentials, client_secret: 'kwc_wrong' };
    for (const answer of [
      await redeem(tenant, client, code),
      await refreshWith(tenant, client, refresh),
      await send('/oauth/par', { ...requestOf(client), ...credentials }),
      await send('/oauth/par', requestOf({ id: publicId })),
      await send('/oauth/authorize-challenge', { ...requestOf(client), ...credentials }),
      await send('/oauth/revoke', { token, ...credentials }),
      await send('/oauth/revoke', { token, ...wrong }),
      await send('/oauth/introspect', { token, ...credentials }),
      await send('/oauth/introspect', { token, ...credentials, client_id: 'client_unknown' }),
    ]) {
      assert.equal(oauthError(answer), REFUSED, answer.text);
    }
    for (const method of ['GET', 'POST']) {
      const { status, body } = await tenant.request(method, '/oauth/userinfo', { token });
      assert.deepEqual([status, body['code']], [403, 'OAUTH_OFF']);
    }
  });

  test('Agents get tokens and introspect them, and users log in and see their account', async () => {
    const credentials = { client_id: robot.agent.id, client_secret: robot.key };
    const token = await getToken(tenant, { grant_type: 'client_credentials', ...credentials });
    const status = expectStatus(200, await send('/oauth/introspect', { token, ...credentials }));
    assert.equal(Reflect.get(status, 'active'), true);
    await tenant.login(user.identifier, user.password);
    const at = newBrowser();
    await at.open(`/t/${tenant.id}/account`);
    await at.press('login', { identifier: user.identifier, secret: user.password });
    const seen = await at.open(`/t/${tenant.id}/account`);
    assert.equal(seen.status, 200, seen.title);
  });

  test('Nothing has ended: after OAuth is turned on again, everything continues', async () => {
    await turn(true);
    const { access_token: token } = tokens;
    expectStatus(200, await tenant.request('GET', '/oauth/userinfo', { token }));
    expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
    expectStatus(200, await redeem(tenant, client, code));
  });
});
