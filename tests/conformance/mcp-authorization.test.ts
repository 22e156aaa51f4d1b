// The checks of `conformance authorization` of the Model Context Protocol, and what else its clients expect of an
// authorization server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newClient, requestOf, exchangeOf, proofOf, UserBrowser } from '../harness/code-login.ts';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { claimsOf } from '../harness/token.ts';
import { postToken } from '../harness/token-endpoint.ts';

const RESOURCE = 'https://mcp.example.com/mcp';
const ISSUER = 'https://id.example.com/t/org_mcp';
const { pathname: PATH, host: HOST, origin: ORIGIN } = new URL(ISSUER);
/** In the order in which clients try them. */
const ADDRESSES = [
  `/.well-known/oauth-authorization-server${PATH}`,
  `/.well-known/openid-configuration${PATH}`,
  `${PATH}/.well-known/openid-configuration`,
];

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('mcp');
  const scopes = [{ name: 'mcp:read', description: 'Read your notes', requires: null }];
  const body = { uri: RESOURCE, name: 'Notes', scopes };
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/resources', { token, body }));
});
after(() => keywright.close());

for (const address of ADDRESSES) {
  describe(`the metadata at ${address}`, () => {
    test('The authorization server metadata is JSON and names the issuer that leads to it', async () => {
      const answer = await keywright.request('GET', address, { host: HOST });
      assert.equal(answer.status, 200);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      const { body } = answer;
      assert.equal(body['issuer'], ISSUER);
      assert.equal(body['authorization_endpoint'], `${ISSUER}/oauth/authorize`);
      assert.equal(typeof body['token_endpoint'], 'string');
      assert.deepEqual(body['response_types_supported'], ['code']);
      assert.deepEqual(body['code_challenge_methods_supported'], ['S256']);
      assert.equal(body['authorization_response_iss_parameter_supported'], true);
    });

    test('The authorization server metadata offers what clients look for: refresh tokens, no secret, DPoP', async () => {
      const { body } = await keywright.request<Record<string, readonly string[]>>('GET', address, {
        host: HOST,
      });
      assert.ok(body['scopes_supported']?.includes('offline_access'));
      assert.ok(body['grant_types_supported']?.includes('refresh_token'));
      assert.ok(body['token_endpoint_auth_methods_supported']?.includes('none'));
      assert.ok(body['dpop_signing_alg_values_supported']?.includes('ES256'));
      assert.deepEqual(body['protected_resources'], [RESOURCE]);
    });

    test('The authorization server metadata can be read by scripts that announce the version of the MCP protocol', async () => {
      const preflight = await keywright.request('OPTIONS', address, {
        host: HOST,
        headers: {
          origin: 'https://client.example.com',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'mcp-protocol-version',
        },
      });
      assert.equal(preflight.status, 200);
      assert.equal(preflight.headers['access-control-allow-origin'], '*');
      const allowed = preflight.headers['access-control-allow-headers'] ?? '';
      assert.match(allowed, /\*|mcp-protocol-version/i);
    });
  });
}

test('The server metadata says that the tenant reads the metadata documents of clients', async () => {
  const open = await keywright.tenant('any', { config: { oauth_metadata_documents: 'any' } });
  const address = `/.well-known/oauth-authorization-server/t/${open.id}`;
  const { body } = await keywright.request('GET', address, { host: HOST });
  assert.equal(body['client_id_metadata_document_supported'], true);
});

describe('a code for a resource', () => {
  async function startAuthorization(fields: object, more: Readonly<Record<string, string>> = {}) {
    const client = await newClient(tenant, { scopes: ['mcp:read', 'offline_access'], ...fields });
    const browser = new UserBrowser(tenant, ISSUER, await tenant.createUser());
    const state = 'state-of-the-request';
    const { scope: _, ...request } = requestOf(client, { resource: RESOURCE, state, ...more });
    const { redirectsTo } = await browser.goThrough(request);
    assert.ok(redirectsTo);
    return { client, redirectsTo, state };
  }

  for (const [kind, fields] of [
    ['a client without a secret', { kind: 'spa' }],
    ['a client with a secret', {}],
  ] as const) {
    test(`An authorization code for a resource is returned once, with its state and issuer, and is exchanged by ${kind}`, async () => {
      const { client, redirectsTo, state } = await startAuthorization(fields);
      assert.ok(redirectsTo.href.startsWith(`${requestOf(client)['redirect_uri']}?`));
      const { searchParams: back } = redirectsTo;
      assert.deepEqual(back.getAll('state'), [state]);
      assert.deepEqual(back.getAll('iss'), [ISSUER]);
      assert.equal(back.getAll('code').length, 1);
      assert.ok(!back.has('error'));
      const answer = await postToken(tenant, {
        ...exchangeOf(back.get('code') ?? ''),
        ...proofOf(client),
        resource: RESOURCE,
      });
      assert.equal(answer.status, 200);
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
      assert.match(answer.headers['cache-control'] ?? '', /\bno-store\b/);
      const { access_token: token, token_type: type, scope, refresh_token: next } = answer.body;
      assert.deepEqual([type, scope], ['Bearer', 'offline_access mcp:read']);
      assert.equal(claimsOf(token).aud, RESOURCE);
      assert.equal(typeof next, 'string');
    });
  }

  test('A request for a resource where nothing can be granted returns an error with the issuer', async () => {
    const { redirectsTo } = await startAuthorization(
      { kind: 'spa', scopes: ['openid'] },
      { prompt: 'none' },
    );
    assert.equal(redirectsTo.searchParams.get('iss'), ISSUER);
    assert.ok(redirectsTo.searchParams.has('error'));
  });
});

test('A script of another origin can exchange its code', async () => {
  const path = `${PATH}/auth/token`;
  const headers = {
    origin: 'https://client.example.com',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,dpop',
  };
  const answer = await keywright.request('OPTIONS', path, { host: HOST, headers });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.match(answer.headers['access-control-allow-headers'] ?? '', /\*|dpop/i);
  const { body } = await keywright.request('GET', ADDRESSES[0] ?? '', { host: HOST });
  assert.equal(body['token_endpoint'], `${ORIGIN}${path}`);
});
