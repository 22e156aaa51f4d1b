import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { AgentRecord } from '@keywright/contract/records/agent';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('acme', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

async function asAdmin<Body = JsonBody>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer<Body & ErrorBody>> {
  const token = await tenant.adminToken();
  return tenant.request(method, path, { token, ...(body && { body }) });
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

async function create(body: object): Promise<AgentRecord> {
  return expectStatus(201, await asAdmin<AgentRecord>('POST', '/agents', body));
}

async function read(id: string): Promise<AgentRecord> {
  return expectStatus(200, await asAdmin<AgentRecord>('GET', `/agents/${id}`));
}

async function workspace(name: string): Promise<string> {
  const answer = await asAdmin<{ id: string }>('POST', '/workspaces', { name });
  return expectStatus(201, answer).id;
}

describe('an agent', () => {
  test('An agent is found in its own tenant by a part of its name, in any case and without wildcards, or by its ID', async () => {
    const robot = await create({ name: 'Night_Watch 100%', scopes: [] });
    const other = await keywright.tenant('other-agents');
    await other.createAgent({ name: 'Night_Watch elsewhere' });
    const found = async (text: string) => {
      const path = `/agents?search=${encodeURIComponent(text)}`;
      type List = { items: AgentRecord[]; meta: { total: number } };
      const { items, meta } = expectStatus(200, await asAdmin<List>('GET', path));
      assert.equal(meta.total, items.length);
      return items.map(({ id }) => id);
    };
    for (const text of ['night_watch', 'WATCH 100%', robot.id]) {
      assert.deepEqual(await found(text), [robot.id], text);
    }
    for (const text of ['night%watch', 'nightxwatch', robot.id.slice(0, -1)]) {
      assert.deepEqual(await found(text), [], text);
    }
  });

  test('An agent is created active, and is the same in every response (SPEC states agent 1, SPEC resources agent 1, SPEC resources agent 2, SPEC resources agent 3, SPEC resources agent 5, SPEC endpoints agents 1, SPEC endpoints agents 3)', async () => {
    const workspaceId = await workspace('Garden');
    const scopes = ['read:invoices', 'write:invoices'];
    const body = { name: 'Mäher', description: 'mows\nlawns', scopes, workspace_id: workspaceId };
    const made = await create(body);
    const { id, ...rest } = made;
    assert.match(id, /^service:[0-9a-z]{26}$/);
    assert.deepEqual(rest, {
      ...body,
      tenant_id: tenant.id,
      owner_id: claimsOf(await tenant.adminToken()).sub,
      jwks: null,
      trusts: [],
      is_active: true,
      created_at: keywright.clock.now().toISOString(),
    });
    assert.deepEqual(await read(id), made);
  });

  test('An agent requires a name, and by default has no scopes and is in ws_default (SPEC resources agent 2, SPEC resources agent 4)', async () => {
    const { description, scopes, workspace_id: workspaceId } = await create({ name: 'plain' });
    assert.deepEqual([description, scopes, workspaceId], ['', [], 'ws_default']);
    const wrong: readonly object[] = [
      {},
      { name: '' },
      { name: 'x'.repeat(129) },
      { name: 'a\nb' },
      { name: 'x', scopes: ['*'] },
      { name: 'x', scopes: ['read'] },
      { name: 'x', scopes: 'read:users' },
      { name: 'x', scopes: ['read:users', 'read:users'] },
      { name: 'x', scopes: Array.from({ length: 129 }, (_, n) => `read:r${n}`) },
      { name: 'x', is_active: false },
      { name: 'x', workspace_id: 'garden' },
      { name: 'x', owner_id: 'unknown' },
    ];
    for (const body of wrong) {
      assert.equal(says(await asAdmin('POST', '/agents', body)), '400 VALIDATION_FAILED');
    }
  });

  test('An agent is changed in the named fields only (SPEC endpoints agents 4, SPEC states agent 2)', async () => {
    const made = await create({ name: 'before', scopes: ['read:users'] });
    const { user } = await tenant.createUser();
    const workspaceId = await workspace('Shed');
    const changes: readonly object[] = [
      { name: 'after' },
      { description: 'told' },
      { scopes: ['read:users', 'read:roles'] },
      { scopes: [] },
      { is_active: false },
      { is_active: true },
      { workspace_id: workspaceId },
      { owner_id: user.id },
      { name: 'both', scopes: ['*:invoices'], is_active: false },
    ];
    const expected: object = { ...made };
    for (const change of changes) {
      Object.assign(expected, change);
      const answer = await asAdmin('PATCH', `/agents/${made.id}`, change);
      assert.deepEqual(expectStatus(200, answer), expected);
      assert.deepEqual(await read(made.id), expected);
    }
    const inactive = (await tenant.createUser()).user;
    expectStatus(200, await asAdmin('PATCH', `/users/${inactive.id}`, { is_active: false }));
    const orphan = { owner_id: inactive.id };
    for (const answer of [
      await asAdmin('PATCH', `/agents/${made.id}`, orphan),
      await asAdmin('POST', '/agents', { name: 'without an owner', ...orphan }),
    ]) {
      assert.equal(says(answer), '404 NOT_FOUND', 'no agent of an inactive user');
    }
    for (const wrong of [{}, { id: user.id }, { is_active: 'no' }, { owner_id: null }]) {
      const answer = await asAdmin('PATCH', `/agents/${made.id}`, wrong);
      assert.equal(says(answer), '400 VALIDATION_FAILED');
    }
  });

  test('An agent is deleted permanently, active or not, with its keys (SPEC states agent 3, SPEC endpoints agents 5)', async () => {
    for (const isActive of [true, false]) {
      const { agent, record } = await tenant.createAgent();
      const path = `/agents/${agent.id}`;
      expectStatus(200, await asAdmin('PATCH', path, { is_active: isActive }));
      const gone = await asAdmin('DELETE', path);
      assert.deepEqual(expectStatus(200, gone), { id: agent.id, deleted: true });
      for (const method of ['GET', 'DELETE']) {
        assert.equal(says(await asAdmin(method, path)), '404 NOT_FOUND');
      }
      assert.equal(says(await asAdmin('GET', `/apikeys/${record.id}`)), '404 NOT_FOUND');
    }
  });

  test('An agent created with an Idempotency-Key is created once', async () => {
    const token = await tenant.adminToken();
    const options = { token, headers: { 'idempotency-key': 'once' }, body: { name: 'once' } };
    const first = expectStatus(201, await tenant.request('POST', '/agents', options));
    assert.deepEqual(expectStatus(201, await tenant.request('POST', '/agents', options)), first);
    const other = { ...options, body: { name: 'twice' } };
    const refused = await tenant.request<ErrorBody>('POST', '/agents', other);
    assert.equal(says(refused), '400 IDEMPOTENCY_KEY_REUSED');
  });

  test('An agent outlives its owner, and is not owned by an impersonating administrator', async () => {
    const { user, token } = await tenant.createUser({ roles: ['admin'] });
    const body = { name: 'orphan' };
    const made = await tenant.request<AgentRecord>('POST', '/agents', { token, body });
    const { id, owner_id: ownerId } = expectStatus(201, made);
    assert.equal(ownerId, user.id);
    expectStatus(200, await asAdmin('DELETE', `/users/${user.id}`));
    assert.equal((await read(id)).owner_id, user.id);
    const exchange = { tenant_id: tenant.id, reason: 'to help out' };
    const impersonation = await keywright.home.request('POST', '/auth/impersonate', {
      token: await keywright.adminToken(),
      body: exchange,
    });
    const impersonator = String(expectStatus(200, impersonation)['access_token']);
    const theirs = await tenant.request<AgentRecord>('POST', '/agents', {
      token: impersonator,
      body,
    });
    assert.equal(expectStatus(201, theirs).owner_id, null);
  });
});

describe('the list of agents', () => {
  test('The list of agents is paged, sorted by age, and filtered (SPEC endpoints agents 2)', async () => {
    const garden = await keywright.tenant('garden');
    const token = await garden.adminToken();
    const { user } = await garden.createUser();
    const made: AgentRecord[] = [];
    for (let index = 0; index < 5; index += 1) {
      keywright.clock.advance(1);
      const owner = index === 3 ? { owner_id: user.id } : {};
      made.push((await garden.createAgent({ name: `agent ${index}`, ...owner })).agent);
    }
    const list = async (query: string) => {
      const answer = await garden.request<{
        items: AgentRecord[];
        meta: { total: number; next_cursor?: string };
      }>('GET', `/agents${query}`, { token });
      return expectStatus(200, answer);
    };
    assert.deepEqual((await list('')).items, made.toReversed());
    assert.deepEqual((await list('?sort=created_at')).items, made);
    const first = await list('?sort=created_at&limit=2');
    assert.deepEqual([first.items, first.meta.total], [made.slice(0, 2), 5]);
    const next = await list(`?sort=created_at&limit=2&cursor=${first.meta.next_cursor}`);
    assert.deepEqual(next.items, made.slice(2, 4));
    assert.deepEqual((await list('?sort=created_at&limit=2&page=3')).items, made.slice(4));
    assert.deepEqual((await list(`?owner_id=${user.id}`)).items, [made[3]]);
    const path = `/agents/${made[1]?.id}`;
    await garden.request('PATCH', path, { token, body: { is_active: false } });
    assert.deepEqual((await list('?is_active=false')).items, [{ ...made[1], is_active: false }]);
    assert.equal((await list('?is_active=true&workspace_id=ws_default')).meta.total, 4);
    for (const query of ['?sort=name', '?is_active=maybe', '?limit=0', '?cursor=x']) {
      const answer = await garden.request<ErrorBody>('GET', `/agents${query}`, { token });
      assert.equal(says(answer), '400 VALIDATION_FAILED');
    }
  });
});

describe('a workspace that an agent is in', () => {
  test('A workspace with an agent is in use; deleted with force, it leaves the agent inactive in ws_default', async () => {
    const id = await workspace('Attic');
    const { agent, key } = await tenant.createAgent({ workspace_id: id as never });
    assert.equal(says(await asAdmin('DELETE', `/workspaces/${id}`)), '400 IN_USE');
    expectStatus(200, await tenant.request('GET', '/me', { token: key }));
    expectStatus(200, await asAdmin('DELETE', `/workspaces/${id}?force=true`));
    const left = { ...agent, workspace_id: 'ws_default', is_active: false };
    assert.deepEqual(await read(agent.id), left);
    assert.equal((await tenant.request('GET', '/me', { token: key })).status, 401);
  });
});
