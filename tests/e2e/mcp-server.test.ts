// The example of an MCP server, with the clients of the official SDKs.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DpopSession } from '@modelcontextprotocol/client';
import { systemClock } from '@keywright/server/platform/clock';
import { BEHIND_PROXY, fromAnotherAddress } from '../harness/addresses.ts';
import { Authority } from '../harness/certificate.ts';
import { UserBrowser } from '../harness/code-login.ts';
import { registerApplication } from '../harness/login-pages.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import {
  connectOne,
  connectTwo,
  MCP_CALLBACK,
  McpProvider,
  type ProviderOptions,
} from '../harness/mcp.ts';
import { answerJson } from '../harness/outside-issuer.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { freePort, type Program, startProgram } from '../harness/program.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { enrollTotp, totpOf } from '../harness/totp.ts';
import { until } from '../harness/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let keywright: Keywright;
let tenant: TestTenant;
let issuer: string;
let resource: string;
let server: Program;
/** The host of the clients' metadata documents. */
let publisher: Receiver;

before(async () => {
  const port = await freePort();
  const authority = new Authority();
  publisher = await startReceiver(
    (request, response) => answerJson(response, documentAt(request.url ?? '')),
    { certificate: authority.issue(['localhost']) },
  );
  keywright = await startKeywright({
    env: {
      KEYWRIGHT_PORT: String(port),
      KEYWRIGHT_BASE_URL: `http://127.0.0.1:${port}`,
      KEYWRIGHT_EGRESS_ALLOW: 'localhost',
      ...BEHIND_PROXY,
    },
    outside: { ca: authority.ca },
  });
  tenant = await keywright.tenant('acme', {
    config: {
      oauth_dpop_nonces: true,
      oauth_registration: 'open',
      oauth_client_domains: ['localhost'],
      login_attempts_limit: 1000,
    },
  });
  issuer = `${keywright.url}/t/${tenant.id}`;
  const serverPort = String(await freePort());
  resource = `http://localhost:${serverPort}/mcp`;
  const body = {
    uri: resource,
    name: 'Notes',
    scopes: [
      { name: 'mcp:read', description: 'Read your notes', requires: null },
      { name: 'mcp:write', description: 'Write and delete notes', requires: null },
    ],
  };
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/resources', { token, body }));
  const args = ['--conditions=@keywright/source', 'examples/mcp-server/server.mjs'];
  const env = { ISSUER: issuer, PORT: serverPort, RESOURCE: resource };
  server = await startProgram(process.execPath, args, { cwd: ROOT, url: resource, env });
});
after(async () => {
  await server?.close();
  await keywright.close();
  await publisher.close();
});

const addressOf = (path: string) => `https://localhost:${publisher.port}${path}`;

/** The metadata document of a client. */
function documentAt(path: string): object {
  return {
    client_id: addressOf(path),
    client_name: 'Acme Assistant',
    redirect_uris: [MCP_CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
}

async function registered(): Promise<string> {
  const { id } = await registerApplication(tenant, {
    name: 'Assistant',
    kind: 'native',
    redirect_uris: [MCP_CALLBACK],
    scopes: ['mcp:read', 'mcp:write', 'offline_access'],
  });
  return id;
}

/** A user with a browser who grants every consent. */
async function newUser() {
  const user = await tenant.createUser();
  const browser = new UserBrowser(tenant, issuer, user, fromAnotherAddress());
  let secret = '';
  const authorize = async (url: URL) => {
    const { host, pathname } = new URL(issuer);
    assert.equal(url.href.split('?')[0], `http://${host}${pathname}/oauth/authorize`);
    let seen = await browser.goThrough(Object.fromEntries(url.searchParams));
    if (seen.actions.includes('totp')) {
      // The code of the current time step was already used to confirm the authenticator.
      seen = await browser.press('totp', { code: totpOf(secret, new Date(Date.now() + 30_000)) });
    }
    if (seen.actions.includes('allow')) seen = await browser.press('allow');
    assert.ok(seen.redirectsTo, `${seen.status} ${seen.title}`);
    return seen.redirectsTo;
  };
  const addAuthenticator = async () => {
    ({ secret } = await enrollTotp(tenant, user.token, systemClock));
  };
  return { user, authorize, addAuthenticator };
}

/** How the service learns about a client, with the client's options before the first login. */
const REGISTRATIONS: Readonly<Record<string, () => Promise<Partial<ProviderOptions>>>> = {
  'that an administrator registered': async () => ({
    client: { client_id: await registered(), issuer },
  }),
  'that registers itself': async () => ({}),
  'with a metadata document': async () => ({ metadataUrl: addressOf('/assistant.json') }),
};

const scopesOf = ({ storedTokens }: McpProvider) => storedTokens?.scope?.split(' ').toSorted();

for (const [way, clientOptions, connect] of Object.entries(REGISTRATIONS).flatMap(
  ([name, options]) =>
    [
      [`${name}, with version 1 of the official SDK,`, options, connectOne],
      [`${name}, with version 2 of the official SDK,`, options, connectTwo],
    ] as const,
)) {
  describe(`a client ${way}`, () => {
    async function start() {
      const { user, authorize, addAuthenticator } = await newUser();
      const provider = new McpProvider({ authorize, ...(await clientOptions()) });
      const client = await connect(resource, provider);
      const clientId = provider.clientInformation()?.client_id;
      return { user, clientId, provider, client, addAuthenticator };
    }

    test('A client logs its user in, and the tools see both the user and the client', async (t) => {
      const { user, clientId, provider, client } = await start();
      t.after(() => client.close());
      assert.deepEqual(client.tools, ['whoami', 'list_notes', 'add_note', 'delete_notes']);
      assert.equal(await client.call('whoami'), `${user.user.id} with ${clientId}`);
      const [authorizationUrl] = provider.sentTo;
      assert.equal(authorizationUrl?.searchParams.get('resource'), resource);
      assert.equal(authorizationUrl?.searchParams.get('code_challenge_method'), 'S256');
      assert.equal(provider.cameBack.get('iss'), issuer);
      assert.equal(claimsOf(provider.storedTokens?.access_token ?? '').aud, resource);
      assert.equal(provider.sentTo.length, 1);
    });

    test('A client refreshes its tokens without its user', async (t) => {
      const { provider, client } = await start();
      t.after(() => client.close());
      const first = provider.storedTokens ?? assert.fail();
      provider.storedTokens = { ...first, access_token: 'expired' };
      assert.match(await client.call('whoami'), /^user:/);
      assert.notEqual(provider.storedTokens.refresh_token, first.refresh_token);
      assert.equal(claimsOf(provider.storedTokens.access_token).aud, resource);
      assert.equal(provider.sentTo.length, 1);
    });

    test('A client requests a further scope from its user when a tool requires it, and keeps the scopes it has', async (t) => {
      const { provider, client } = await start();
      t.after(() => client.close());
      assert.ok(!scopesOf(provider)?.includes('mcp:write'));
      assert.equal(await client.call('add_note', { text: 'Milk' }), 'Noted.');
      assert.equal(provider.sentTo.length, 2);
      assert.match(provider.sentTo[1]?.searchParams.get('scope') ?? '', /mcp:read mcp:write/);
      assert.ok(['mcp:read', 'mcp:write'].every((scope) => scopesOf(provider)?.includes(scope)));
      assert.equal(await client.call('list_notes'), 'Milk');
      assert.equal(provider.sentTo.length, 2);
    });

    test('A client makes its user prove a second factor when a tool requires it', async (t) => {
      const { provider, client, addAuthenticator } = await start();
      t.after(() => client.close());
      await client.call('add_note', { text: 'Milk' });
      await addAuthenticator();
      assert.equal(await client.call('delete_notes'), 'Deleted.');
      const [, , authorizationUrl] = provider.sentTo;
      assert.equal(authorizationUrl?.searchParams.get('acr_values'), 'aal2');
      assert.equal(authorizationUrl?.searchParams.get('max_age'), '300');
      assert.equal(claimsOf(provider.storedTokens?.access_token ?? '')['acr'], 'aal2');
      assert.equal(await client.call('list_notes'), '');
      assert.equal(await client.call('delete_notes'), 'Deleted.');
      assert.equal(provider.sentTo.length, 3);
    });
  });
}

test('A client that has a key gets tokens that are worth nothing without it (RFC 9449)', async (t) => {
  const { user, authorize } = await newUser();
  const dpop = await DpopSession.create();
  const client_id = await registered();
  const provider = new McpProvider({ client: { client_id, issuer }, authorize, dpop });
  const client = await connectTwo(resource, provider);
  t.after(() => client.close());
  assert.equal(await client.call('whoami'), `${user.user.id} with ${client_id}`);
  const { access_token: token = '', token_type: type } = provider.storedTokens ?? {};
  assert.equal(type, 'DPoP');
  assert.deepEqual(claimsOf(token)['cnf'], { jkt: dpop.thumbprint });
  assert.ok(dpop.nonceFor(issuer), 'the service demanded a nonce');
  const stolen = await fetch(resource, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(stolen.status, 401);
  assert.match(stolen.headers.get('www-authenticate') ?? '', /^DPoP error="invalid_token"/);
  assert.equal(await client.call('add_note', { text: 'Milk' }), 'Noted.');
});

describe('the server', () => {
  const call = (token: string, body: unknown) =>
    fetch(resource, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
  const message = (name: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: {} },
  });

  /** A token for `mcp:read`. */
  async function readingToken(): Promise<string> {
    const { authorize } = await newUser();
    const provider = new McpProvider({
      client: { client_id: await registered(), issuer },
      authorize,
    });
    const client = await connectOne(resource, provider);
    await client.close();
    return provider.storedTokens?.access_token ?? '';
  }

  test('The MCP server does not let a client call a tool by hiding it among others', async () => {
    const token = await readingToken();
    for (const body of [
      message('delete_notes'),
      [message('whoami'), message('delete_notes')],
      [[message('delete_notes')]],
    ]) {
      const answer = await call(token, body);
      const text = await answer.text();
      assert.ok(!text.includes('Deleted.'), text);
      assert.ok(answer.status >= 400, text);
    }
    assert.equal((await call(token, [message('whoami')])).status, 200);
  });

  test('The MCP server accepts no token for another audience, and no revoked token', async () => {
    const { token: userToken } = await tenant.createUser();
    assert.equal((await call(userToken, message('whoami'))).status, 401);
    const token = await readingToken();
    const admin = { token: await tenant.adminToken() };
    const path = `/sessions?user_id=${encodeURIComponent(claimsOf(token).sub)}`;
    expectStatus(200, await tenant.request('DELETE', path, admin));
    await until(
      'it is rejected',
      async () => (await call(token, message('whoami'))).status === 401,
    );
  });

  test('The MCP server has no stream to open', async () => {
    const answer = await fetch(resource);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
  });
});
