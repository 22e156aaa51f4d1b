import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('named');
});

after(() => keywright.close());

async function create(path: string, body: object): Promise<string> {
  const options = { token: await tenant.adminToken(), body };
  return String(expectStatus(201, await tenant.request('POST', path, options))['id']);
}

/** Records of several kinds: their names, by ID. */
async function newRecords(): Promise<Map<string, string>> {
  const url = 'https://named.example.com';
  const { agent, record: key } = await tenant.createAgent(
    { name: 'Named agent' },
    { name: 'Named key' },
  );
  const client = { name: 'Named client', kind: 'web', redirect_uris: [`${url}/callback`] };
  const provider = { name: 'Named provider', type: 'google', client_id: 'named' };
  return new Map([
    [agent.id, agent.name],
    [key.id, key.name],
    [await create('/clients', client), client.name],
    [await create('/resources', { name: 'Named API', uri: url }), 'Named API'],
    [await create('/identity-providers', provider), provider.name],
    [await create('/webhooks', { url, events: ['user.created'] }), 'named.example.com'],
  ]);
}

async function namesOf(ids: readonly string[], token: string): Promise<string[]> {
  const path = `/names?ids=${ids.join()}`;
  const answer = await tenant.request<{ items: { name: string }[] }>('GET', path, { token });
  return expectStatus(200, answer)
    .items.map(({ name }) => name)
    .toSorted();
}

test('The names of records include only those that the caller can read, and none of other tenants', async () => {
  const { user, identifier } = await tenant.createUser();
  const other = await (await keywright.tenant('elsewhere-by-name')).createUser();
  const records = await newRecords();
  const ids = [user.id, 'ws_default', other.user.id, ...records.keys()];
  const token = await tenant.adminToken();
  const workspace = await tenant.request('GET', '/workspaces/ws_default', { token });
  const names = [String(expectStatus(200, workspace)['name']), identifier, ...records.values()];
  assert.deepEqual(await namesOf(ids, token), names.toSorted());
  await create('/roles', { name: 'auditor', scopes: ['read:audit'] });
  const auditor = await tenant.createUser({ roles: ['auditor'] });
  assert.deepEqual(await namesOf(ids, auditor.token), []);
  expectStatus(400, await tenant.request('GET', '/names?ids=user:1', { token }));
});
