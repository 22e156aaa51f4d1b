import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { AgentId, UserId } from '@keywright/contract/ids';
import type {
  AgentDependents,
  UserDependents,
  UserDisabled,
} from '@keywright/contract/records/dependents';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const NODES = [0, 1];
const DAY_MS = 24 * 60 * 60 * 1000;
const NOTHING = 'service:01jdq3xaaaaaaaaaaaaaaaaaaa';
const REASON = 'their laptop was stolen';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ nodes: NODES.length, clock: 'fake' });
  tenant = await keywright.tenant('dependents', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function request<Body>(method: string, path: string, body?: object, token?: string) {
  return tenant.request<Body & ErrorBody>(method, path, {
    token: token ?? (await tenant.adminToken()),
    ...(body && { body }),
  });
}

function disable(id: UserId, token?: string): Promise<Answer<UserDisabled & ErrorBody>> {
  return request('POST', `/users/${id}/disable`, { reason: REASON }, token);
}

async function dependentsOfUser(id: UserId): Promise<UserDependents> {
  return expectStatus(200, await request<UserDependents>('GET', `/users/${id}/dependents`));
}

async function dependentsOfAgent(id: AgentId): Promise<AgentDependents> {
  return expectStatus(200, await request<AgentDependents>('GET', `/agents/${id}/dependents`));
}

/** A user with two agents. One agent has two keys. */
async function furnish(): Promise<{ user: TestUser; robots: TestAgent[]; secrets: string[] }> {
  const user = await tenant.createUser();
  const owner = { owner_id: user.user.id };
  const robots = [
    await tenant.createAgent({ ...owner, name: 'first', scopes: ['read:users'] }),
    await tenant.createAgent({ ...owner, name: 'second', scopes: ['write:notes'] }),
  ];
  const [first] = robots as [TestAgent];
  const further = await tenant.createApiKey(first.agent.id);
  return { user, robots, secrets: [...robots.map((robot) => robot.key), further.key] };
}

async function assertKeys(secrets: readonly string[], status: number): Promise<void> {
  for (const token of secrets) {
    for (const node of NODES) {
      expectStatus(status, await tenant.request('GET', '/me', { node, token }));
    }
  }
}

const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) =>
  items.map((item) => item.id).toSorted();

describe('the dependents of a user', () => {
  test('The dependents of a user include the agents that they own, and the usable keys of those', async () => {
    const { user, robots } = await furnish();
    const [first, second] = robots as [TestAgent, TestAgent];
    const short = await tenant.createApiKey(second.agent.id, { expires_in_days: 1 });
    expectStatus(200, await request('DELETE', `/apikeys/${second.record.id}`));
    const whole = await dependentsOfUser(user.user.id);
    assert.deepEqual([whole.agents.total, whole.api_keys.total], [2, 3]);
    assert.ok(idsOf(whole.api_keys).includes(short.record.id));
    keywright.clock.advance(DAY_MS / 1000);
    const { agents, api_keys: keys } = await dependentsOfUser(user.user.id);
    assert.deepEqual(idsOf(agents), [first.agent.id, second.agent.id].toSorted());
    assert.equal(keys.total, 2);
    assert.ok(keys.items.every((key) => key.agent_id === first.agent.id));
    assert.deepEqual(
      agents.items.map((agent) => `${agent.name} ${agent.is_active} ${agent.api_keys}`).toSorted(),
      ['first true 2', 'second true 0'],
    );
  });

  test('The dependents of a user follow a change of owner; agents outlive a deleted owner, and are still listed under the owner ID', async () => {
    const { user, robots, secrets } = await furnish();
    const heir = await tenant.createUser();
    const [first] = robots as [TestAgent];
    const handed = { owner_id: heir.user.id };
    expectStatus(200, await request('PATCH', `/agents/${first.agent.id}`, handed));
    assert.deepEqual(idsOf((await dependentsOfUser(heir.user.id)).agents), [first.agent.id]);
    assert.equal((await dependentsOfUser(user.user.id)).agents.total, 1);
    const path = `/users/${user.user.id}`;
    const dryRun = expectStatus(
      200,
      await request<UserDependents>('DELETE', `${path}?dry_run=true`),
    );
    assert.deepEqual(idsOf(dryRun.agents), [robots[1]?.agent.id]);
    expectStatus(200, await request('DELETE', path));
    await assertKeys(secrets, 200);
    const left = await request<{ items: { id: string }[] }>(
      'GET',
      `/agents?owner_id=${user.user.id}`,
    );
    assert.deepEqual(
      expectStatus(200, left).items.map(({ id }) => id),
      [robots[1]?.agent.id],
    );
  });
});

describe('the dependents of an agent', () => {
  test('The dependents of an agent include its usable keys, and are the result of a dry run of its deletion', async () => {
    const { agent, record } = await tenant.createAgent();
    const path = `/agents/${agent.id}`;
    const dependents = await dependentsOfAgent(agent.id);
    assert.deepEqual(idsOf(dependents.api_keys), [record.id]);
    const { api_keys: _, ...rest } = dependents;
    assert.deepEqual(rest, {
      agent_id: agent.id,
      tenant_id: tenant.id,
      is_active: true,
      delegations: { total: 0, items: [] },
    });
    const dryRun = expectStatus(200, await request('DELETE', `${path}?dry_run=true`));
    assert.deepEqual(dryRun, { dry_run: true, ...dependents });
    expectStatus(200, await request('GET', path));
    expectStatus(400, await request('DELETE', `${path}?dry_run=perhaps`));
    const deleted = expectStatus(200, await request('DELETE', path));
    assert.deepEqual(deleted, { id: agent.id, deleted: true });
    for (const [method, gone] of [
      ['GET', `${path}/dependents`],
      ['DELETE', `${path}?dry_run=true`],
      ['GET', `/agents/${NOTHING}/dependents`],
    ] as const) {
      assert.equal(expectStatus(404, await request(method, gone)).code, 'NOT_FOUND');
    }
  });

  test('The dependents of an agent are denied in a dry run to a caller who cannot delete it', async () => {
    const scopes = ['read:agents', 'delete:agents'];
    expectStatus(201, await request('POST', '/roles', { name: 'scrapper', scopes }));
    const { token } = await tenant.createUser({ roles: ['scrapper'] });
    const { agent } = await tenant.createAgent({ scopes: ['read:users'] });
    const path = `/agents/${agent.id}?dry_run=true`;
    const refused = await request('DELETE', path, undefined, token);
    assert.equal(expectStatus(403, refused).code, 'SCOPE_NOT_HELD');
  });
});

describe('disabling a user', () => {
  test('A request to disable a user deactivates their agents and revokes the keys, on every node and permanently', async () => {
    const { user, robots, secrets } = await furnish();
    const bystander = await tenant.createAgent();
    await assertKeys(secrets, 200);
    const dependents = await dependentsOfUser(user.user.id);
    const { ended } = expectStatus(200, await disable(user.user.id));
    assert.deepEqual(ended.agents, dependents.agents);
    assert.deepEqual(ended.api_keys, dependents.api_keys);
    await assertKeys(secrets, 401);
    await assertKeys([bystander.key], 200);
    const left = await dependentsOfUser(user.user.id);
    assert.deepEqual(
      left.agents.items.map((agent) => agent.is_active),
      [false, false],
    );
    assert.equal(left.api_keys.total, 0);
    const active = { is_active: true };
    expectStatus(200, await request('PATCH', `/users/${user.user.id}`, active));
    for (const { agent } of robots) {
      expectStatus(200, await request('PATCH', `/agents/${agent.id}`, active));
    }
    await assertKeys(secrets, 401);
  });

  test('A second request to disable a user deactivates an agent that was activated meanwhile, and names only that one', async () => {
    const { user, robots } = await furnish();
    expectStatus(200, await disable(user.user.id));
    const [first] = robots as [TestAgent];
    expectStatus(200, await request('PATCH', `/agents/${first.agent.id}`, { is_active: true }));
    const again = await tenant.createApiKey(first.agent.id);
    await assertKeys([again.key], 200);
    const { ended } = expectStatus(200, await disable(user.user.id));
    assert.deepEqual(idsOf(ended.agents), [first.agent.id]);
    assert.deepEqual(idsOf(ended.api_keys), [again.record.id]);
    await assertKeys([again.key], 401);
  });

  test('A request to disable a user is denied to a caller with fewer scopes than the affected agents, and changes nothing', async () => {
    const scopes = ['read:users', 'write:users'];
    expectStatus(201, await request('POST', '/roles', { name: 'helpdesk', scopes }));
    const { token } = await tenant.createUser({ roles: ['helpdesk'] });
    const { user, secrets } = await furnish();
    const refused = expectStatus(403, await disable(user.user.id, token));
    assert.equal(refused.code, 'SCOPE_NOT_HELD');
    assert.match(refused.detail, /write:notes/);
    await assertKeys([...secrets, user.token], 200);
  });

  test('An agent can neither disable a user nor list dependents', async () => {
    const { user } = await tenant.createUser();
    const { key, agent } = await tenant.createAgent({ scopes: ['*:*'] });
    for (const answer of [
      await disable(user.id, key),
      await request<object>('GET', `/users/${user.id}/dependents`, undefined, key),
      await request<object>('GET', `/agents/${agent.id}/dependents`, undefined, key),
    ]) {
      assert.equal(expectStatus(403, answer).code, 'ADMINISTRATOR_REQUIRED');
    }
  });

  test("A disabled user cannot become an agent's owner: an owner must be active", async () => {
    const { user } = await tenant.createUser();
    expectStatus(200, await disable(user.id));
    const body = { name: 'orphan', owner_id: user.id };
    assert.equal(expectStatus(404, await request('POST', '/agents', body)).code, 'NOT_FOUND');
    const { agent } = await tenant.createAgent();
    const handed = await request('PATCH', `/agents/${agent.id}`, { owner_id: user.id });
    assert.equal(expectStatus(404, handed).code, 'NOT_FOUND');
  });
});
