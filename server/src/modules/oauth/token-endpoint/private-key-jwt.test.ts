import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { AgentRecord } from '@keywright/contract/records/agent';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import { newStatementKey, type StatementKey } from '@keywright/tests/harness/statement-key';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const REFUSED = '401 invalid_client CLIENT_INVALID';

let keywright: Keywright;
let tenant: TestTenant;
let key: StatementKey;
let agentId: AgentRecord['id'];

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('smithy');
  key = await newStatementKey('ES256');
  agentId = await newAgent([key]);
});

// Earlier failures no longer count.
beforeEach(() => keywright.clock.advance(61));

after(() => keywright.close());

async function newAgent(keys: readonly StatementKey[]): Promise<AgentRecord['id']> {
  const jwks = { keys: keys.map(({ publicJwk }) => publicJwk) };
  const body = { name: 'smith', scopes: ['read:users', 'write:users'], jwks };
  const token = await tenant.adminToken();
  return expectStatus(201, await tenant.request<AgentRecord>('POST', '/agents', { token, body }))
    .id;
}

function nowSeconds(): number {
  return Math.floor(keywright.clock.now().getTime() / 1000);
}

function claims(changed: object = {}): object {
  return {
    iss: agentId,
    sub: agentId,
    aud: `https://id.example.com/t/${tenant.id}`,
    jti: randomUUID(),
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
    ...changed,
  };
}

function present(assertion: string, more: object = {}, node = 0) {
  const parameters = {
    grant_type: 'client_credentials',
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: assertion,
    ...more,
  };
  return postToken(tenant, parameters, { node });
}

async function change(id: string, body: object) {
  const token = await tenant.adminToken();
  return tenant.request<ErrorBody & AgentRecord>('PATCH', `/agents/${id}`, { token, body });
}

describe('an agent with its own key', () => {
  test('An agent with its own key gets a token with its assertion, with any of the algorithms', async () => {
    for (const alg of ['EdDSA', 'ES256', 'RS256', 'PS256'] as const) {
      const agentKey = await newStatementKey(alg);
      const id = await newAgent([await newStatementKey('EdDSA'), agentKey]);
      const assertion = await agentKey.sign(claims({ iss: id, sub: id }));
      const answer = expectStatus(200, await present(assertion, { scope: 'read:users' }));
      const { sub, client_id: clientId, key_id: keyId, scopes } = claimsOf(answer.access_token);
      assert.deepEqual([sub, clientId, keyId, scopes], [id, id, undefined, ['read:users']], alg);
      expectStatus(200, await tenant.request('GET', '/users', { token: answer.access_token }));
    }
  });

  test('An agent with its own key can name itself, the token endpoint, and the type of its assertion', async () => {
    expectStatus(200, await present(await key.sign(claims()), { client_id: agentId }));
    const aud = 'https://id.example.com/api/sso/v1/auth/token';
    expectStatus(200, await present(await key.sign(claims({ aud }))));
    expectStatus(200, await present(await key.sign(claims({ aud: [aud] }))));
    const typ = 'client-authentication+jwt';
    expectStatus(200, await present(await key.sign(claims(), { typ })));
    expectStatus(200, await present(await key.sign(claims(), { kid: undefined as never })));
  });

  test('An agent can register a key without a kid, and sign without one (RFC 7517 §4.5)', async () => {
    const agentKey = await newStatementKey('RS256');
    const { kid: _, ...publicJwk } = agentKey.publicJwk;
    const token = await tenant.adminToken();
    const createAgent = (keys: object[]) =>
      tenant.request<AgentRecord & ErrorBody>('POST', '/agents', {
        token,
        body: { name: 'nameless', scopes: ['read:users'], jwks: { keys } },
      });
    const { id } = expectStatus(201, await createAgent([publicJwk, key.publicJwk]));
    const signed = async (header: object) =>
      present(await agentKey.sign(claims({ iss: id, sub: id }), header));
    expectStatus(200, await signed({ kid: undefined }));
    assert.equal(oauthError(await signed({})), REFUSED);
    const { kid: __, ...another } = (await newStatementKey('RS256')).publicJwk;
    const { errors } = expectStatus(400, await createAgent([publicJwk, another]));
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/jwks/keys'],
    );
  });

  test('An agent cannot replay an assertion, on any node or concurrently (RFC 7523 §3)', async () => {
    const once = await key.sign(claims());
    const answers = await parallel(8, (index) => present(once, {}, index % 2));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(Map.groupBy(statuses, (status) => status).get(200), [200]);
    assert.equal(statuses.filter((status) => status === 401).length, 7);
    assert.equal(oauthError(await present(once)), REFUSED);
    // The jti is what counts, not the bytes.
    const jti = randomUUID();
    expectStatus(200, await present(await key.sign(claims({ jti }))));
    const later = await key.sign(claims({ jti, exp: nowSeconds() + 120 }));
    assert.equal(oauthError(await present(later)), REFUSED);
  });

  test('An agent uses up only its own assertions, not those of others with the same jti', async () => {
    const other = await newAgent([key]);
    const jti = randomUUID();
    expectStatus(200, await present(await key.sign(claims({ jti }))));
    const theirs = claims({ iss: other, sub: other, jti });
    expectStatus(200, await present(await key.sign(theirs)));
  });

  test('An agent whose keys are changed loses its tokens and cannot authenticate with the previous keys', async () => {
    const id = await newAgent([key]);
    const authenticate = async (by: StatementKey) =>
      present(await by.sign(claims({ iss: id, sub: id })));
    const { access_token: token } = expectStatus(200, await authenticate(key));
    const next = await newStatementKey();
    expectStatus(200, await change(id, { jwks: { keys: [next.publicJwk] } }));
    for (const node of [0, 1]) {
      expectStatus(401, await tenant.request('GET', '/me', { token, node }));
    }
    assert.equal(oauthError(await authenticate(key)), REFUSED);
    expectStatus(200, await authenticate(next));
    expectStatus(200, await change(id, { jwks: null }));
    assert.equal(oauthError(await authenticate(next)), REFUSED);
  });

  test('An agent with its own key is rejected while inactive', async () => {
    const id = await newAgent([key]);
    expectStatus(200, await change(id, { is_active: false }));
    assert.equal(oauthError(await present(await key.sign(claims({ iss: id, sub: id })))), REFUSED);
  });
});

describe('an assertion is rejected', () => {
  const SECONDS = 60;
  const wrong: Readonly<Record<string, () => object>> = {
    'without an end': () => ({ exp: undefined }),
    'that has expired': () => ({ exp: nowSeconds() - 11 }),
    'that lasts longer than five minutes': () => ({ exp: nowSeconds() + 311 }),
    'of later': () => ({ nbf: nowSeconds() + SECONDS }),
    'made later': () => ({ iat: nowSeconds() + SECONDS }),
    'without a jti': () => ({ jti: undefined }),
    'with an empty jti': () => ({ jti: '' }),
    'for another service': () => ({ aud: 'https://other.example.com' }),
    'for another tenant': () => ({ aud: 'https://id.example.com' }),
    'for others besides': () => ({ aud: [`https://id.example.com/t/${tenant.id}`, 'https://b'] }),
    'without an audience': () => ({ aud: undefined }),
    'of another issuer about it': () => ({ iss: 'https://other.example.com' }),
    'about another agent': () => ({ sub: 'service:00000000000000000000000000' }),
    'about an unknown agent': () => ({ iss: 'unknown', sub: 'unknown' }),
  };
  for (const [what, changed] of Object.entries(wrong)) {
    test(what, async () => {
      const answer = await present(await key.sign(claims(changed())));
      assert.equal(oauthError(answer), REFUSED);
    });
  }

  test('A client assertion that is unsigned, signed by another key, or signed with a public key as a secret is rejected', async () => {
    const stranger = await newStatementKey('ES256');
    const assertion = await stranger.sign(claims(), { kid: key.kid });
    const [, payload = ''] = assertion.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const answers = [
      await present(assertion),
      await present(await stranger.sign(claims())),
      await present(`${none}.${payload}.`),
      await present(`${none}.${payload}.AA`),
      await present('x'),
      await present(await key.sign(claims(), { jwk: key.publicJwk })),
      await present(await key.sign(claims(), { typ: 'at+jwt' })),
    ];
    for (const answer of answers) {
      assert.equal(oauthError(answer), REFUSED);
      assert.equal(answer.text, answers[0]?.text);
    }
  });

  test('A client assertion that names another client than the request is rejected', async () => {
    const other = await newAgent([key]);
    const answer = await present(await key.sign(claims()), { client_id: other });
    assert.equal(oauthError(answer), REFUSED);
  });

  test('A client assertion is rejected in another tenant', async () => {
    const other = await keywright.tenant('smithy-2');
    const assertion = await key.sign(claims({ aud: `https://id.example.com/t/${other.id}` }));
    const parameters = {
      grant_type: 'client_credentials',
      client_assertion_type: CLIENT_ASSERTION_TYPE,
      client_assertion: assertion,
    };
    assert.equal(oauthError(await postToken(other, parameters)), REFUSED);
  });

  test('A client assertion without the expected type is rejected', async () => {
    const answer = await present(await key.sign(claims()), { client_assertion_type: 'jwt' });
    assert.equal(oauthError(answer), '400 invalid_request VALIDATION_FAILED');
  });
});

describe('the keys of an agent', () => {
  test('The keys of an agent are shown as they were configured', async () => {
    const id = await newAgent([key]);
    const token = await tenant.adminToken();
    const record = await tenant.request<AgentRecord>('GET', `/agents/${id}`, { token });
    assert.deepEqual(record.body.jwks, { keys: [key.publicJwk] });
  });

  test('The keys of an agent are rejected if private, weak, duplicated, too many or malformed', async () => {
    const { publicJwk, privateJwk } = key;
    const rsa = await newStatementKey('RS256');
    const many = Array.from({ length: 11 }, (_, index) => ({ ...publicJwk, kid: `k${index}` }));
    const { kid: _, ...nameless } = publicJwk;
    for (const keys of [
      [{ ...privateJwk, kid: 'a' }],
      [{ ...rsa.privateJwk, kid: 'a' }],
      [{ ...rsa.publicJwk, n: rsa.publicJwk.n?.slice(0, 300) }],
      [{ ...rsa.publicJwk, e: 'AQ' }],
      [{ ...publicJwk, x: publicJwk.y }],
      [{ ...publicJwk, use: 'enc' }],
      [{ ...publicJwk, x5u: 'https://example.com' }],
      [{ kty: 'oct', k: 'AAAA', kid: 'a' }],
      [nameless, nameless],
      [publicJwk, publicJwk],
      many,
      [],
    ]) {
      const answer = await change(agentId, { jwks: { keys } });
      assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED');
      const secret = privateJwk.d ?? '';
      assert.ok(secret !== '' && !answer.text.includes(secret));
    }
  });
});
