import assert from 'node:assert/strict';
import type { webcrypto } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { expectStatus, type RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { newCast } from '../harness/token-cast.ts';
import { claimsOf, headerOf } from '../harness/token.ts';
import { assertRefused } from './refusal.ts';
import { validateStrictly } from './rfc9068.ts';
import { withClaims } from './token-forge.ts';

/** The issuers of the harness's tenants; these names do not resolve. */
const BASE_URL = 'https://id.example.com';
const KEY_SET = '/.well-known/jwks.json';

interface KeySet {
  readonly keys: readonly { readonly kid: string; readonly x: string }[];
}

/** A token with everything that a verifier knows about its issuer. */
interface Case {
  readonly token: string;
  readonly tampered: string;
  readonly issuer: string;
  /** The location of the keys, derived from the issuer only. */
  readonly keySet: string;
}

let keywright: Keywright;
let second: TestTenant;
let cases: readonly Case[];

before(async () => {
  keywright = await startKeywright();
  second = await keywright.tenant('second');
  cases = await Promise.all([
    caseOf(keywright.home, BASE_URL),
    caseOf(second, `${BASE_URL}/t/${second.id}`),
  ]);
});

after(() => keywright.close());

async function caseOf(tenant: TestTenant, issuer: string): Promise<Case> {
  const { token } = await tenant.createUser();
  // These libraries do not know this claim, and must ignore it.
  assert.equal(claimsOf(token).status?.status_list.uri, `${issuer}/status/0`);
  const keySet = `${issuer}${KEY_SET}`.replace(BASE_URL, keywright.url);
  return { token, tampered: withClaims(token, { roles: ['system_admin'] }), issuer, keySet };
}

/** Node's Web Crypto, which the service does not use for signing, with explicit rules. */
async function verifyWithWebCrypto({ keySet, issuer }: Case, tokens: readonly string[]) {
  const { keys } = (await (await fetch(keySet)).json()) as {
    keys: (webcrypto.JsonWebKey & { kid: string })[];
  };
  return Promise.all(
    tokens.map(async (token) => {
      const jwk = keys.find(({ kid }) => kid === headerOf(token).kid) ?? {};
      const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify']);
      const [header, payload, signature = ''] = token.split('.');
      const input = Buffer.from(`${header}.${payload}`);
      const bytes = Buffer.from(signature, 'base64url');
      if (!(await crypto.subtle.verify('Ed25519', key, bytes, input)))
        return 'InvalidSignatureError';
      const claims = claimsOf(token);
      const isGood =
        claims.iss === issuer && claims.aud === issuer && claims.exp > Date.now() / 1000;
      return isGood ? claims : 'InvalidTokenError';
    }),
  );
}

function getKeySet(path: string, options: RequestOptions = {}) {
  return keywright.request<KeySet & ErrorBody>('GET', path, options);
}

/** The key set of an issuer, found by its name only: the harness replaces DNS and TLS. */
function keysOf(issuer: string) {
  return createRemoteJWKSet(new URL(`${issuer}${KEY_SET}`), {
    [customFetch]: (url, options) => fetch(url.replace(BASE_URL, keywright.url), options),
  });
}

describe('an access token is verified by a library that did not make it, and the key set alone (SPEC service 9, SPEC authentication 2)', () => {
  test('An access token is verified in JavaScript with jose and the key set alone', async () => {
    for (const { token, tampered, issuer } of cases) {
      const rules = { issuer, audience: issuer, typ: 'at+jwt', algorithms: ['EdDSA'] };
      const { payload, protectedHeader } = await jwtVerify(token, keysOf(issuer), rules);
      assert.deepEqual(payload, claimsOf(token));
      assert.deepEqual(protectedHeader, headerOf(token));
      const refused = jwtVerify(tampered, keysOf(issuer), rules);
      await assert.rejects(refused, errors.JWSSignatureVerificationFailed);
    }
  });

  test('An access token is verified in JavaScript with Web Crypto and the key set alone', async () => {
    for (const testCase of cases) {
      const answers = await verifyWithWebCrypto(testCase, [testCase.token, testCase.tampered]);
      assert.deepEqual(answers, [claimsOf(testCase.token), 'InvalidSignatureError']);
    }
  });

  test('An access token is not verified with the keys of another tenant', async () => {
    for (const { token, issuer } of cases) {
      const other = cases.find((testCase) => testCase.issuer !== issuer)?.issuer ?? '';
      await assert.rejects(jwtVerify(token, keysOf(other)), errors.JWKSNoMatchingKey);
    }
  });
});

describe('a strict validator of RFC 9068 accepts', () => {
  test('A strict validator of RFC 9068 accepts the tokens of users, agents and delegates, each naming its client', async () => {
    const issuer = `${BASE_URL}/t/${second.id}`;
    const { tokens, robot, drone } = await newCast(second, issuer);
    const clients = {
      ann: 'keywright',
      'ann elsewhere': 'keywright',
      bob: 'keywright',
      'robot by key': robot.agent.id,
      'robot by spare key': robot.agent.id,
      'robot by signature': robot.agent.id,
      'drone by key': drone.agent.id,
      'robot for ann': robot.agent.id,
      'drone for robot for ann': drone.agent.id,
      'drone for bob': drone.agent.id,
    };
    const found = new Map<string, unknown>();
    for (const [name, token] of Object.entries(tokens)) {
      const rules = { issuer, audience: issuer };
      const claims = await validateStrictly(token, keysOf(issuer), rules);
      found.set(name, claims['client_id']);
      // §2.2.1: a delegate or non-user has not authenticated as a user.
      const isUser = claims['client_id'] === 'keywright';
      for (const claim of ['auth_time', 'acr', 'amr']) assert.equal(claim in claims, isUser, name);
      // §2.2: of a client that acts for itself, the subject is the client.
      if (claims.sub?.startsWith('service:')) assert.equal(claims.sub, claims['client_id'], name);
    }
    assert.deepEqual(Object.fromEntries(found), clients);
  });

  test('A strict validator of RFC 9068 accepts the tokens of a refresh and an impersonation', async () => {
    const { refreshToken } = await second.createUser();
    const refreshing = { body: { refresh_token: refreshToken } };
    const impersonation = {
      token: await keywright.adminToken(),
      body: { tenant_id: second.id, reason: 'a test' },
    };
    const issuer = `${BASE_URL}/t/${second.id}`;
    for (const answer of [
      await second.request<TokenAnswer>('POST', '/auth/refresh', refreshing),
      await keywright.home.request<TokenAnswer>('POST', '/auth/impersonate', impersonation),
    ]) {
      const token = expectStatus(200, answer).access_token;
      const claims = await validateStrictly(token, keysOf(issuer), { issuer, audience: issuer });
      assert.equal(claims['client_id'], 'keywright');
      assert.deepEqual([claims['acr'], claims['amr']], ['aal1', ['pwd']]);
      assert.ok(Number(claims['auth_time']) <= Number(claims.iat));
    }
  });
});

test('No tenant can map a custom claim onto client_id', async () => {
  const options = {
    token: await keywright.adminToken(),
    body: { config: { custom_claims: { client_id: 'mine' } } },
  };
  const path = `/tenants/${second.id}`;
  const refused = await keywright.home.request<ErrorBody>('PATCH', path, options);
  assert.equal(expectStatus(400, refused).code, 'CLAIM_RESERVED');
});

/** The claims of the specification, for the second tenant's member. */
test('An access token holds the claims of the specification (SPEC resources access token 1, SPEC resources access token 2, SPEC resources access token 3, SPEC resources access token 4)', async () => {
  const startedAt = Math.floor(Date.now() / 1000);
  const { user, token } = await second.createUser();
  const { jti, iat, exp, sid, ver, status, auth_time, ...claims } = claimsOf(token);
  const issuer = `${BASE_URL}/t/${second.id}`;
  assert.deepEqual(claims, {
    token_type: 'access',
    iss: issuer,
    sub: user.id,
    aud: issuer,
    tenant_id: second.id,
    workspace_id: 'ws_default',
    roles: ['member'],
    scopes: [],
    scope: '',
    client_id: 'keywright',
    acr: 'aal1',
    amr: ['pwd'],
  });
  assert.ok(auth_time !== undefined && startedAt <= auth_time && auth_time <= iat);
  assert.match(jti, /^[\w-]{22}$/);
  assert.match(sid ?? '', /^session:[0-9a-z]{26}$/);
  assert.match(user.id, /^user:[0-9a-z]{26}$/);
  assert.ok(Number.isInteger(iat) && Math.abs(iat - Date.now() / 1000) < 60);
  assert.equal(exp, iat + 3600);
  assert.equal(ver, 0);
  assert.equal(status?.status_list.uri, `${issuer}/status/0`);
  assert.ok(Number.isInteger(status.status_list.idx) && status.status_list.idx > 0);
  const { roles, scopes, scope } = claimsOf(await second.adminToken());
  assert.deepEqual(
    { roles, scopes, scope },
    { roles: ['admin', 'member'], scopes: ['*:*'], scope: '*:*' },
  );
});

describe('the key set', () => {
  test('The key set of each tenant is served by host, by header and by issuer (SPEC endpoints 4, SPEC resources signing keys 1)', async () => {
    const kids = new Set<string>();
    for (const tenant of [keywright.home, second]) {
      const byHost = await getKeySet(KEY_SET, { host: tenant.domains[0] ?? '' });
      const byHeader = await getKeySet(KEY_SET, { tenant: tenant.id });
      const byIssuer = await getKeySet(`/t/${tenant.id}${KEY_SET}`);
      const { keys } = expectStatus(200, byHost);
      assert.equal(byHost.text, byHeader.text);
      assert.equal(byHost.text, byIssuer.text);
      assert.equal(keys.length, 1);
      for (const { kid, x, ...rest } of keys) {
        kids.add(kid);
        assert.deepEqual(rest, { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
        assert.equal(Buffer.from(x, 'base64url').length, 32);
      }
    }
    assert.equal(kids.size, 2);
  });

  test('The key set states its cache lifetime and the headers on which it varies', async () => {
    const byHost = await getKeySet(KEY_SET);
    assert.equal(byHost.headers['vary'], 'X-Tenant-ID, Host');
    for (const { headers } of [byHost, await getKeySet(`/t/${second.id}${KEY_SET}`)]) {
      assert.match(String(headers['cache-control']), /^public, max-age=[1-9]\d*$/);
      assert.match(String(headers['etag']), /^"[\w-]+"$/);
      assert.match(String(headers['content-type']), /^application\/json\b/);
    }
  });

  test('The key set is not sent again if it has not changed', async () => {
    for (const path of [KEY_SET, `/t/${second.id}${KEY_SET}`]) {
      const { headers } = await getKeySet(path);
      const etag = String(headers['etag']);
      // As received, in a list, and weakened by a compressing proxy.
      for (const ifNoneMatch of [etag, `"other", ${etag}`, `W/${etag}`]) {
        const again = await getKeySet(path, { headers: { 'if-none-match': ifNoneMatch } });
        assert.equal(again.status, 304);
        assert.equal(again.text, '');
        assert.equal(again.headers['etag'], etag);
        assert.equal(again.headers['cache-control'], headers['cache-control']);
      }
      const other = await getKeySet(path, { headers: { 'if-none-match': '"other"' } });
      assert.equal(other.status, 200);
    }
  });

  test('The key set of an unknown tenant is refused with 400 TENANT_NOT_FOUND', async () => {
    assertRefused(await getKeySet(`/t/org_nobody${KEY_SET}`), '400 TENANT_NOT_FOUND');
    assertRefused(
      await getKeySet(KEY_SET, { host: 'unknown.example.com' }),
      '400 TENANT_NOT_FOUND',
    );
  });
});
