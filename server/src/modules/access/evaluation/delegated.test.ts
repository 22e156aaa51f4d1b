import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { WorkspaceId } from '@keywright/contract/ids';
import type { Explanation } from '@keywright/contract/records/explanation';
import {
  createUserWith,
  delegate,
  exchange,
  type UserWithRole,
} from '@keywright/tests/harness/delegation';
import { decide } from '@keywright/tests/harness/evaluation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { oauthError } from '@keywright/tests/harness/token-endpoint';
import type { TestAgent, TestTenant } from '@keywright/tests/harness/tenant';

const DAY = 24 * 3600;
const WORKSPACE = 'ws_north' as WorkspaceId;

let keywright: Keywright;
let tenant: TestTenant;
let user: UserWithRole;
let robot: TestAgent;
let delegationId: string;
/** A token of the agent that acts for the user. It reads notes, and would write them if the agent could. */
let token: string;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('acting', { config: { login_attempts_limit: 10_000 } });
  expectStatus(201, await administer('POST', '/workspaces', { name: 'north' }));
});

after(() => keywright.close());

beforeEach(async () => {
  user = await createUserWith(tenant, ['*:notes', 'read:articles']);
  robot = await tenant.createAgent({ scopes: ['read:*'], workspace_id: WORKSPACE });
  delegationId = (await delegate(tenant, user, robot, ['read:notes', 'write:notes'])).id;
  token = expectStatus(200, await exchange(tenant, robot, user.token)).access_token;
});

async function administer<Body = object>(method: string, path: string, body?: object) {
  const options = { token: await tenant.adminToken(), ...(body && { body }) };
  return tenant.request<Body>(method, path, options);
}

/** Returns the explanation, after checking that an evaluation decides the same. */
async function explain(scope: string, more: object = {}): Promise<Explanation> {
  const body = { token, scope, ...more };
  const explanation = expectStatus(200, await administer<Explanation>('POST', '/explain', body));
  const { allowed, missing } = explanation;
  const decision = await decide(tenant, body, { token: await tenant.adminToken() });
  assert.deepEqual(decision, { allowed, missing });
  return explanation;
}

const sourcesOf = ({ grants }: Explanation) => grants.map((grant) => `${grant.kind} ${grant.name}`);
const reasonsOf = ({ reasons }: Explanation) =>
  reasons.map((reason) => `${reason.code} ${reason.name ?? ''}`.trim());

describe('a delegated token', () => {
  test('A delegated token has the scopes common to the user, the delegation and the agent, and names each', async () => {
    const explanation = await explain('read:notes');
    assert.equal(explanation.allowed, true);
    assert.deepEqual(sourcesOf(explanation), [
      `role ${user.role}`,
      `delegation ${delegationId}`,
      `agent ${robot.agent.id}`,
    ]);
    assert.deepEqual(explanation.reasons, []);
  });

  test('A delegated token lacks what the agent lacks, and what the user did not delegate', async () => {
    const ofAgent = await explain('write:notes');
    assert.deepEqual(ofAgent.missing, ['write:notes']);
    assert.deepEqual(sourcesOf(ofAgent), [`role ${user.role}`, `delegation ${delegationId}`]);
    const undelegated = await explain('read:articles');
    assert.deepEqual(sourcesOf(undelegated), [`role ${user.role}`, `agent ${robot.agent.id}`]);
    assert.deepEqual(reasonsOf(undelegated), [`delegation_scope_limited ${delegationId}`]);
    assert.deepEqual(undelegated.reasons[0]?.scopes, ['read:articles']);
  });

  test('A delegated token lacks scopes that were not requested', async () => {
    const both = await delegate(tenant, user, robot, ['read:notes', 'read:articles']);
    const answer = await exchange(tenant, robot, user.token, { scope: 'read:notes' });
    token = expectStatus(200, answer).access_token;
    const explanation = await explain('read:articles');
    assert.deepEqual(reasonsOf(explanation), ['token_scope_limited']);
    assert.ok(sourcesOf(explanation).includes(`delegation ${both.id}`));
  });

  test('A delegated token is valid only in workspaces to which both belong', async () => {
    const place = { workspace_id: WORKSPACE };
    const [subject, agent] = [user.user.id, robot.agent.id].map(
      (id) => `workspace_membership_missing ${id}`,
    );
    assert.deepEqual(reasonsOf(await explain('read:notes', place)), [subject]);
    assert.deepEqual(reasonsOf(await explain('read:notes', { workspace_id: 'ws_default' })), [
      agent,
    ]);
    const path = `/workspaces/${WORKSPACE}/members/${user.user.id}`;
    expectStatus(200, await administer('PUT', path));
    assert.equal((await explain('read:notes', place)).allowed, true);
  });

  test('A delegated token grants nothing once the user revokes the delegation', async () => {
    const path = `/me/delegations/${delegationId}`;
    expectStatus(200, await tenant.request('DELETE', path, { token: user.token }));
    const explanation = await explain('read:notes');
    assert.deepEqual(explanation.missing, ['read:notes']);
    assert.deepEqual(reasonsOf(explanation), [`delegation_revoked ${delegationId}`]);
    const { change } = explanation.reasons[0] ?? {};
    assert.equal(change?.action, 'delegation.revoked');
    assert.equal(change.by.sub, user.user.id);
  });

  test('A delegated token grants nothing once the delegation has expired', async () => {
    const brief = await delegate(tenant, user, robot, ['read:notes'], { expires_in_days: 1 });
    keywright.clock.advance(DAY - 60);
    const login = await tenant.login(user.identifier, user.password);
    const answer = await exchange(tenant, robot, login.access_token);
    token = expectStatus(200, answer).access_token;
    keywright.clock.advance(60);
    const again = await exchange(tenant, robot, login.access_token);
    assert.equal(oauthError(again), '400 invalid_request DELEGATION_REQUIRED');
    const explanation = await explain('read:notes');
    assert.equal(explanation.allowed, false);
    assert.ok(
      reasonsOf(explanation).includes(`delegation_expired ${brief.id}`),
      String(reasonsOf(explanation)),
    );
  });

  test('A delegated token grants nothing once anything it depends on changes or ends', async () => {
    const key = `/apikeys/${robot.record.id}`;
    expectStatus(200, await administer('DELETE', key));
    assert.deepEqual(reasonsOf(await explain('read:notes')), [
      `api_key_revoked ${robot.record.id}`,
    ]);
    const changed = { scopes: ['read:notes'] };
    expectStatus(200, await administer('PATCH', `/agents/${robot.agent.id}`, changed));
    assert.ok(reasonsOf(await explain('read:notes')).includes('token_outdated'));
    const disabled = { reason: 'left us' };
    expectStatus(200, await administer('POST', `/users/${user.user.id}/disable`, disabled));
    const explanation = await explain('read:notes');
    assert.ok(reasonsOf(explanation).includes(`user_inactive ${user.user.id}`));
    const revoked = explanation.reasons.find((reason) => reason.code === 'delegation_revoked');
    assert.equal(revoked?.change?.action, 'user.disabled');
  });

  test('A delegated token of a chain of three agents names each of them, and depends on each', async () => {
    const chain = [robot];
    for (let count = 0; count < 2; count += 1) {
      const next = await tenant.createAgent({ scopes: ['read:notes'] });
      await delegate(tenant, user, next, ['read:notes']);
      token = expectStatus(200, await exchange(tenant, next, token)).access_token;
      chain.push(next);
    }
    const explanation = await explain('read:notes');
    assert.equal(explanation.allowed, true);
    for (const { agent } of chain) assert.ok(sourcesOf(explanation).includes(`agent ${agent.id}`));
    const [first] = chain as [TestAgent];
    const off = { is_active: false };
    expectStatus(200, await administer('PATCH', `/agents/${first.agent.id}`, off));
    const left = await explain('read:notes');
    assert.ok(reasonsOf(left).includes(`agent_inactive ${first.agent.id}`));
  });
});
