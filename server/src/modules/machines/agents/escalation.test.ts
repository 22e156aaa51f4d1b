import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { AgentRecord } from '@keywright/contract/records/agent';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let roles = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('acme', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

function request<Body = JsonBody>(
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body & ErrorBody>> {
  return tenant.request(method, path, { token, ...(body && { body }) });
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

/** A user who can manage agents and keys, and also has these scopes. */
async function manager(...scopes: readonly string[]): Promise<string> {
  roles += 1;
  const name = `manager-${roles}`;
  const body = { name, scopes: ['*:agents', '*:apikeys', ...scopes] };
  expectStatus(201, await request(await tenant.adminToken(), 'POST', '/roles', body));
  return (await tenant.createUser({ roles: [name] })).token;
}

/** Requires that the agent and its key are unchanged, and that the key works. */
async function assertUntouched({ agent, record, key }: TestAgent): Promise<void> {
  const token = await tenant.adminToken();
  assert.deepEqual(expectStatus(200, await request(token, 'GET', `/agents/${agent.id}`)), agent);
  const present = expectStatus(200, await request(token, 'GET', `/apikeys/${record.id}`));
  assert.deepEqual({ ...present, last_used_at: null }, { ...record, last_used_at: null });
  expectStatus(200, await request(key, 'GET', '/me'));
}

describe('no caller gains scopes through an agent', () => {
  test('No caller gains scopes by creating an agent', async () => {
    const token = await manager('read:users');
    for (const scopes of [
      ['write:users'],
      ['*:users'],
      ['read:*'],
      ['*:*'],
      ['read:users', '*:*'],
    ]) {
      const answer = await request(token, 'POST', '/agents', { name: 'robot', scopes });
      assert.equal(says(answer), '403 SCOPE_NOT_HELD', String(scopes));
    }
    for (const scopes of [[], ['read:users'], ['read:agents', '*:apikeys']]) {
      expectStatus(201, await request(token, 'POST', '/agents', { name: 'robot', scopes }));
    }
  });

  test('No caller gains scopes by changing or deleting an agent with more scopes, or by creating keys for it', async () => {
    const strong = await tenant.createAgent({ scopes: ['read:users', 'write:users'] });
    const token = await manager('read:users');
    const { agent, record } = strong;
    const attempts: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['PATCH', `/agents/${agent.id}`, { name: 'mine' }],
      ['PATCH', `/agents/${agent.id}`, { scopes: ['read:users'] }],
      ['PATCH', `/agents/${agent.id}`, { is_active: false }],
      ['DELETE', `/agents/${agent.id}`],
      ['POST', '/apikeys', { agent_id: agent.id, name: 'mine' }],
      ['POST', '/apikeys', { agent_id: agent.id, name: 'mine', scopes: ['read:users'] }],
      ['POST', `/apikeys/${record.id}/rotate`, {}],
      ['DELETE', `/apikeys/${record.id}`],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await request(token, method, path, body);
      assert.equal(says(answer), '403 SCOPE_NOT_HELD', `${method} ${path}`);
    }
    expectStatus(200, await request(token, 'GET', `/agents/${agent.id}`));
    await assertUntouched({ ...strong, record });
  });

  test('No caller gains scopes by adding scopes to an agent with the same scopes', async () => {
    const token = await manager('read:users');
    const { agent } = await tenant.createAgent({ scopes: ['read:users'] });
    const path = `/agents/${agent.id}`;
    for (const scopes of [['read:users', 'write:users'], ['read:*'], ['*:*']]) {
      assert.equal(says(await request(token, 'PATCH', path, { scopes })), '403 SCOPE_NOT_HELD');
    }
    assert.deepEqual(expectStatus(200, await request(token, 'GET', path)), agent);
  });

  test('No caller gains scopes through an agent with scopes that they lost since they logged in', async () => {
    const { agent } = await tenant.createAgent({ scopes: ['read:invoices'] });
    const token = await manager('read:invoices');
    const name = `manager-${roles}`;
    // Changed in the database, so that the token is not outdated: the current permission is also checked.
    await keywright.database.query('UPDATE roles SET scopes = $1 WHERE name = $2', [
      ['*:agents', '*:apikeys'],
      name,
    ]);
    const body = { agent_id: agent.id, name: 'a key' };
    assert.equal(says(await request(token, 'POST', '/apikeys', body)), '403 SCOPE_NOT_HELD');
    const agentBody = { name: 'robot', scopes: ['read:invoices'] };
    assert.equal(says(await request(token, 'POST', '/agents', agentBody)), '403 SCOPE_NOT_HELD');
  });
});

describe('a key grants no more than its agent has', () => {
  test('A key that requests any scopes gets no more than its agent has; * is not a scope, and [] means none', async () => {
    const token = await tenant.adminToken();
    const { agent } = await tenant.createAgent({ scopes: ['read:users', '*:invoices'] });
    const create = (scopes: unknown) =>
      request<{ key: string }>(token, 'POST', '/apikeys', {
        agent_id: agent.id,
        name: 'k',
        scopes,
      });
    for (const scopes of [
      ['write:users'],
      ['*:users'],
      ['read:*'],
      ['*:*'],
      ['read:invoices', '*:*'],
    ]) {
      assert.equal(says(await create(scopes)), '403 SCOPE_NOT_HELD', String(scopes));
    }
    for (const scopes of [['*'], '*', ['read'], null]) {
      assert.equal(says(await create(scopes)), '400 VALIDATION_FAILED', String(scopes));
    }
    const { key } = expectStatus(201, await create([]));
    assert.equal(says(await request(key, 'GET', '/users')), '403 SCOPE_REQUIRED');
    expectStatus(200, await request(key, 'GET', '/me'));
  });

  test('A key grants no more than its agent has, even if one of its scopes is later granted to the agent, or removed', async () => {
    const { agent, key } = await tenant.createAgent(
      { scopes: ['read:users', 'read:roles'] },
      { scopes: ['read:users'] },
    );
    const change = async (scopes: readonly string[]) => {
      const token = await tenant.adminToken();
      expectStatus(200, await request(token, 'PATCH', `/agents/${agent.id}`, { scopes }));
    };
    await change(['*:*']);
    expectStatus(200, await request(key, 'GET', '/users'));
    assert.equal(says(await request(key, 'GET', '/roles')), '403 SCOPE_REQUIRED');
    await change(['read:roles']);
    assert.equal(says(await request(key, 'GET', '/users')), '403 SCOPE_REQUIRED');
    assert.equal(says(await request(key, 'GET', '/roles')), '403 SCOPE_REQUIRED');
  });
});

describe('an agent', () => {
  test('An agent with all scopes cannot manage agents and keys, including itself (SPEC authentication 9b)', async () => {
    const robot = await tenant.createAgent({ scopes: ['*:*'] });
    const { agent, record, key } = robot;
    const attempts: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', '/agents'],
      ['POST', '/agents', { name: 'child', scopes: ['*:*'] }],
      ['PATCH', `/agents/${agent.id}`, { scopes: ['*:*'] }],
      ['DELETE', `/agents/${agent.id}`],
      ['GET', '/apikeys'],
      ['POST', '/apikeys', { agent_id: agent.id, name: 'spare' }],
      ['POST', `/apikeys/${record.id}/rotate`, {}],
      ['DELETE', `/apikeys/${record.id}`],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await request(key, method, path, body);
      assert.equal(says(answer), '403 ADMINISTRATOR_REQUIRED', `${method} ${path}`);
    }
    await assertUntouched(robot);
  });

  test('An agent cannot grant a role or a scope that it lacks', async () => {
    const { key } = await tenant.createAgent({ scopes: ['*:users', '*:roles'] });
    const { user } = await tenant.createUser();
    const path = `/users/${user.id}`;
    assert.equal(
      says(await request(key, 'PATCH', path, { roles: ['admin'] })),
      '403 SCOPE_NOT_HELD',
    );
    const role = { name: 'wide', scopes: ['read:agents'] };
    assert.equal(says(await request(key, 'POST', '/roles', role)), '403 SCOPE_NOT_HELD');
    expectStatus(
      201,
      await request(key, 'POST', '/roles', { name: 'narrow', scopes: ['read:users'] }),
    );
  });

  test('An agent of another tenant cannot be given a key, and cannot be changed', async () => {
    const other = await keywright.tenant('other');
    const { agent, record } = await other.createAgent();
    const token = await tenant.adminToken();
    const body = { agent_id: agent.id, name: 'a key' };
    assert.equal(says(await request(token, 'POST', '/apikeys', body)), '404 NOT_FOUND');
    const change = await request<AgentRecord>(token, 'PATCH', `/agents/${agent.id}`, {
      scopes: [],
    });
    assert.equal(says(change), '404 NOT_FOUND');
    const rotated = await request(token, 'POST', `/apikeys/${record.id}/rotate`, {});
    assert.equal(says(rotated), '404 NOT_FOUND');
  });
});
