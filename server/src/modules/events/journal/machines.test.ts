import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EVENTS } from '@keywright/contract/events';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf, eventsFrom } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { Compile } from '../../../platform/compile.ts';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('works');
});

after(() => keywright.close());

async function send(method: string, path: string, body?: object, token?: string) {
  const options = { token: token ?? (await tenant.adminToken()), ...(body && { body }) };
  const answer = await tenant.request(method, path, options);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
}

async function happens(work: () => Promise<unknown>) {
  const events = await eventsFrom(tenant, work);
  for (const { type, data } of events) {
    assert.deepEqual([...Compile(EVENTS[type].data).Errors(data)], [], type);
  }
  return events.map(({ type, data }) => Object.assign({ type }, data));
}

test('Agents have audit entries for their creation, their changes, and all that ends with them', async () => {
  const tenant_id = tenant.id;
  let agent_id = '';
  let key_id = '';
  const made = await happens(async () => {
    const scopes = ['read:users', 'read:roles'];
    agent_id = String((await send('POST', '/agents', { name: 'mower', scopes }))['id']);
    await send('PATCH', `/agents/${agent_id}`, { scopes: ['read:users'], is_active: true });
    key_id = String((await send('POST', '/apikeys', { agent_id, name: 'blades' }))['id']);
  });
  assert.deepEqual(made, [
    { type: 'agent.created', tenant_id, agent_id },
    { type: 'agent.updated', tenant_id, agent_id, fields: ['scopes'] },
    { type: 'apikey.created', tenant_id, agent_id, key_id },
  ]);
  const [changed] = await entriesOf(tenant, { target: agent_id, action: 'agent.updated' });
  assert.deepEqual(
    [changed?.details.scopes_added, changed?.details.scopes_removed],
    [[], ['read:roles']],
  );
  const { token } = await tenant.createUser({ roles: ['admin'] });
  const body = { agent_id, scopes: ['read:users'] };
  const delegation = await send('POST', '/me/delegations', body, token);
  const gone = await happens(() => send('DELETE', `/agents/${agent_id}`));
  const types = gone.map((event) => event.type);
  assert.deepEqual(types, ['agent.deleted', 'apikey.revoked', 'delegation.revoked']);
  const [, revoked, ended] = gone as Record<string, unknown>[];
  assert.deepEqual([revoked?.['key_id'], revoked?.['reason']], [key_id, 'agent_deleted']);
  assert.equal(ended?.['delegation_id'], delegation['id']);
});

test('API keys have entries for rotation, revocation and report, none of which contains the key', async () => {
  const { agent, key } = await tenant.createAgent();
  const common = { tenant_id: tenant.id, agent_id: agent.id };
  const shown: string[] = [key];
  let first = '';
  let second = '';
  let third = '';
  const events = await happens(async () => {
    const make = async (path: string, body: object) => {
      const made = await send('POST', path, body);
      shown.push(String(made['key']));
      return String(made['id']);
    };
    first = await make('/apikeys', { agent_id: agent.id, name: 'one' });
    second = await make(`/apikeys/${first}/rotate`, { overlap_days: 0 });
    await send('DELETE', `/apikeys/${second}`);
    third = await make('/apikeys', { agent_id: agent.id, name: 'three' });
    expectStatus(
      200,
      await keywright.request('POST', '/apikeys/report', { body: { key: shown.at(-1) } }),
    );
  });
  assert.deepEqual(events, [
    { type: 'apikey.created', ...common, key_id: first },
    { type: 'apikey.rotated', ...common, key_id: first, successor_id: second },
    { type: 'apikey.revoked', ...common, key_id: first, reason: 'rotated' },
    { type: 'apikey.created', ...common, key_id: second },
    { type: 'apikey.revoked', ...common, key_id: second, reason: 'revoked' },
    { type: 'apikey.created', ...common, key_id: third },
    { type: 'apikey.revoked', ...common, key_id: third, reason: 'leaked' },
  ]);
  const [reported] = await entriesOf(tenant, { target: third });
  assert.deepEqual([reported?.action, reported?.actor.kind], ['apikey.reported', 'anonymous']);
  const recorded = JSON.stringify([events, await entriesOf(tenant)]);
  for (const secret of shown) assert.ok(!recorded.includes(secret));
});

test('The deletion of a user records the delegations that ended', async () => {
  const { agent } = await tenant.createAgent();
  const { user, token } = await tenant.createUser({ roles: ['admin'] });
  const body = { agent_id: agent.id, scopes: ['read:users'] };
  const { id } = await send('POST', '/me/delegations', body, token);
  const events = await happens(() => send('DELETE', `/users/${user.id}`));
  const [last] = events.slice(-1) as Record<string, unknown>[];
  assert.deepEqual([last?.['type'], last?.['delegation_id']], ['delegation.revoked', id]);
});
