// Attacks on the provider that the tests of its modules do not make: across tenants, and with repeated parameters.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthClientId } from '@keywright/contract/ids';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { Route } from '@keywright/contract/route';
import { authorize } from '@keywright/contract/routes/authorize';
import { CHALLENGE_ROUTES } from '@keywright/contract/routes/authorize-challenge';
import { DEVICE_AUTHORIZATION_ROUTES } from '@keywright/contract/routes/device';
import { INTROSPECTION_ROUTES } from '@keywright/contract/routes/introspection';
import { PUSHED_REQUEST_ROUTES } from '@keywright/contract/routes/pushed-requests';
import { REVOCATION_ROUTES } from '@keywright/contract/routes/revocation';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import { newConsentId, newOAuthClientId } from '@keywright/server/platform/crypto/ids';
import {
  exchangeOf,
  newClient,
  proofOf,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '../harness/code-login.ts';
import { type Answer, expectStatus } from '../harness/http.ts';
import { newInAppClient } from '../harness/in-app.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { watchStatements } from '../harness/statements.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { postToken, oauthError } from '../harness/token-endpoint.ts';
import { newPkce, type Seen } from '../harness/visitor.ts';

const SCOPE = { scope: 'openid offline_access' };
const REFUSED = '400 invalid_grant GRANT_INVALID';

interface Side {
  readonly tenant: TestTenant;
  readonly user: TestUser;
  readonly client: CreatedOAuthClient;
  readonly browser: UserBrowser;
}

let keywright: Keywright;
let local: Side;
let foreign: Side;
/** A client that is allowed to use in-app logins. */
let pocket: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright();
  local = await sideOf('attacked');
  foreign = await sideOf('attacker');
  pocket = await newInAppClient(local.tenant);
});
after(() => keywright.close());

async function sideOf(slug: string): Promise<Side> {
  const tenant = await keywright.tenant(slug);
  const [user, client] = [await tenant.createUser(), await newClient(tenant)];
  return { tenant, user, client, browser: browserOf(tenant, user) };
}

const issuerOf = ({ id }: TestTenant) => `${keywright.nodes[0]?.baseUrl}/t/${id}`;
const browserOf = (tenant: TestTenant, user: TestUser) =>
  new UserBrowser(tenant, issuerOf(tenant), user);

/** The response without its request ID. */
const said = ({ status, text }: Pick<Answer<unknown>, 'status' | 'text'>) =>
  `${status} ${text.replace(/<code>[\w-]{22}<\/code><\/bdi>/, '')}`;

/** A character in the middle is changed: the same form, but invalid. */
function altered(text = ''): string {
  const at = Math.floor(text.length / 2);
  return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
}

describe('what another tenant issued is not accepted:', () => {
  const assertAlike = (answer: Pick<Answer<unknown>, 'status' | 'text'>, other: typeof answer) =>
    assert.equal(said(answer), said(other));

  test('A code that another tenant issued is not accepted', async () => {
    const code = await foreign.browser.codeFor(foreign.client);
    const answer = await redeem(local.tenant, local.client, code);
    assert.equal(oauthError(answer), REFUSED);
    assertAlike(answer, await redeem(local.tenant, local.client, altered(code)));
    expectStatus(200, await redeem(foreign.tenant, foreign.client, code));
  });

  test('A refresh token that another tenant issued is not accepted', async () => {
    const { refresh_token: token } = await foreign.browser.tokensFor(foreign.client, SCOPE);
    const answer = await refreshWith(local.tenant, local.client, token);
    assert.equal(oauthError(answer), REFUSED);
    assertAlike(answer, await refreshWith(local.tenant, local.client, altered(token)));
    expectStatus(200, await refreshWith(foreign.tenant, foreign.client, token));
  });

  test('The ID of a client of another tenant is not accepted, with its secret and without', async () => {
    const unknown = newOAuthClientId(new Date());
    const [theirs, nobodys] = [foreign.client.id, unknown].map((id) => requestOf({ id }));
    assertAlike(
      await local.browser.authorize(theirs ?? {}),
      await local.browser.authorize(nobodys ?? {}),
    );
    const code = await local.browser.codeFor(local.client);
    const by = (id: OAuthClientId) => redeem(local.tenant, { ...foreign.client, id }, code);
    const answer = await by(foreign.client.id);
    assert.equal(oauthError(answer), '401 invalid_client CLIENT_INVALID');
    assertAlike(answer, await by(unknown));
    expectStatus(200, await redeem(local.tenant, local.client, code));
  });

  test('A request in progress at another tenant is not accepted', async () => {
    const stranger = browserOf(foreign.tenant, foreign.user);
    const { hidden } = await stranger.authorize(requestOf(foreign.client));
    const sealed = hidden['request'] ?? '';
    assert.ok(sealed);
    const pathAt = ({ tenant }: Side, request: string) =>
      `${new URL(issuerOf(tenant)).pathname}/oauth/continue?request=${request}`;
    const victim = browserOf(local.tenant, local.user);
    await victim.authorize(requestOf(local.client));
    const seen = await victim.open(pathAt(local, sealed));
    assert.equal(seen.status, 400);
    assertAlike(seen, await victim.open(pathAt(local, altered(sealed))));
  });

  test('The cookie of a login at another tenant is not accepted', async () => {
    const nameIn = (browser: UserBrowser) =>
      [...browser.cookies.keys()].find((name) => browser.cookies.get(name)?.startsWith('session:'));
    await foreign.browser.codeFor(foreign.client);
    await local.browser.codeFor(local.client);
    const cookie = foreign.browser.cookies.get(nameIn(foreign.browser) ?? '') ?? '';
    assert.ok(cookie);
    const authorizeWith = (value: string) => {
      const query = new URLSearchParams(requestOf(local.client, { prompt: 'none' })).toString();
      const path = `${new URL(issuerOf(local.tenant)).pathname}/oauth/authorize?${query}`;
      const { host } = new URL(issuerOf(local.tenant));
      const headers = { cookie: `${nameIn(local.browser)}=${value}` };
      return local.tenant.request('GET', path, { host, headers });
    };
    const answer = await authorizeWith(cookie);
    const to = new URL(String(answer.headers.location)).searchParams;
    assert.equal(to.get('error'), 'login_required');
    assert.equal(answer.headers.location, (await authorizeWith(altered(cookie))).headers.location);
    const genuine = await authorizeWith(
      local.browser.cookies.get(nameIn(local.browser) ?? '') ?? '',
    );
    assert.ok(String(genuine.headers.location).includes('code='));
  });

  test('The ID of a consent of another tenant is not accepted', async () => {
    await foreign.browser.codeFor(foreign.client);
    const list = await foreign.tenant.request<{ items: { id: string }[] }>('GET', '/me/consents', {
      token: foreign.user.token,
    });
    const [consent] = expectStatus(200, list).items;
    for (const path of ['/consents', '/me/consents']) {
      const token = path === '/consents' ? await local.tenant.adminToken() : local.user.token;
      const end = (id = '') => local.tenant.request('DELETE', `${path}/${id}`, { token });
      const answer = await end(consent?.id);
      assert.equal(answer.status, 404);
      assertAlike(answer, await end(newConsentId(new Date())));
    }
  });
});

describe('every response to an authorization request names the issuer (RFC 9207)', () => {
  const returned = ({ redirectsTo }: Seen) => Object.fromEntries(redirectsTo?.searchParams ?? []);
  const wrong: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { prompt: 'none login' }],
    ['invalid_request', { max_age: 'x' }],
    ['invalid_request', { id_token_hint: 'x' }],
    ['invalid_scope', { scope: 'unheard' }],
    ['invalid_target', { resource: 'https://unknown.example.com' }],
    ['invalid_request_object', { request: 'x' }],
    ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['request_uri_not_supported', { request_uri: 'https://x.example.com' }],
    ['login_required', { prompt: 'none' }],
  ];
  for (const [error, change] of wrong) {
    test(`${error}: ${JSON.stringify(change)}`, async () => {
      const fresh = browserOf(local.tenant, local.user);
      const answered = returned(await fresh.authorize(requestOf(local.client, change)));
      assert.deepEqual([answered['error'], answered['iss']], [error, issuerOf(local.tenant)]);
    });
  }

  test('The response with a code and the response to a refusal of the user name the issuer (RFC 9207)', async () => {
    const seen = await local.browser.goThrough(requestOf(local.client));
    assert.deepEqual(Object.keys(returned(seen)).toSorted(), ['code', 'iss']);
    const other = await newClient(local.tenant);
    await local.browser.authorize(requestOf(other));
    const denied = returned(await local.browser.press('deny'));
    assert.deepEqual([denied['error'], denied['iss']], ['access_denied', issuerOf(local.tenant)]);
  });
});

describe('a code is for the client that requested it:', () => {
  test('A code needs its verifier if it has a challenge, and is refused with one if it has none (RFC 9700 §4.8)', async () => {
    const tenant = await keywright.tenant('downgraded');
    const [user, client] = [await tenant.createUser(), await newClient(tenant)];
    const browser = browserOf(tenant, user);
    const without = { code_challenge: '', code_challenge_method: '', nonce: 'n-1' };
    const code = await browser.codeFor(client, without);
    assert.equal(oauthError(await redeem(tenant, client, code)), REFUSED, 'a verifier');
    const { code_verifier: __, ...plain } = exchangeOf(code);
    expectStatus(200, await postToken(tenant, { ...plain, ...proofOf(client) }));
    const bound = await browser.codeFor(client);
    const wrong = { code_verifier: newPkce().verifier };
    assert.equal(oauthError(await redeem(tenant, client, bound, wrong)), REFUSED);
    const { code_verifier: ___, ...none } = exchangeOf(bound);
    const stripped = await postToken(tenant, { ...none, ...proofOf(client) });
    assert.equal(oauthError(stripped), REFUSED, 'no verifier');
    const { redirectsTo } = await browser.authorize(
      requestOf(client, { code_challenge_method: 'plain' }),
    );
    assert.equal(redirectsTo?.searchParams.get('error'), 'invalid_request');
  });

  test('The nonce of a code is in the ID token, and no one can change it at the token endpoint', async () => {
    const code = await local.browser.codeFor(local.client, { nonce: 'n-1' });
    const tokens = expectStatus(
      200,
      await redeem(local.tenant, local.client, code, { nonce: 'n-2' }),
    );
    const [, payload = ''] = (tokens.id_token ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { nonce?: string };
    assert.equal(claims.nonce, 'n-1');
  });
});

describe('a repeated parameter is an error, whichever it is (RFC 6749 §3.1, §3.2):', () => {
  const FORM = 'application/x-www-form-urlencoded';
  const at = ({ path }: Route) =>
    path.replace(':tenant_id', local.tenant.id).replace('/api/sso/v1', '');

  for (const route of [
    issueToken,
    issueTokenByIssuer,
    ...PUSHED_REQUEST_ROUTES,
    ...CHALLENGE_ROUTES,
    ...DEVICE_AUTHORIZATION_ROUTES,
    ...REVOCATION_ROUTES,
    ...INTROSPECTION_ROUTES,
  ]) {
    const isInApp = CHALLENGE_ROUTES.some(({ id }) => id === route.id);
    for (const name of Object.keys(route.body.properties)) {
      test(`${name} at ${route.path}`, async () => {
        const good = new URLSearchParams({
          grant_type: 'authorization_code',
          token: 'x',
          ...proofOf(isInApp ? pocket : local.client),
        });
        good.delete(name);
        good.append(name, 'one');
        good.append(name, 'two');
        const answer = await local.tenant.request<{ error: string }>('POST', at(route), {
          rawBody: good.toString(),
          contentType: FORM,
        });
        assert.equal(answer.status, 400, answer.text);
        const isTarget = name === 'resource' || name === 'audience';
        const codes = isTarget ? ['invalid_target', 'invalid_request'] : ['invalid_request'];
        assert.ok(codes.includes(answer.body.error), answer.text);
      });
    }
  }

  for (const name of Object.keys(authorize.query.properties).filter(
    (parameter) => parameter !== 'resource',
  )) {
    test(`${name} at ${authorize.path}`, async () => {
      const query = new URLSearchParams(requestOf(local.client));
      query.append(name, 'one');
      query.append(name, 'two');
      const path = `${new URL(issuerOf(local.tenant)).pathname}/oauth/authorize?${query.toString()}`;
      const seen = await local.browser.open(path);
      assert.deepEqual([seen.status, seen.redirectsTo], [400, undefined]);
    });
  }
});

describe('a client that authenticates in vain', () => {
  /** The statements and the rounds that a request takes. */
  async function costOf(proof: Readonly<Record<string, string>>): Promise<string> {
    const seen = watchStatements({ untilAnswered: true });
    try {
      const answer = await postToken(local.tenant, {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        ...proof,
      });
      assert.equal(oauthError(answer), '401 invalid_client CLIENT_INVALID');
      return seen.sent.join('\n');
    } finally {
      seen.stop();
    }
  }

  test('A failed client authentication costs as much whether the client is unknown, of another tenant, or has a wrong secret', async () => {
    const client_secret = 'kwc_EXAMPLE';
    const wrong = await costOf({ client_id: local.client.id, client_secret });
    assert.equal(await costOf({ client_id: newOAuthClientId(new Date()), client_secret }), wrong);
    assert.equal(await costOf({ client_id: foreign.client.id, client_secret }), wrong);
    const { client_secret: theirs = '' } = foreign.client;
    assert.equal(await costOf({ client_id: foreign.client.id, client_secret: theirs }), wrong);
  });
});
