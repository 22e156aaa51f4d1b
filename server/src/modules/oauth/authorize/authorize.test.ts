import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { newPkce, type Seen, Visitor } from '@keywright/tests/harness/visitor';

const CALLBACK = 'https://app.example.com/callback?from=here';
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('authorize');
  user = await tenant.createUser();
  client = await register({});
});
after(() => keywright.close());

async function register(body: object): Promise<CreatedOAuthClient> {
  const token = await tenant.adminToken();
  const metadata = {
    name: 'Invoices <b>',
    kind: 'web',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'email', 'offline_access', 'read:users'],
    ...body,
  };
  const answer = await tenant.request<CreatedOAuthClient>('POST', '/clients', {
    token,
    body: metadata,
  });
  return expectStatus(201, answer);
}

const issuerOf = (of: TestTenant) => `${keywright.nodes[0]?.baseUrl}/t/${of.id}`;
const visitor = (of = tenant) => new Visitor(of, issuerOf(of));
const pkce = newPkce();

function requestWith(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email',
    state: 'a&b"c',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...more,
  };
}

/** Logs in on the pages. @returns the URL at the client to which the browser returns */
async function logIn(browser: Visitor, more: Readonly<Record<string, string>> = {}): Promise<Seen> {
  await browser.authorize(requestWith(more));
  const { identifier, password: secret } = user;
  const seen = await browser.press('login', { identifier, secret });
  return seen.redirectsTo ? seen : browser.press('allow');
}

const returned = ({ redirectsTo }: Seen) => Object.fromEntries(redirectsTo?.searchParams ?? []);
const codeOf = (seen: Seen) => redirectParameter(seen, 'code');
function redirectParameter(seen: Seen, name: string): string {
  const value = seen.redirectsTo?.searchParams.get(name);
  assert.ok(value, `${seen.status} ${seen.title} ${String(seen.redirectsTo)}`);
  return value;
}

function redeem(code: string, more: Readonly<Record<string, string>> = {}, of = client) {
  return postToken(tenant, {
    grant_type: 'authorization_code',
    client_id: of.id,
    ...(of.client_secret && { client_secret: of.client_secret }),
    code,
    redirect_uri: CALLBACK,
    code_verifier: pkce.verifier,
    ...more,
  });
}

describe('a login on the pages', () => {
  test('A login leads through password and consent to a code, which the application exchanges for tokens', async () => {
    const browser = visitor();
    const start = await browser.authorize(requestWith());
    assert.deepEqual([start.status, start.title], [200, 'Sign in']);
    assert.ok(start.text.includes('Invoices &lt;b&gt;'));
    const consent = await browser.press('login', {
      identifier: user.identifier,
      secret: user.password,
    });
    assert.equal(consent.title, 'Invoices <b> wants access to your account');
    const done = await browser.press('allow');
    assert.equal(done.headers.location, undefined, 'a redirect would be blocked by form-action');
    assert.equal(done.redirectsTo?.origin, 'https://app.example.com');
    const { code = '', ...rest } = returned(done);
    assert.deepEqual(rest, { from: 'here', state: 'a&b"c', iss: issuerOf(tenant) });
    const tokens = expectStatus(200, await redeem(code));
    assert.deepEqual([tokens.token_type, tokens.scope], ['Bearer', 'openid email']);
    const claims = claimsOf(tokens.access_token);
    assert.equal(claims['client_id'], client.id);
    assert.equal(claims['sub'], user.user.id);
    assert.deepEqual([claims['roles'], claims['scopes']], [[], []]);
  });

  for (const [wrong, advice] of [
    [{ client_id: 'client_01m81f1h9m6x3r8t2z5w7y0kqd' }, 'client_id must be the ID of an active'],
    [{ redirect_uri: `${CALLBACK}&more=1` }, 'redirect_uri must match one of the redirect_uris'],
  ] as const) {
    test(`A page tells developers what a wrong ${Object.keys(wrong).join()} has to be`, async () => {
      const { status, text, redirectsTo } = await visitor().authorize(requestWith(wrong));
      assert.deepEqual([status, redirectsTo], [400, undefined]);
      assert.ok(text.includes(advice), text);
    });
  }

  test('The page of a failed step shows the error, and keeps what was typed except the password', async () => {
    const browser = visitor();
    await browser.authorize(requestWith());
    const seen = await browser.press('login', {
      identifier: user.identifier,
      secret: 'a guess <i>',
    });
    assert.deepEqual([seen.status, seen.title], [401, 'Sign in']);
    assert.ok(seen.text.includes('role="alert"') && seen.text.includes(user.identifier));
    assert.ok(!seen.text.includes('a guess'), 'the password is not repeated');
  });

  test('The login and its consent are not repeated in the same browser', async () => {
    const browser = visitor();
    await logIn(browser);
    const again = await browser.authorize(requestWith());
    assert.deepEqual([again.status, redirectParameter(again, 'state')], [303, 'a&b"c']);
    const more = await browser.authorize(requestWith({ scope: 'openid email read:users' }));
    const tokens = expectStatus(200, await redeem(codeOf(more)));
    assert.equal(tokens.scope, 'openid email', 'a user cannot grant a permission that they lack');
  });
});

describe('a code', () => {
  test('A code is accepted once', async () => {
    const code = codeOf(await logIn(visitor()));
    expectStatus(200, await redeem(code));
    assert.equal(oauthError(await redeem(code)), '400 invalid_grant GRANT_INVALID');
  });

  test('A code is accepted only as it was written: another text with the same bytes is not the code', async () => {
    const code = codeOf(await logIn(visitor()));
    const refused = '400 invalid_grant GRANT_INVALID';
    expectStatus(200, await redeem(code));
    const bytes = Buffer.from(code, 'base64url');
    // The last character can have bits that belong to no byte, and decoders ignore padding.
    const others = Array.from(BASE64URL, (last) => `${code.slice(0, -1)}${last}`);
    const same = [...others, `${code}=`].filter(
      (text) => text !== code && Buffer.from(text, 'base64url').equals(bytes),
    );
    assert.ok(same.length > 0);
    for (const text of same) assert.equal(oauthError(await redeem(text)), refused, text);
  });

  test('A code has no effect without the verifier, the redirect URI or the client', async () => {
    const other = await register({ name: 'Other' });
    const code = codeOf(await logIn(visitor()));
    const refused = '400 invalid_grant GRANT_INVALID';
    assert.equal(oauthError(await redeem(code, { code_verifier: newPkce().verifier })), refused);
    assert.equal(oauthError(await redeem(code, { code_verifier: '' })), refused);
    assert.equal(oauthError(await redeem(code, { redirect_uri: `${CALLBACK}/` })), refused);
    assert.equal(oauthError(await redeem(code, {}, other)), refused);
    const wrong = { client_secret: other.client_secret ?? '' };
    assert.equal(oauthError(await redeem(code, wrong)), '401 invalid_client CLIENT_INVALID');
    expectStatus(200, await redeem(code));
  });

  test('A code opens no session after the consent is revoked, or the login of the browser has ended', async () => {
    const refused = '400 invalid_grant GRANT_INVALID';
    const revoked = codeOf(await logIn(visitor()));
    const { token } = user;
    const consents = await tenant.request<{ items: { id: string }[] }>('GET', '/me/consents', {
      token,
    });
    const [consent] = expectStatus(200, consents).items;
    expectStatus(200, await tenant.request('DELETE', `/me/consents/${consent?.id}`, { token }));
    assert.equal(oauthError(await redeem(revoked)), refused);
    const ended = codeOf(await logIn(visitor()));
    const sessions = `/sessions?user_id=${user.user.id}`;
    expectStatus(
      200,
      await tenant.request('DELETE', sessions, { token: await tenant.adminToken() }),
    );
    assert.equal(oauthError(await redeem(ended)), refused);
    user = await tenant.createUser();
  });
});

describe('a request in progress', () => {
  test('A request in progress has no effect in another browser', async () => {
    const [browser, other] = [visitor(), visitor()];
    const { hidden } = await browser.authorize(requestWith());
    await other.authorize(requestWith());
    const path = `${new URL(issuerOf(tenant)).pathname}/oauth/continue?request=${hidden['request']}`;
    const seen = await other.open(path);
    assert.equal(seen.status, 400);
    assert.ok(seen.text.includes('FORM_TOO_OLD'));
  });

  test('A request ends in an error when the user declines', async () => {
    const browser = visitor();
    const other = await register({ name: 'Declined' });
    await browser.authorize(requestWith({ client_id: other.id }));
    await browser.press('login', { identifier: user.identifier, secret: user.password });
    assert.equal(returned(await browser.press('deny'))['error'], 'access_denied');
  });
});

test('A refresh token of an application works at the token endpoint, for that application only', async () => {
  const scope = 'openid email offline_access';
  const tokens = expectStatus(200, await redeem(codeOf(await logIn(visitor(), { scope }))));
  const refresh = (of: CreatedOAuthClient, token = tokens.refresh_token ?? '', more = {}) =>
    postToken(tenant, {
      grant_type: 'refresh_token',
      client_id: of.id,
      client_secret: of.client_secret ?? '',
      refresh_token: token,
      ...more,
    });
  const other = await register({ name: 'Other' });
  assert.equal(oauthError(await refresh(other)), '400 invalid_grant GRANT_INVALID');
  const body = { refresh_token: tokens.refresh_token };
  const direct = await tenant.request('POST', '/auth/refresh', { body });
  assert.equal(direct.status, 401, 'it is none of a direct login');
  const next = expectStatus(200, await refresh(client, undefined, { scope: 'openid' }));
  assert.equal(next.scope, 'openid');
  const last = expectStatus(200, await refresh(client, next.refresh_token));
  assert.equal(last.scope, scope);
  const refreshRequest = {
    grant_type: 'refresh_token',
    client_id: client.id,
    client_secret: client.client_secret ?? '',
  };
  const direct2 = await postToken(tenant, { ...refreshRequest, refresh_token: user.refreshToken });
  assert.equal(oauthError(direct2), '400 invalid_grant GRANT_INVALID');
});
