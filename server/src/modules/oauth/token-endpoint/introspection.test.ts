import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OAuthErrorBody } from '@keywright/contract/oauth-error';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { SIGNED_INTROSPECTION } from '@keywright/contract/routes/introspection';
import { UserBrowser, newClient, proofOf, refreshWith } from '@keywright/tests/harness/code-login';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { watchStatements } from '@keywright/tests/harness/statements';
import type {
  RequestToNode,
  TestAgent,
  TestTenant,
  TestUser,
} from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { getToken, oauthError } from '@keywright/tests/harness/token-endpoint';
import { type JSONWebKeySet, createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';

const INACTIVE = { active: false };
/** Functions that reload a node's cached data, because a notification can be late. */
const LOADS = ['kw_load_tenant_and_providers', 'kw_find_clients'];
const SCOPE = { scope: 'openid email offline_access' };

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let robot: TestAgent;
let browser: UserBrowser;
let tokens: ClientTokenAnswer;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('introspection');
  user = await tenant.createUser();
  robot = await tenant.createAgent({ scopes: ['read:users'] });
  client = await newClient(tenant);
  browser = new UserBrowser(tenant, issuer(), user);
  tokens = await browser.tokensFor(client, SCOPE);
});
after(() => keywright.close());

const issuer = () => `${keywright.nodes[0]?.baseUrl}/t/${tenant.id}`;
const proofOfAgent = ({ agent, key }: TestAgent) => ({ client_id: agent.id, client_secret: key });

function introspect(
  token: string | undefined,
  proof: Readonly<Record<string, string>>,
  options: RequestToNode = {},
): Promise<Answer<JsonBody & OAuthErrorBody>> {
  return tenant.request('POST', '/oauth/introspect', {
    rawBody: new URLSearchParams({ token: token ?? '', ...proof }).toString(),
    contentType: 'application/x-www-form-urlencoded',
    ...options,
  });
}

async function statusOf(token: string | undefined, proof = proofOf(client)) {
  return expectStatus(200, await introspect(token, proof)) as JsonBody;
}

describe('introspection', () => {
  test('A client introspects its own access token, and gets its claims (RFC 7662 §2.2)', async () => {
    const { access_token: token } = tokens;
    const claims = { ...claimsOf(token), token_type: 'Bearer', active: true };
    assert.deepEqual(await statusOf(token), claims);
    assert.equal(claims.scope, SCOPE.scope);
  });

  test('A client introspects its refresh token, which is active until it is used', async () => {
    const { refresh_token: token } = await browser.tokensFor(client, SCOPE);
    const { client_id: id, sub, scope, active, token_type } = await statusOf(token);
    assert.deepEqual(
      [id, sub, scope, active, token_type],
      [client.id, user.user.id, SCOPE.scope, true, undefined],
    );
    const next = expectStatus(200, await refreshWith(tenant, client, token));
    assert.deepEqual(await statusOf(token), INACTIVE);
    assert.equal((await statusOf(next.refresh_token))['active'], true);
  });

  test('An agent introspects its own token and API key', async () => {
    const proof = proofOfAgent(robot);
    const token = await getToken(tenant, { grant_type: 'client_credentials', ...proof });
    assert.equal((await statusOf(token, proof))['sub'], robot.agent.id);
    assert.equal((await statusOf(robot.key, proof))['active'], true);
    const another = proofOfAgent(await tenant.createAgent());
    for (const credential of [token, robot.key])
      assert.deepEqual(await statusOf(credential, another), INACTIVE);
  });

  test('A token that has ended is inactive from the next request on', async () => {
    const endedTokens = await browser.tokensFor(client, SCOPE);
    assert.equal((await statusOf(endedTokens.access_token))['active'], true);
    const path = `/sessions/${String(claimsOf(endedTokens.access_token)['sid'])}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: await tenant.adminToken() }));
    for (const token of [endedTokens.access_token, endedTokens.refresh_token]) {
      assert.deepEqual(await statusOf(token), INACTIVE);
    }
  });
});

test('Tokens of other clients, and texts that are not tokens, are inactive without a reason', async () => {
  const other = await newClient(tenant);
  const elsewhere = await keywright.tenant('introspection-elsewhere');
  const theirs = await elsewhere.createUser();
  const unknown = [
    tokens.access_token,
    tokens.refresh_token,
    user.token,
    user.refreshToken,
    theirs.token,
    robot.key,
    `${tokens.access_token}x`,
    'x',
  ];
  const texts = new Set<string>();
  for (const token of unknown) texts.add((await introspect(token, proofOf(other))).text);
  assert.deepEqual([...texts], [JSON.stringify(INACTIVE)]);
});

test('A client that does not authenticate cannot introspect', async () => {
  const publicClient = await newClient(tenant, { kind: 'spa' });
  const proofs = [
    {},
    { client_id: publicClient.id },
    { ...proofOf(client), client_secret: 'kwc_x' },
  ];
  for (const proof of proofs) {
    const answer = await introspect(tokens.access_token, proof);
    assert.equal(oauthError(answer as never), '401 invalid_client CLIENT_INVALID');
  }
  assert.equal((await introspect('', proofOf(client))).body.error, 'invalid_request');
});

describe('a signed response', () => {
  async function signed(token: string, proof: Readonly<Record<string, string>>) {
    const options = { headers: { accept: `${SIGNED_INTROSPECTION}, application/json;q=0.5` } };
    const answer = await introspect(token, proof, options);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['content-type'], SIGNED_INTROSPECTION);
    const keys = await tenant.request<JSONWebKeySet>('GET', '/.well-known/jwks.json');
    const expected = { issuer: issuer(), audience: proof['client_id'] ?? '' };
    const { payload } = await jwtVerify(answer.text, createLocalJWKSet(keys.body), {
      ...expected,
      typ: 'token-introspection+jwt',
    });
    return { payload, algorithm: decodeProtectedHeader(answer.text).alg, text: answer.text };
  }

  test('A signed response has the content of the plain one, the client as its audience, and no lifetime of a token (RFC 9701 §5)', async () => {
    const { payload, algorithm } = await signed(tokens.access_token, proofOf(client));
    assert.equal(algorithm, 'RS256');
    assert.deepEqual(payload['token_introspection'], await statusOf(tokens.access_token));
    assert.deepEqual([payload.exp, payload.sub], [undefined, undefined]);
    const other = await newClient(tenant, { id_token_signed_response_alg: 'ES256' });
    const refused = await signed(tokens.access_token, proofOf(other));
    assert.deepEqual(
      [refused.algorithm, refused.payload['token_introspection']],
      ['ES256', INACTIVE],
    );
  });

  test('A signed response for an agent is EdDSA, and is not usable as a token', async () => {
    const { algorithm, text } = await signed(robot.key, proofOfAgent(robot));
    assert.equal(algorithm, 'EdDSA');
    assert.equal((await tenant.request('GET', '/me', { token: text })).status, 401);
    assert.deepEqual(await statusOf(text, proofOfAgent(robot)), INACTIVE);
  });
});

test('An introspection takes one statement in addition to those that authenticate the client', async () => {
  const proof = proofOf(client);
  await statusOf(tokens.access_token);
  const seen = watchStatements({ untilAnswered: true });
  const counted = () => seen.sent.filter((name) => !LOADS.includes(name)).length;
  try {
    await statusOf('x', proof);
    const without = counted();
    await statusOf(tokens.access_token, proof);
    assert.equal(counted() - without, without + 1, seen.sent.join('\n'));
  } finally {
    seen.stop();
  }
});
