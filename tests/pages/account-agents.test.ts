// Agents on the account page: which act for the user, and whether one may.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { DelegationRecord } from '@keywright/contract/records/delegation';
import { expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { type Seen, Visitor } from '../harness/visitor.ts';

const ISSUER = 'https://id.example.com';
const DAY_MS = 24 * 60 * 60 * 1000;

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let visitor: Visitor;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('agents-on-pages');
});
after(async () => {
  await keywright.close();
});
beforeEach(async () => {
  user = await tenant.createUser();
  visitor = new Visitor(tenant, `${ISSUER}/t/${tenant.id}`);
});

/** Logs in for the list of agents. */
async function enter(as = user): Promise<Seen> {
  const path = `/t/${tenant.id}/account?section=agents`;
  await visitor.open(path);
  await visitor.press('login', { identifier: as.identifier, secret: as.password });
  return visitor.open(path);
}

async function delegationsOf({ token }: TestUser): Promise<DelegationRecord[]> {
  const answer = await tenant.request('GET', '/me/delegations', { token });
  return expectStatus(200, answer)['items'] as DelegationRecord[];
}

const press = (action: string, typed: Readonly<Record<string, string>> = {}) =>
  visitor.press(action, { section: 'agents', ...typed });

describe('the agents of an account', () => {
  test('The account page lists the agents that act for the user and ends their delegations', async () => {
    const { agent } = await tenant.createAgent({ scopes: ['read:users'] });
    const body = { agent_id: agent.id, scopes: ['read:users'] };
    const admin = await tenant.createUser({ roles: ['admin'] });
    const made = await tenant.request('POST', '/me/delegations', { token: admin.token, body });
    const { id } = expectStatus(201, made);
    const { text } = await enter(admin);
    assert.ok(text.includes(agent.name) && text.includes('Read: <bdi>users</bdi>'));
    assert.match(text, /Hasn’t acted for you yet/);
    const ended = await press('end_agent', { id: String(id) });
    assert.match(ended.text, /The agent can no longer act for you/);
    const left = await tenant.request('GET', '/me/delegations', { token: admin.token });
    assert.deepEqual(expectStatus(200, left)['items'], []);
  });

  test('The account page asks whether an agent can act for the user, limited to scopes that both of them hold', async () => {
    const scopes = ['read:users', 'write:notes'];
    const { agent } = await tenant.createAgent({ name: 'Importer', scopes });
    const admin = await tenant.createUser({ roles: ['admin'] });
    const query = new URLSearchParams({
      section: 'agents',
      agent: agent.id,
      scope: 'read:* delete:users',
      days: '7',
    });
    const path = `/t/${tenant.id}/account?${query.toString()}`;
    assert.equal((await visitor.open(path)).title, 'Sign in');
    const { redirectsTo } = await visitor.press('login', {
      identifier: admin.identifier,
      secret: admin.password,
    });
    assert.equal(redirectsTo?.search, new URL(path, ISSUER).search, 'the login comes back to it');
    const { text } = await visitor.open(path);
    assert.match(text, /<bdi>Importer<\/bdi> wants to act for you/);
    assert.match(text, /Read: <bdi>users<\/bdi>/);
    assert.doesNotMatch(text, /Delete: |notes/);
    assert.match((await press('deny_agent')).text, /You didn’t give the agent access/);
    assert.deepEqual(await delegationsOf(admin), []);
    await visitor.open(path);
    assert.match((await press('allow_agent')).text, /The agent can now act for you/);
    const [granted] = await delegationsOf(admin);
    assert.deepEqual([granted?.agent_id, granted?.scopes], [agent.id, ['read:users']]);
    const days =
      (Date.parse(granted?.expires_at ?? '') - Date.parse(granted?.created_at ?? '')) / DAY_MS;
    assert.equal(days, 7);
    assert.match((await visitor.open(path)).text, /This replaces its current permissions/);
  });

  test('The account page offers nothing to an agent that does not exist, cannot act, or requests what no one has', async () => {
    const { agent } = await tenant.createAgent({ scopes: ['write:notes'] });
    const other = await keywright.tenant('agent-elsewhere');
    const foreign = await other.createAgent({ name: 'Stranger', scopes: ['read:users'] });
    await enter();
    const request = (id: string, scope: string) =>
      visitor.open(`/t/${tenant.id}/account?section=agents&agent=${id}&scope=${scope}`);
    const unknown = ['service:01m81e4vr3f7k2m9x5q0t6w8za', foreign.agent.id, agent.id];
    for (const id of unknown) {
      const { text } = await request(id, 'read:users');
      assert.match(text, /This agent doesn’t exist, or requests nothing/);
      assert.doesNotMatch(text, /allow_agent|Stranger/);
    }
  });

  test('A user cannot submit a forged form to allow an agent what the user is not allowed', async () => {
    const { agent } = await tenant.createAgent({ scopes: ['read:users'] });
    await enter();
    const forged = { agent: agent.id, scope: 'read:users', days: '7' };
    const said = await press('allow_agent', forged);
    assert.match(said.text, /You can’t allow a permission you don’t have/);
    assert.deepEqual(await delegationsOf(user), []);
  });
});
