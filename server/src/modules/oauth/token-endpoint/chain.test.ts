import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createUserWith, delegate, exchange } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { oauthError } from '@keywright/tests/harness/token-endpoint';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: 2, clock: 'fake' });
  tenant = await keywright.tenant('studio');
});

after(() => keywright.close());

async function asAdmin(method: string, path: string, body?: object) {
  const token = await tenant.adminToken();
  return expectStatus(200, await tenant.request(method, path, { token, ...(body && { body }) }));
}

async function statuses(token: string): Promise<number[]> {
  const listUsers = async (node: number) => tenant.request('GET', '/users', { token, node });
  return [(await listUsers(0)).status, (await listUsers(1)).status];
}

describe('a chain of agents', () => {
  /** A chain of agents, each with a delegation from the user. */
  async function newChain(length: number) {
    const user = await createUserWith(tenant, ['read:*', 'write:notes']);
    const robots: TestAgent[] = [];
    for (let index = 0; index < length; index += 1) {
      const robot = await tenant.createAgent({ scopes: ['*:*'] });
      robots.push(robot);
      await delegate(tenant, user, robot, index === 1 ? ['read:*'] : ['read:*', 'write:notes']);
    }
    return { user, robots };
  }

  async function walk(first: string, robots: readonly TestAgent[]): Promise<string> {
    let token = first;
    for (const robot of robots) {
      token = expectStatus(200, await exchange(tenant, robot, token)).access_token;
    }
    return token;
  }

  test('A chain of agents has at most three, the newest outermost, and only the scopes common to all', async () => {
    const { user, robots } = await newChain(4);
    const token = await walk(user.token, robots.slice(0, 3));
    const { sub, act, scopes, client_id: clientId } = claimsOf(token);
    const [one, two, three, four] = robots.map(({ agent }) => agent.id);
    assert.deepEqual([sub, clientId], [user.user.id, three]);
    assert.deepEqual([act?.sub, act?.act?.sub, act?.act?.act?.sub], [three, two, one]);
    assert.deepEqual(scopes, ['read:*']);
    assert.deepEqual(await statuses(token), [200, 200]);
    assert.ok(four);
    const fourth = await exchange(tenant, robots[3] as TestAgent, token);
    assert.equal(oauthError(fourth), '400 invalid_request EXCHANGE_REFUSED');
    assert.match(fourth.body.detail, /at most 3 agents/);
  });

  test('A chain of agents requires a delegation of the user to each, and the token ends with any of them', async () => {
    const { user, robots } = await newChain(3);
    const stranger = await tenant.createAgent({ scopes: ['*:*'] });
    const first = await walk(user.token, robots.slice(0, 1));
    assert.equal(
      oauthError(await exchange(tenant, stranger, first)),
      '400 invalid_request DELEGATION_REQUIRED',
    );
    for (const [index, robot] of robots.entries()) {
      const token = await walk(user.token, robots);
      assert.deepEqual(await statuses(token), [200, 200]);
      await asAdmin('DELETE', `/apikeys/${robot.record.id}`);
      assert.deepEqual(await statuses(token), [401, 401], `key ${index}`);
      const next = await tenant.createApiKey(robot.agent.id);
      robots[index] = { ...robot, ...next };
      const again = await walk(user.token, robots);
      await asAdmin('PATCH', `/agents/${robot.agent.id}`, { scopes: ['read:*', 'write:notes'] });
      assert.deepEqual(await statuses(again), [401, 401], `agent ${index}`);
    }
  });
});
