import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type {
  AgentDependents,
  UserDependents,
  UserDisabled,
} from '@keywright/contract/records/dependents';
import {
  type UserWithRole,
  createUserWith,
  delegate,
  exchange,
} from '@keywright/tests/harness/delegation';
import { decide } from '@keywright/tests/harness/evaluation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';

const DAY = 24 * 3600;
const SCOPE = 'read:notes';

let keywright: Keywright;
let tenant: TestTenant;
/** A user who lets a stranger's agent act, and whose own agent acts for a friend. */
let user: UserWithRole;
let friend: UserWithRole;
let stranger: TestAgent;
let ownedAgent: TestAgent;
/** The IDs of the two delegations. */
let byUser: string;
let toAgent: string;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('delegating', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

beforeEach(async () => {
  user = await createUserWith(tenant, [SCOPE]);
  friend = await createUserWith(tenant, [SCOPE]);
  stranger = await tenant.createAgent({ scopes: [SCOPE] });
  ownedAgent = await tenant.createAgent({ scopes: [SCOPE], owner_id: user.user.id });
  byUser = (await delegate(tenant, user, stranger, [SCOPE])).id;
  toAgent = (await delegate(tenant, friend, ownedAgent, [SCOPE])).id;
});

async function request<Body>(method: string, path: string, body?: object): Promise<Body> {
  const options = { token: await tenant.adminToken(), ...(body && { body }) };
  return expectStatus(200, await tenant.request<Body>(method, path, options));
}

const dependentsOfUser = () => request<UserDependents>('GET', `/users/${user.user.id}/dependents`);
const dependentsOfAgent = ({ agent }: TestAgent) =>
  request<AgentDependents>('GET', `/agents/${agent.id}/dependents`);
const idsOf = (dependents: UserDependents | AgentDependents | UserDisabled['ended']) =>
  dependents.delegations.items.map((delegation) => delegation.id).toSorted();

async function statusOf(token: string): Promise<number> {
  const { allowed } = await decide(
    tenant,
    { token, scope: SCOPE },
    { token: await tenant.adminToken() },
  );
  return allowed ? 200 : 401;
}

test('The dependents of a user include delegations by the user, and those to the agents of the user', async () => {
  const dependents = await dependentsOfUser();
  assert.deepEqual(idsOf(dependents), [byUser, toAgent].toSorted());
  assert.deepEqual(
    dependents.delegations.items.map((delegation) => delegation.agent_id).toSorted(),
    [stranger.agent.id, ownedAgent.agent.id].toSorted(),
  );
  assert.deepEqual(idsOf(await dependentsOfAgent(ownedAgent)), [toAgent]);
  assert.deepEqual(idsOf(await dependentsOfAgent(stranger)), [byUser]);
});

test('Revoked and expired delegations are not listed as dependents', async () => {
  const options = { token: user.token };
  expectStatus(200, await tenant.request('DELETE', `/me/delegations/${byUser}`, options));
  assert.deepEqual(idsOf(await dependentsOfUser()), [toAgent]);
  assert.deepEqual(idsOf(await dependentsOfAgent(stranger)), []);
  keywright.clock.advance(90 * DAY);
  assert.deepEqual(idsOf(await dependentsOfUser()), []);
  assert.deepEqual(idsOf(await dependentsOfAgent(ownedAgent)), []);
});

test('Disabling a user ends both kinds of delegations, and every token issued under them', async () => {
  const tokens: string[] = [];
  for (const [by, of] of [
    [stranger, user],
    [ownedAgent, friend],
  ] as const) {
    tokens.push(expectStatus(200, await exchange(tenant, by, of.token)).access_token);
  }
  const bystander = await tenant.createAgent({ scopes: [SCOPE] });
  await delegate(tenant, friend, bystander, [SCOPE]);
  const other = expectStatus(200, await exchange(tenant, bystander, friend.token)).access_token;
  for (const token of [...tokens, other]) assert.equal(await statusOf(token), 200);
  const path = `/users/${user.user.id}/disable`;
  const { ended } = await request<UserDisabled>('POST', path, { reason: 'left us' });
  assert.deepEqual(idsOf(ended), [byUser, toAgent].toSorted());
  for (const token of tokens) assert.equal(await statusOf(token), 401);
  assert.equal(await statusOf(other), 200);
  assert.deepEqual(idsOf(await dependentsOfUser()), []);
  // Both are active again, but the delegations are not.
  await request('PATCH', `/users/${user.user.id}`, { is_active: true });
  await request('PATCH', `/agents/${ownedAgent.agent.id}`, { is_active: true });
  for (const token of tokens) assert.equal(await statusOf(token), 401);
});
