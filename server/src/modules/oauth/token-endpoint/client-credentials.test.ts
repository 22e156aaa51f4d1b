import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { NewAgent, NewKey, TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf, headerOf } from '@keywright/tests/harness/token';
import {
  postToken,
  getToken,
  oauthError,
  type TokenParameters,
} from '@keywright/tests/harness/token-endpoint';

const DAY = 86_400;
const SCOPES = ['*:invoices', 'read:users'];

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('mill', { config: { custom_claims: { plan: 'gold' } } });
});

after(() => keywright.close());

/** An agent and the parameters of its token request. */
async function newClient(newAgent: NewAgent = { scopes: SCOPES }, key: NewKey = {}) {
  const made = await tenant.createAgent(newAgent, key);
  const parameters = {
    grant_type: 'client_credentials',
    client_id: made.agent.id,
    client_secret: made.key,
  };
  return {
    ...made,
    parameters,
    requestToken: (more = {}) => postToken(tenant, { ...parameters, ...more }),
  };
}

function change(agentId: string, body: object) {
  return asAdmin('PATCH', `/agents/${agentId}`, { body });
}

async function asAdmin(method: string, path: string, options: object = {}) {
  const token = await tenant.adminToken();
  return expectStatus(200, await tenant.request(method, path, { token, ...options }));
}

async function assertAccepted(token: string): Promise<void> {
  for (const node of [0, 1]) expectStatus(200, await tenant.request('GET', '/me', { token, node }));
}

async function assertRefused(token: string): Promise<void> {
  for (const node of [0, 1]) {
    const answer = await tenant.request<ErrorBody>('GET', '/me', { token, node });
    assert.equal(expectStatus(401, answer).code, 'TOKEN_INVALID');
  }
}

describe('the token of an agent by its API key', () => {
  test('The token of an agent by its API key names agent, key and scopes, and has no refresh token (SPEC resources access token 3b, SPEC authentication 5)', async () => {
    const { agent, record, requestToken } = await newClient();
    const answer = await requestToken();
    const { access_token: token, ...rest } = expectStatus(200, answer);
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: SCOPES.join(' ') });
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['pragma'], 'no-cache');
    assert.deepEqual([headerOf(token).typ, headerOf(token).alg], ['at+jwt', 'EdDSA']);
    const { jti, iat, exp, status, ...claims } = claimsOf(token);
    assert.equal(status?.status_list.uri, `${claims.iss}/status/0`);
    assert.ok(jti.length > 16);
    assert.equal(exp - iat, 3600);
    assert.deepEqual(claims, {
      plan: 'gold',
      token_type: 'access',
      iss: `https://id.example.com/t/${tenant.id}`,
      aud: `https://id.example.com/t/${tenant.id}`,
      sub: agent.id,
      tenant_id: tenant.id,
      workspace_id: 'ws_default',
      roles: [],
      scopes: SCOPES,
      scope: SCOPES.join(' '),
      client_id: agent.id,
      key_id: record.id,
      ver: 0,
    });
  });

  test('The token of an agent by its API key is accepted on every route whose scope the agent has (SPEC authentication 1b)', async () => {
    const { agent, parameters } = await newClient();
    const token = await getToken(tenant, parameters);
    assert.deepEqual((await tenant.request('GET', '/me', { token })).body, agent);
    expectStatus(200, await tenant.request('GET', '/users', { token }));
    expectStatus(403, await tenant.request('GET', '/roles', { token }));
  });

  test('The token of an agent by its API key expires no later than the key', async () => {
    const { record, parameters } = await newClient({}, { expires_in_days: 1 });
    keywright.clock.advance(DAY - 100);
    const { access_token: token, expires_in: seconds } = expectStatus(
      200,
      await postToken(tenant, parameters),
    );
    assert.equal(seconds, 100);
    assert.equal(claimsOf(token).exp, Math.floor(Date.parse(record.expires_at) / 1000));
    await assertAccepted(token);
    keywright.clock.advance(100);
    await assertRefused(token);
  });

  test('The token of an agent is rejected from the first request after its key or its agent ended, on every node', async () => {
    const workspace = { token: await tenant.adminToken(), body: { name: 'Elsewhere' } };
    const { id } = expectStatus(201, await tenant.request('POST', '/workspaces', workspace));
    const ends: Readonly<Record<string, (agentId: string, keyId: string) => Promise<unknown>>> = {
      'the key is revoked': (_agent, keyId) => asAdmin('DELETE', `/apikeys/${keyId}`),
      'the agent is made inactive': (agentId) => change(agentId, { is_active: false }),
      'the agent may do less': (agentId) => change(agentId, { scopes: ['read:users'] }),
      'the agent is elsewhere': (agentId) => change(agentId, { workspace_id: id }),
      'the agent is deleted': (agentId) => asAdmin('DELETE', `/agents/${agentId}`),
    };
    for (const [what, end] of Object.entries(ends)) {
      const { agent, record, parameters } = await newClient();
      const token = await getToken(tenant, parameters);
      await assertAccepted(token);
      await end(agent.id, record.id);
      await assertRefused(token).catch((error: Error) => assert.fail(`${what}: ${error.message}`));
    }
  });
});

describe('the scopes of a token', () => {
  test('The scopes of a token are the requested ones, never more than the agent and the key have', async () => {
    const { requestToken } = await newClient(
      { scopes: ['*:invoices', 'read:*'] },
      { scopes: ['read:invoices', 'write:invoices', 'read:users'] },
    );
    const cases: Readonly<Record<string, string>> = {
      '': 'read:invoices read:users write:invoices',
      ' ': 'read:invoices read:users write:invoices',
      'read:users': 'read:users',
      'write:invoices read:invoices write:invoices': 'write:invoices read:invoices',
    };
    for (const [requested, granted] of Object.entries(cases)) {
      const { scope, access_token: token } = expectStatus(
        200,
        await requestToken({ scope: requested }),
      );
      assert.equal(scope, granted, requested);
      assert.deepEqual(claimsOf(token).scopes, granted.split(' '));
    }
    for (const [requested, missing] of [
      ['delete:invoices', 'delete:invoices'],
      ['read:users *:invoices read:*', '*:invoices, read:*'],
      ['*:*', '*:*'],
    ] as const) {
      const answer = await requestToken({ scope: requested });
      assert.equal(oauthError(answer), '400 invalid_scope SCOPE_INVALID');
      assert.equal(answer.body.error_description, `These scopes cannot be granted: ${missing}.`);
    }
  });

  test('The scopes of a token request are rejected in any other format', async () => {
    const { requestToken } = await newClient({ scopes: ['*:*'] });
    const many = Array.from({ length: 129 }, (_, index) => `read:r${index}`).join(' ');
    for (const scope of ['*', '[]', 'openid', 'read', 'read:users,write:users', many]) {
      assert.equal(
        oauthError(await requestToken({ scope })),
        '400 invalid_scope SCOPE_INVALID',
        scope,
      );
    }
  });

  test('The token of an agent without any scopes has none', async () => {
    const { requestToken } = await newClient({});
    const { scope, access_token: token } = expectStatus(200, await requestToken());
    assert.deepEqual([scope, claimsOf(token).scopes], ['', []]);
    assert.equal(
      oauthError(await requestToken({ scope: 'read:users' })),
      '400 invalid_scope SCOPE_INVALID',
    );
  });
});

describe('a client that fails authentication', () => {
  test('A client that fails authentication gets the same error, whatever is wrong', async () => {
    const client = await newClient();
    const other = await newClient();
    const inactive = await newClient();
    await change(inactive.agent.id, { is_active: false });
    const revoked = await newClient();
    await asAdmin('DELETE', `/apikeys/${revoked.record.id}`);
    const gone = await newClient();
    await asAdmin('DELETE', `/agents/${gone.agent.id}`);
    const elsewhere = await newClient({}, { allowed_ips: ['192.0.2.1'] });
    const abroad = await (await keywright.tenant('abroad')).createAgent();
    const wrong: Readonly<Record<string, TokenParameters>> = {
      'the key of another agent': { ...client.parameters, client_secret: other.key },
      'a mistyped key': { ...client.parameters, client_secret: `${client.key.slice(0, -1)}-` },
      'no key': { ...client.parameters, client_secret: '' },
      'no id': { ...client.parameters, client_id: '' },
      'an unknown agent': { ...client.parameters, client_id: gone.agent.id },
      'the id of a user': { ...client.parameters, client_id: client.agent.owner_id ?? '' },
      'an inactive agent': inactive.parameters,
      'a revoked key': revoked.parameters,
      'a deleted agent': gone.parameters,
      'another address': elsewhere.parameters,
      'another tenant': {
        ...client.parameters,
        client_id: abroad.agent.id,
        client_secret: abroad.key,
      },
    };
    const answers = new Set<string>();
    for (const [what, parameters] of Object.entries(wrong)) {
      const answer = await postToken(tenant, parameters);
      assert.equal(oauthError(answer), '401 invalid_client CLIENT_INVALID', what);
      assert.equal(answer.headers['www-authenticate'], 'Basic realm="keywright", charset="UTF-8"');
      answers.add(answer.text);
    }
    assert.equal(answers.size, 1);
    expectStatus(200, await client.requestToken());
  });

  test('A client with an expired key is rejected', async () => {
    const { requestToken } = await newClient({}, { expires_in_days: 1 });
    keywright.clock.advance(DAY);
    assert.equal(oauthError(await requestToken()), '401 invalid_client CLIENT_INVALID');
  });
});

describe('an agent cannot exceed its scopes', () => {
  test("An agent cannot exceed its scopes with its token on administrators' routes (SPEC authentication 9b)", async () => {
    const { agent, parameters } = await newClient({ scopes: ['*:*'] });
    const token = await getToken(tenant, parameters);
    const trust = { issuer: 'https://ci.example.com', audience: 'us', subject: 'me' };
    for (const [method, path, body] of [
      ['PATCH', `/agents/${agent.id}`, { scopes: ['write:tenant'] }],
      ['PATCH', `/agents/${agent.id}`, { trusts: [trust] }],
      ['POST', '/agents', { name: 'another' }],
      ['POST', '/apikeys', { agent_id: agent.id, name: 'another' }],
      ['DELETE', `/agents/${agent.id}`],
    ] as const) {
      const answer = await tenant.request<ErrorBody>(method, path, {
        token,
        ...(body && { body }),
      });
      assert.equal(expectStatus(403, answer).code, 'ADMINISTRATOR_REQUIRED', `${method} ${path}`);
    }
  });

  test('An agent cannot exceed its scopes by exchanging a token with fewer scopes', async () => {
    const { parameters } = await newClient();
    const token = await getToken(tenant, { ...parameters, scope: 'read:users' });
    expectStatus(403, await tenant.request('GET', '/roles', { token }));
    const { client_secret: _, ...rest } = parameters;
    const again = await postToken(tenant, {
      ...rest,
      actor_token: token,
      actor_token_type: TOKEN_TYPE.accessToken,
    });
    assert.equal(oauthError(again), '401 invalid_client CLIENT_INVALID');
  });
});
