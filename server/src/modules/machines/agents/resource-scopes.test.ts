import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { NewAgent, NewKey, TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { postToken, oauthError } from '@keywright/tests/harness/token-endpoint';

const QUEUE = 'https://queue.example.com/';
const OTHER = 'https://other.example.com/';
const NOT_GRANTED = '400 invalid_scope SCOPE_INVALID';
/** The name of a resource that looks like every permission to a careless comparison. */
const TRICK = '*:*:all';

const SCOPES = [
  { name: 'queue.tag:administrator', description: 'Administer the queue', requires: null },
  { name: 'mcp:tools', description: 'Use the tools', requires: null },
  { name: 'queue.drain', description: 'Empty the queue', requires: 'delete:messages' },
  { name: TRICK, description: 'Everything in the queue' },
  { name: 'read:messages', description: 'Read messages' },
];

let keywright: Keywright;
let tenant: TestTenant;
let roles = 0;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('agent-scopes');
  for (const [uri, scopes] of [
    [QUEUE, SCOPES],
    [OTHER, [{ name: 'mcp:tools', description: 'Use other tools', requires: null }]],
  ] as const) {
    await asAdmin(201, 'POST', '/resources', { uri, name: 'Queue', scopes });
  }
});
after(() => keywright.close());

async function asAdmin(status: number, method: string, path: string, body: object) {
  const token = await tenant.adminToken();
  return expectStatus(status, await tenant.request(method, path, { token, body }));
}

async function newAgent(input: NewAgent = {}, key: NewKey = {}) {
  const { agent, key: secret } = await tenant.createAgent(input, key);
  const who = { client_id: agent.id, client_secret: secret };
  const requestToken = (more: Readonly<Record<string, string>> = { resource: QUEUE }) =>
    postToken(tenant, { grant_type: 'client_credentials', ...who, ...more });
  const scopesAt = async (more?: Readonly<Record<string, string>>) =>
    claimsOf(expectStatus(200, await requestToken(more)).access_token).scopes.toSorted();
  return { agent, key: secret, requestToken, scopesAt };
}

/** An administrator of agents and keys who also holds these scopes. */
async function manager(...scopes: readonly string[]): Promise<string> {
  roles += 1;
  const name = `manager-${roles}`;
  await asAdmin(201, 'POST', '/roles', { name, scopes: ['*:agents', '*:apikeys', ...scopes] });
  return (await tenant.createUser({ roles: [name] })).token;
}

describe('at a resource, an agent', () => {
  test('An agent without scopes receives none at a resource, whether or not it requests a scope', async () => {
    const { requestToken, scopesAt } = await newAgent();
    assert.deepEqual(await scopesAt(), []);
    for (const { name: scope } of SCOPES) {
      assert.equal(oauthError(await requestToken({ resource: QUEUE, scope })), NOT_GRANTED, scope);
    }
  });

  test('An agent receives exactly the resource scopes that were granted to it', async () => {
    const { requestToken, scopesAt } = await newAgent({ scopes: ['mcp:tools', 'read:messages'] });
    assert.deepEqual(await scopesAt(), ['mcp:tools', 'read:messages']);
    assert.deepEqual(await scopesAt({ resource: OTHER }), ['mcp:tools']);
    assert.deepEqual(await scopesAt({ resource: QUEUE, scope: 'mcp:tools' }), ['mcp:tools']);
    const more = await requestToken({
      resource: QUEUE,
      scope: 'mcp:tools queue.tag:administrator',
    });
    assert.equal(oauthError(more), NOT_GRANTED);
  });

  test('An agent receives a resource scope whose required permission it holds', async () => {
    const { scopesAt } = await newAgent({ scopes: ['*:messages'] });
    assert.deepEqual(await scopesAt(), ['queue.drain', 'read:messages']);
  });

  test('An agent that holds every permission does not thereby receive every scope of a resource', async () => {
    const { scopesAt } = await newAgent({ scopes: ['*:*'] });
    assert.deepEqual(await scopesAt(), ['queue.drain', 'read:messages']);
  });

  test('An agent loses a resource scope with the next token after it was taken from the agent', async () => {
    const { agent, scopesAt } = await newAgent({ scopes: ['mcp:tools'] });
    await asAdmin(200, 'PATCH', `/agents/${agent.id}`, { scopes: [] });
    assert.deepEqual(await scopesAt(), []);
  });
});

describe('a resource scope of an agent', () => {
  test('A resource scope of an agent is in a token for the tenant only if it is a permission, and opens no tenant route', async () => {
    const { key, requestToken, scopesAt } = await newAgent({ scopes: ['mcp:tools', TRICK] });
    assert.deepEqual(await scopesAt({}), ['mcp:tools']);
    assert.equal(oauthError(await requestToken({ scope: TRICK })), NOT_GRANTED);
    const answer = await tenant.request<ErrorBody>('GET', '/users', { token: key });
    assert.equal(expectStatus(403, answer).code, 'SCOPE_REQUIRED');
  });

  test('A resource scope of an agent is restricted by the scopes of an API key like a permission', async () => {
    const scopes = ['mcp:tools', 'queue.tag:administrator', '*:messages'];
    const narrow = await newAgent({ scopes }, { scopes: ['mcp:tools'] });
    assert.deepEqual(await narrow.scopesAt(), ['mcp:tools']);
    const empty = await newAgent({ scopes }, { scopes: [] });
    assert.deepEqual(await empty.scopesAt(), []);
    const { agent } = await newAgent({ scopes: ['*:*'] });
    const token = await tenant.adminToken();
    for (const [scope, code] of [
      ['queue.drain', 'SCOPE_NOT_HELD'],
      [TRICK, 'SCOPE_NOT_HELD'],
      ['none', 'VALIDATION_FAILED'],
    ] as const) {
      const body = { agent_id: agent.id, name: 'wide', scopes: [scope] };
      const refused = await tenant.request<ErrorBody>('POST', '/apikeys', { token, body });
      assert.equal(refused.body.code, code, scope);
    }
  });

  test('A resource scope is not lent to an agent by a delegation of a user who holds every permission', async () => {
    const { agent, requestToken } = await newAgent({
      scopes: ['mcp:tools', TRICK, 'read:messages'],
    });
    const user = await tenant.createUser({ roles: ['admin'] });
    const delegation = { agent_id: agent.id, scopes: ['*:*'] };
    const { token } = user;
    const made = await tenant.request('POST', '/me/delegations', { token, body: delegation });
    expectStatus(201, made);
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    };
    const answer = expectStatus(200, await requestToken(exchange));
    assert.deepEqual(claimsOf(answer.access_token).scopes, ['mcp:tools', 'read:messages']);
    assert.equal(oauthError(await requestToken({ ...exchange, scope: TRICK })), NOT_GRANTED);
  });

  test('A scope of an agent must be a permission or a scope of a resource of the tenant', async () => {
    const token = await tenant.adminToken();
    const { agent } = await newAgent();
    for (const scope of ['none', 'openid', 'offline_access', 'read:Messages', 'drain:users']) {
      const body = { name: 'robot', scopes: ['read:users', scope] };
      const created = await tenant.request<ErrorBody>('POST', '/agents', { token, body });
      assert.equal(expectStatus(400, created).code, 'VALIDATION_FAILED', scope);
      assert.equal(created.body.errors?.[0]?.path, '/scopes/1', scope);
      const path = `/agents/${agent.id}`;
      const changed = await tenant.request<ErrorBody>('PATCH', path, { token, body });
      assert.equal(expectStatus(400, changed).code, 'VALIDATION_FAILED', scope);
    }
  });

  test('A resource scope of an agent is granted only by an administrator who holds what it requires', async () => {
    const without = await manager();
    const body = { name: 'robot', scopes: ['mcp:tools', 'queue.drain'] };
    const refused = await tenant.request<ErrorBody>('POST', '/agents', { token: without, body });
    assert.equal(expectStatus(403, refused).code, 'SCOPE_NOT_HELD');
    assert.equal(refused.body.detail, 'You do not hold: mcp:tools, delete:messages.');
    const free = { name: 'robot', scopes: [TRICK] };
    expectStatus(201, await tenant.request('POST', '/agents', { token: without, body: free }));
    const token = await manager('delete:messages', '*:tools');
    expectStatus(201, await tenant.request('POST', '/agents', { token, body }));
  });

  test('An administrator who lacks what a resource scope of an agent requires gets no key of the agent', async () => {
    const { agent } = await newAgent({ scopes: ['queue.drain'] });
    const token = await manager();
    for (const [method, path, body] of [
      ['POST', '/apikeys', { agent_id: agent.id, name: 'mine' }],
      ['PATCH', `/agents/${agent.id}`, { name: 'mine' }],
      ['DELETE', `/agents/${agent.id}`, undefined],
    ] as const) {
      const answer = await tenant.request<ErrorBody>(method, path, {
        token,
        ...(body && { body }),
      });
      assert.equal(expectStatus(403, answer).code, 'SCOPE_NOT_HELD', `${method} ${path}`);
    }
  });
});
