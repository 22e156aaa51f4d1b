import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { newDpopKey } from '../../tests/harness/dpop.ts';
import { refusalAnswer, VerificationError } from '../src/errors.ts';
import { metadataAnswer } from '../src/resource/metadata.ts';
import {
  createProtectedResource,
  type ProtectedResourceOptions,
} from '../src/resource/protected-resource.ts';
import type { RequestRequirement } from '../src/verifier/requirements.ts';
import { TestIssuer } from './issuer.ts';
import { assertRefused } from './refused.ts';

const MCP = 'https://mcp.example.com/mcp';
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const SCOPES = ['mcp:read', 'mcp:write'];
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256'];
const ALGS = 'algs="EdDSA Ed25519 ES256"';
const AT = `resource_metadata="${METADATA}"`;

async function scene(t: TestContext, options: Partial<ProtectedResourceOptions> = {}) {
  const issuer = await TestIssuer.start(t);
  const resource = createProtectedResource({
    resource: MCP,
    issuer: issuer.name,
    scopes: SCOPES,
    ...options,
  });
  t.after(() => resource.close());
  const mint = (claims: object = {}) => issuer.mint({ aud: MCP, scopes: ['mcp:read'], ...claims });
  /** The challenge in the response to a request. */
  const challenge = async (
    headers: Readonly<Record<string, string>>,
    requirement: RequestRequirement = { scopes: 'mcp:read' },
  ) => {
    const request = new Request('http://10.0.0.7:3000/mcp', { method: 'POST', headers });
    const error: unknown = await resource.authenticateRequest(request, requirement).catch((e) => e);
    assert.ok(error instanceof VerificationError, 'it was accepted');
    return { error, ...refusalAnswer(error) };
  };
  return { issuer, resource, mint, challenge };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('a protected resource', () => {
  test('A protected resource describes itself (RFC 9728 §2)', async (t) => {
    const { resource, issuer } = await scene(t, {
      name: 'Acme Notes',
      documentation: 'https://docs.example.com',
      policy: 'https://example.com/policy',
      terms: 'https://example.com/terms',
    });
    assert.deepEqual(resource.metadata, {
      resource: MCP,
      authorization_servers: [issuer.name],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'Acme Notes',
      resource_documentation: 'https://docs.example.com',
      resource_policy_uri: 'https://example.com/policy',
      resource_tos_uri: 'https://example.com/terms',
      dpop_signing_alg_values_supported: ALGORITHMS,
      dpop_bound_access_tokens_required: false,
    });
    assert.equal(resource.metadataUrl, METADATA);
  });

  test('A protected resource has its metadata between its host and its path (RFC 9728 §3.1)', () => {
    for (const [resource, path] of [
      ['https://mcp.example.com', ''],
      ['https://mcp.example.com/', ''],
      ['https://mcp.example.com/mcp/', '/mcp/'],
      ['https://mcp.example.com:8443/a/b', '/a/b'],
      ['http://localhost:3000/mcp', '/mcp'],
    ] as const) {
      const made = createProtectedResource({ resource, issuer: 'https://id.example.com' });
      assert.equal(made.metadataPath, `/.well-known/oauth-protected-resource${path}`);
      assert.equal(new URL(made.metadataUrl).origin, new URL(resource).origin);
      assert.equal(made.metadata.resource, resource);
    }
  });

  test('A protected resource with an invalid address, scope or link is rejected on creation', () => {
    const good = { resource: MCP, issuer: 'https://id.example.com' };
    for (const wrong of [
      { resource: 'mcp.example.com' },
      { resource: 'urn:example:mcp' },
      { resource: 'http://mcp.example.com/mcp' },
      { resource: `${MCP}?tenant=a` },
      { resource: `${MCP}?` },
      { resource: `${MCP}#top` },
      { resource: 'https://ada:secret@mcp.example.com/mcp' },
      { scopes: ['mcp:read mcp:write'] },
      { scopes: ['mcp:"read"'] },
      { scopes: [''] },
      { documentation: 'javascript:alert(1)' },
      { policy: 'docs' },
      { terms: 'http://example.com' },
    ]) {
      assert.throws(() => createProtectedResource({ ...good, ...wrong }), TypeError);
    }
    createProtectedResource(good);
  });

  test('A protected resource answers a request without a token, or with a bad one, with where to get one', async (t) => {
    const { issuer, challenge, mint } = await scene(t);
    const parameters = `scope="mcp:read", ${AT}`;
    const missing = await challenge({});
    assert.equal(missing.status, 401);
    assert.equal(missing.headers['www-authenticate'], `Bearer ${parameters}`);
    assert.equal(missing.headers['cache-control'], 'no-store');
    const unknown = await challenge({}, {});
    assert.equal(unknown.headers['www-authenticate'], `Bearer ${AT}`);
    for (const token of ['x', mint({ exp: 1 }), `${mint()}x`, issuer.mint()]) {
      const { status, headers } = await challenge(bearer(token));
      assert.equal(status, 401);
      assert.equal(headers['www-authenticate'], `Bearer error="invalid_token", ${parameters}`);
    }
  });

  test('A protected resource accepts tokens that are for it alone, and no API keys', async (t) => {
    const { issuer, resource, mint } = await scene(t);
    assert.equal((await resource.verify(mint(), { scopes: 'mcp:read' })).aud, MCP);
    for (const aud of [
      issuer.name,
      `${MCP}/`,
      'https://mcp.example.com',
      'HTTPS://mcp.example.com/mcp',
    ]) {
      await assertRefused(resource.verify(mint({ aud })), 'audience');
    }
    await assertRefused(resource.verify(mint({ aud: [MCP, issuer.name] })), 'claims');
    const apiKeys = { auth: { verifyToken: () => assert.fail('it was asked') } };
    const key = resource.authenticate(`Bearer svc_sk_${'a'.repeat(44)}`, { apiKeys });
    await assertRefused(key, 'api_key');
  });

  test('A protected resource names the scopes that the token has along with those that it lacks', async (t) => {
    const { resource, challenge, mint } = await scene(t);
    const { status, headers, error } = await challenge(bearer(mint()), { scopes: SCOPES });
    assert.equal(status, 403);
    const expected = `Bearer error="insufficient_scope", scope="mcp:read mcp:write", ${AT}`;
    assert.equal(headers['www-authenticate'], expected);
    assert.deepEqual(error.missingScopes, ['mcp:write']);
    const claims = await resource.verify(mint());
    assert.throws(
      () => resource.require(claims, { scopes: 'mcp:write' }),
      (thrown: VerificationError) => thrown.wwwAuthenticate === expected,
    );
    resource.require(claims, { scopes: 'mcp:read' });
    assert.throws(
      () => resource.require(claims, { agent: true }),
      (thrown: VerificationError) =>
        thrown.wwwAuthenticate === `Bearer error="insufficient_scope", ${AT}`,
    );
  });

  test('A protected resource requests a recent and strong login, without losing scopes (RFC 9470 §3)', async (t) => {
    const { resource, challenge, mint } = await scene(t);
    const login = { acr: 'aal2', maxAge: 300 } as const;
    const expected = `Bearer error="insufficient_user_authentication", acr_values="aal2", max_age=300, scope="mcp:read", ${AT}`;
    const { status, headers } = await challenge(bearer(mint({ acr: 'aal1' })), login);
    assert.equal(status, 401);
    assert.equal(headers['www-authenticate'], expected);
    const strong = { acr: 'aal2', auth_time: Math.floor(Date.now() / 1000) };
    resource.require(await resource.verify(mint(strong)), login);
    const unknown = { acr: 'aal9' as 'aal2' };
    const claims = await resource.verify(mint(strong));
    assert.throws(() => resource.require(claims, unknown), TypeError);
  });

  test('A protected resource writes nothing that is not a scope into the scope list of a header', async (t) => {
    const { challenge, mint } = await scene(t);
    const evil = ['x", error="y', 'a\r\nset-cookie: b', 'über', '', 'mcp:write'];
    const { headers, status } = await challenge(bearer(mint()), { scopes: evil });
    assert.equal(status, 403);
    const expected = `Bearer error="insufficient_scope", scope="mcp:read mcp:write", ${AT}`;
    assert.equal(headers['www-authenticate'], expected);
    const plain = new VerificationError('scope', { missingScopes: evil });
    const alone = 'Bearer error="insufficient_scope", scope="mcp:write"';
    assert.equal(plain.wwwAuthenticate, alone);
  });

  test('A protected resource accepts tokens that are bound to keys, with proofs for its address', async (t) => {
    const { resource, challenge, mint } = await scene(t);
    const key = await newDpopKey();
    const token = mint({ cnf: { jkt: key.jkt } });
    const send = async (htu: string) => {
      const dpop = await key.prove({ htm: 'POST', htu, accessToken: token });
      return { authorization: `DPoP ${token}`, dpop };
    };
    const headers = await send(MCP);
    await resource.authenticateRequest(
      new Request('http://10.0.0.7:3000/mcp', { method: 'POST', headers }),
    );
    const elsewhere = await challenge(await send('https://evil.example.com/mcp'));
    const expected = `DPoP error="invalid_dpop_proof", ${ALGS}, scope="mcp:read", ${AT}`;
    assert.equal(elsewhere.headers['www-authenticate'], expected);
  });

  test('A protected resource can accept only tokens that are bound to keys', async (t) => {
    const { issuer, resource, challenge, mint } = await scene(t, { dpop: { required: true } });
    assert.equal(resource.metadata.dpop_bound_access_tokens_required, true);
    const more = `scope="mcp:read", ${AT}`;
    const missing = await challenge({});
    assert.equal(missing.headers['www-authenticate'], `DPoP ${ALGS}, ${more}`);
    const plain = await challenge(bearer(mint()));
    assert.equal(plain.error.reason, 'unbound');
    const invalid = `DPoP error="invalid_token", ${ALGS}, ${more}`;
    assert.equal(plain.headers['www-authenticate'], invalid);
    await assertRefused(resource.verify(mint()), 'unbound');
    const key = await newDpopKey();
    const token = mint({ cnf: { jkt: key.jkt } });
    const dpop = await key.prove({ htm: 'POST', htu: MCP, accessToken: token });
    const headers = { authorization: `DPoP ${token}`, dpop };
    const weak = await challenge(headers, { scopes: 'mcp:write' });
    assert.match(weak.headers['www-authenticate'] ?? '', /^DPoP error="insufficient_scope", /);
    const old = await challenge(headers, { maxAge: 1 });
    const start = /^DPoP error="insufficient_user_authentication", max_age=1, /;
    assert.match(old.headers['www-authenticate'] ?? '', start);
    const request = new Request(MCP, { method: 'POST', headers });
    assert.equal((await resource.authenticateRequest(request)).aud, MCP);
    assert.equal(issuer.keySetRequests, 1);
  });

  test('A protected resource sends no challenge while tokens cannot be verified', async (t) => {
    const { issuer, challenge, mint } = await scene(t);
    const token = mint();
    await issuer.goDown();
    const { status, headers } = await challenge(bearer(token));
    assert.equal(status, 503);
    assert.equal(headers['www-authenticate'], undefined);
  });

  test('The metadata of a protected resource can be read by scripts of every origin, and cached', async (t) => {
    const { resource } = await scene(t);
    const open = { 'access-control-allow-origin': '*' };
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = metadataAnswer(resource, method);
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(body), resource.metadata);
      assert.deepEqual(headers, {
        ...open,
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      });
    }
    assert.deepEqual(metadataAnswer(resource, 'OPTIONS'), {
      status: 204,
      headers: {
        ...open,
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': '*',
        'access-control-max-age': '3600',
      },
      body: '',
    });
    const { status, headers } = metadataAnswer(resource, 'POST');
    assert.equal(status, 405);
    assert.equal(headers['allow'], 'GET, HEAD, OPTIONS');
  });
});
