import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { OAuthResourceRecord } from '@keywright/contract/records/oauth-resource';
import { ROUTES } from '@keywright/contract/routes';
import {
  newClient,
  proofOf,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '@keywright/tests/harness/code-login';
import { type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';

const FILES = 'https://files.example.com/mcp';
const MAIL = 'https://mail.example.com/';
const NO_TARGET = '400 invalid_target TARGET_INVALID';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let server: TestAgent;
let files: OAuthResourceRecord;
let browser: UserBrowser;

before(async () => {
  keywright = await startKeywright({ nodes: 2 });
  tenant = await keywright.tenant('resource-tokens');
  const token = await tenant.adminToken();
  const role = { name: 'filer', scopes: ['read:files', 'write:files'] };
  expectStatus(201, await tenant.request('POST', '/roles', { token, body: role }));
  user = await tenant.createUser({ roles: ['filer'] });
  server = await tenant.createAgent({ scopes: ['read:files'] });
  files = await register({
    uri: FILES,
    name: 'Acme Files',
    scopes: [
      { name: 'files:share', description: 'Share your files', requires: 'write:files' },
      { name: 'files:wipe', description: 'Wipe the disk', requires: 'delete:disks' },
      { name: 'read:files', description: 'Read your files' },
    ],
    token_ttl: 600,
    served_by: [server.agent.id],
  });
  await register({
    uri: MAIL,
    name: 'Mail',
    scopes: [{ name: 'files:share', description: 'Attach', requires: null }],
  });
  const scopes = ['openid', 'profile', 'offline_access', 'files:share', 'files:wipe', '*:files'];
  client = await newClient(tenant, { scopes });
  browser = new UserBrowser(tenant, issuer(), user);
});
after(() => keywright.close());

const issuer = () => `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;

async function register(body: object): Promise<OAuthResourceRecord> {
  const options = { token: await tenant.adminToken(), body };
  return expectStatus(
    201,
    await tenant.request<OAuthResourceRecord>('POST', '/resources', options),
  );
}

async function keySet() {
  const keys = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
  return createLocalJWKSet(keys.body);
}

const SCOPE = 'openid profile offline_access files:share files:wipe read:files write:files';
const requestFor = (resource: string) => ({ scope: SCOPE, resource });

async function statusOf(token: string, { agent, key }: TestAgent): Promise<JsonBody> {
  const body = { token, client_id: agent.id, client_secret: key };
  return expectStatus(200, await tenant.request('POST', '/oauth/introspect', { body }));
}

describe('an access token for a resource', () => {
  test('An access token for a resource has its URI as audience, and only scopes it has and the user can grant', async () => {
    const tokens = await browser.tokensFor(client, requestFor(FILES));
    const keys = await keySet();
    const { payload } = await jwtVerify(tokens.access_token, keys, {
      issuer: issuer(),
      audience: FILES,
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
    });
    assert.deepEqual(payload['scopes'], ['files:share', 'read:files']);
    assert.equal(payload['scope'], 'profile offline_access files:share read:files');
    assert.deepEqual([payload['roles'], payload.sub], [[], user.user.id]);
    assert.equal(Number(payload.exp) - Number(payload.iat), 600);
    assert.deepEqual([tokens.scope, tokens.expires_in], [payload['scope'], 600]);
    const id = await jwtVerify(tokens.id_token ?? '', keys, { audience: client.id });
    assert.equal(id.payload.sub, user.user.id);
  });

  test('An access token for a resource is the same after a refresh, and follows the permissions of the user', async () => {
    const tokens = await browser.tokensFor(client, requestFor(FILES));
    const next = expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token));
    const { aud, scopes } = claimsOf(next.access_token);
    assert.deepEqual([aud, scopes], [FILES, ['files:share', 'read:files']]);
    const narrowed = { scope: 'openid read:files' };
    const narrower = expectStatus(
      200,
      await refreshWith(tenant, client, next.refresh_token, narrowed),
    );
    assert.deepEqual(claimsOf(narrower.access_token).scopes, ['read:files']);
    const token = await tenant.adminToken();
    const change = (roles: readonly string[]) =>
      tenant.request('PATCH', `/users/${user.user.id}`, { token, body: { roles } });
    expectStatus(200, await change(['member']));
    const last = expectStatus(200, await refreshWith(tenant, client, narrower.refresh_token));
    assert.deepEqual(claimsOf(last.access_token).scopes, []);
    expectStatus(200, await change(['filer']));
  });

  test('A resource is requested with the path / or without a path, and by no other spelling of its URI', async () => {
    for (const [uri, requested] of [
      ['https://bare.example.com', 'https://bare.example.com/'],
      ['https://slash.example.com/', 'https://slash.example.com'],
    ] as const) {
      const scopes = [{ name: 'files:share', description: 'Use', requires: null }];
      await register({ uri, name: 'Bare', scopes });
      const scope = 'files:share';
      const tokens = await browser.tokensFor(
        client,
        { scope, resource: requested },
        { resource: requested },
      );
      assert.equal(claimsOf(tokens.access_token).aud, uri);
    }
    for (const resource of [
      `${FILES}/`,
      'https://bare.example.com//',
      'https://bare.example.com?',
      'https://bare.example.com/?',
      'HTTPS://bare.example.com',
      'https://bare.example.com/mcp',
    ]) {
      const { redirectsTo } = await browser.authorize(requestOf(client, { resource }));
      assert.equal(redirectsTo?.searchParams.get('error'), 'invalid_target', resource);
    }
  });

  test('Each token request chooses one of the resources that the authorization request named', async () => {
    const uris = [FILES, MAIL];
    const query = new URLSearchParams(requestOf(client, { scope: SCOPE }));
    for (const uri of uris) query.append('resource', uri);
    const code = async () => {
      const path = `${new URL(issuer()).pathname}/oauth/authorize?${query.toString()}`;
      let seen = await browser.open(path);
      if (seen.actions.includes('allow')) seen = await browser.press('allow');
      return seen.redirectsTo?.searchParams.get('code') ?? '';
    };
    const issuedCode = await code();
    assert.equal(oauthError(await redeem(tenant, client, issuedCode)), NO_TARGET, 'none is chosen');
    const tokens = expectStatus(200, await redeem(tenant, client, issuedCode, { resource: MAIL }));
    assert.equal(claimsOf(tokens.access_token).aud, MAIL);
    assert.deepEqual(claimsOf(tokens.access_token).scopes, ['files:share']);
    const other = { resource: FILES };
    const next = expectStatus(200, await refreshWith(tenant, client, tokens.refresh_token, other));
    assert.equal(claimsOf(next.access_token).aud, FILES);
    assert.equal(oauthError(await refreshWith(tenant, client, next.refresh_token)), NO_TARGET);
    for (const resource of [issuer(), 'https://unknown.example.com/', FILES.toUpperCase()]) {
      const refused = await refreshWith(tenant, client, next.refresh_token, { resource });
      assert.equal(oauthError(refused), NO_TARGET, resource);
    }
    expectStatus(200, await refreshWith(tenant, client, next.refresh_token, other));
  });

  test('A code for one resource gives no token for another, and remains usable', async () => {
    const code = await browser.codeFor(client, requestFor(FILES));
    for (const resource of [MAIL, issuer()]) {
      assert.equal(oauthError(await redeem(tenant, client, code, { resource })), NO_TARGET);
    }
    expectStatus(200, await redeem(tenant, client, code, { resource: FILES }));
    const plain = await browser.codeFor(client);
    assert.equal(oauthError(await redeem(tenant, client, plain, { resource: FILES })), NO_TARGET);
    expectStatus(200, await redeem(tenant, client, plain, { resource: issuer() }));
  });

  test('An authorization request for a resource that the tenant does not have returns invalid_target', async () => {
    const elsewhere = await keywright.tenant('resource-elsewhere');
    const uri = 'https://theirs.example.com/';
    const options = { token: await elsewhere.adminToken(), body: { uri, name: 'Theirs' } };
    expectStatus(201, await elsewhere.request('POST', '/resources', options));
    for (const resource of [uri, 'https://unknown.example.com/']) {
      const seen = await browser.authorize(requestOf(client, { resource }));
      const { error, iss } = Object.fromEntries(seen.redirectsTo?.searchParams ?? []);
      assert.deepEqual([error, iss], ['invalid_target', issuer()]);
    }
  });
});

/** A page without the marks around names (`bdi`). */
function plainOf(page: string): string {
  return page.replaceAll(/<\/?bdi>/g, '');
}

describe('the consent page', () => {
  test('The consent page shows how a resource describes its scopes, and asks for consent to each resource', async () => {
    const visitor = new UserBrowser(
      tenant,
      issuer(),
      await tenant.createUser({ roles: ['filer'] }),
    );
    const other = await newClient(tenant, { scopes: client.scopes });
    await visitor.tokensFor(other);
    const seen = await visitor.authorize(requestOf(other, requestFor(FILES)));
    const text = plainOf(seen.text);
    for (const scope of ['Acme Files: Share your files', 'Acme Files: Read your files']) {
      assert.ok(text.includes(scope), scope);
    }
    assert.ok(!text.includes('Wipe the disk'), 'what the user lacks is not asked for');
    assert.ok(!text.includes('Acme Files: Change'), 'nor what the resource has not');
    await visitor.press('allow');
    const again = await visitor.authorize(requestOf(other, requestFor(FILES)));
    assert.ok(again.redirectsTo?.searchParams.has('code'));
    const mail = await visitor.authorize(requestOf(other, requestFor(MAIL)));
    assert.ok(plainOf(mail.text).includes('Mail: Attach'), mail.text);
  });

  test('A consent lists its resources, and forgets them when it is revoked', async () => {
    const person = await tenant.createUser({ roles: ['filer'] });
    const visitor = new UserBrowser(tenant, issuer(), person);
    await visitor.tokensFor(client, requestFor(FILES));
    const list = () =>
      tenant.request<{ items: { id: string; resources: object[] }[] }>('GET', '/me/consents', {
        token: person.token,
      });
    const [consent] = expectStatus(200, await list()).items;
    const scopes = ['files:share', 'read:files'];
    assert.deepEqual(consent?.resources, [
      { id: files.id, tenant_id: tenant.id, uri: FILES, name: 'Acme Files', scopes },
    ]);
    const { token } = person;
    expectStatus(200, await tenant.request('DELETE', `/me/consents/${consent?.id}`, { token }));
    const seen = await visitor.authorize(requestOf(client, requestFor(FILES)));
    assert.ok(seen.actions.includes('allow'));
    await visitor.goThrough(requestOf(client));
    assert.deepEqual(expectStatus(200, await list()).items[0]?.resources, []);
  });
});

describe('a token for a resource is for that resource alone', () => {
  for (const [algorithm, expected] of [
    ['EdDSA', 'at+jwt'],
    ['ES256', 'at+jwt'],
    ['RS256', 'at+jwt'],
    ['EdDSA', 'JWT'],
    ['ES256', 'JWT'],
  ] as const) {
    test(`A token for a resource, signed with ${algorithm} and of the type ${expected}, works at no route of the service, and its client and server can introspect it`, async () => {
      const uri = `https://${algorithm.toLowerCase()}.example.com/${expected}`;
      await register({
        uri,
        name: algorithm,
        access_token_signing_alg: algorithm,
        access_token_typ: expected,
        served_by: [server.agent.id],
      });
      const tokens = await browser.tokensFor(client, {
        scope: 'openid offline_access',
        resource: uri,
      });
      const { access_token: token } = tokens;
      const { alg, typ } = decodeProtectedHeader(token);
      assert.deepEqual([alg, typ], [algorithm, expected]);
      await jwtVerify(token, await keySet(), { audience: uri, issuer: issuer() });
      for (const path of ['/me', '/oauth/userinfo', '/sessions', '/users']) {
        assert.equal((await tenant.request('GET', path, { token })).status, 401, path);
      }
      const verify = { token: server.key, body: { token } };
      const verified = await tenant.request('POST', '/auth/verify-token', verify);
      assert.deepEqual(expectStatus(200, verified), { active: false });

      const status = await statusOf(token, server);
      assert.deepEqual(
        [status['active'], status['aud'], status['client_id']],
        [true, uri, client.id],
      );
      assert.deepEqual(await statusOf(token, await tenant.createAgent()), { active: false });
      const parameters = { token, ...proofOf(client) };
      const asClient = await tenant.request('POST', '/oauth/introspect', { body: parameters });
      assert.equal(expectStatus(200, asClient)['active'], true);
      expectStatus(200, await tenant.request('POST', '/oauth/revoke', { body: parameters }));
      assert.deepEqual(await statusOf(token, server), { active: false });
      const refused = await refreshWith(tenant, client, tokens.refresh_token);
      assert.equal(oauthError(refused), '400 invalid_grant GRANT_INVALID');
    });
  }

  test('A token for a resource is rejected by every route that needs a token', async () => {
    const { access_token: token } = await browser.tokensFor(client, requestFor(FILES));
    const routes = ROUTES.filter(({ access }) => typeof access === 'object' || access === 'user');
    for (const { method, path } of routes) {
      const at = path.replace('/api/sso/v1', '').replaceAll(/:\w+/g, 'x');
      const answer = await tenant.request(method, at, { token });
      assert.equal(answer.status, 401, `${method} ${path}`);
    }
  });
});

describe('an agent', () => {
  const requestToken = (more: Readonly<Record<string, string>>) =>
    postToken(tenant, {
      grant_type: 'client_credentials',
      client_id: server.agent.id,
      client_secret: server.key,
      ...more,
    });

  test('An agent gets a token for a resource with the scopes that it holds there', async () => {
    const tokens = expectStatus(200, await requestToken({ resource: FILES }));
    const { aud, scopes, exp, iat } = claimsOf(tokens.access_token);
    assert.deepEqual([aud, scopes, exp - iat], [FILES, ['read:files'], 600]);
    assert.equal((await tenant.request('GET', '/me', { token: tokens.access_token })).status, 401);
    const refused = await requestToken({ resource: FILES, scope: 'files:share' });
    assert.equal(oauthError(refused), '400 invalid_scope SCOPE_INVALID');
    assert.equal(
      oauthError(await requestToken({ resource: 'https://unknown.example.com/' })),
      NO_TARGET,
    );
  });
});

test('A deleted resource gets no further tokens, and its tokens are inactive immediately', async () => {
  const uri = 'https://gone.example.com/';
  const { id } = await register({ uri, name: 'Gone', served_by: [server.agent.id] });
  const tokens = await browser.tokensFor(client, { scope: 'openid offline_access', resource: uri });
  assert.equal((await statusOf(tokens.access_token, server))['active'], true);
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('DELETE', `/resources/${id}`, { token }));
  assert.deepEqual(await statusOf(tokens.access_token, server), { active: false });
  assert.equal(oauthError(await refreshWith(tenant, client, tokens.refresh_token)), NO_TARGET);
});
