import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { DelegationRecord } from '@keywright/contract/records/delegation';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { TestAgent, TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';

const DAY = 86_400;
type List = { items: DelegationRecord[]; meta: { total: number } };
type DelegationAnswer = Answer<DelegationRecord & ErrorBody>;

let keywright: Keywright;
let tenant: TestTenant;
let robot: TestAgent;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('office');
  await createRole('reader', ['read:*', 'write:notes']);
  robot = await tenant.createAgent({ scopes: ['*:*'] });
});

after(() => keywright.close());

async function createRole(name: string, scopes: readonly string[]): Promise<void> {
  const token = await tenant.adminToken();
  const body = { name, scopes };
  expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
}

function newReader(): Promise<TestUser> {
  return tenant.createUser({ roles: ['reader'] });
}

function delegate({ token }: TestUser, body: object = {}): Promise<DelegationAnswer> {
  const input = { agent_id: robot.agent.id, scopes: ['read:users'], ...body };
  return tenant.request('POST', '/me/delegations', { token, body: input });
}

function list({ token }: TestUser, query = ''): Promise<Answer<List>> {
  return tenant.request<List>('GET', `/me/delegations${query}`, { token });
}

function withdraw({ token }: TestUser, id: string): Promise<Answer<ErrorBody>> {
  return tenant.request('DELETE', `/me/delegations/${id}`, { token });
}

describe('a user delegates to an agent', () => {
  test('A user can delegate scopes that they hold to an agent, for 90 days by default', async () => {
    const reader = await newReader();
    const scopes = ['read:users', 'write:notes', 'read:*'];
    const { id, ...rest } = expectStatus(201, await delegate(reader, { scopes }));
    assert.match(id, /^dlg_[0-9a-z]{26}$/);
    const now = keywright.clock.now();
    assert.deepEqual(rest, {
      tenant_id: tenant.id,
      user_id: reader.user.id,
      agent_id: robot.agent.id,
      agent_name: robot.agent.name,
      scopes,
      is_active: true,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 90 * DAY * 1000).toISOString(),
      last_used_at: null,
    });
    const short = expectStatus(201, await delegate(reader, { expires_in_days: 1 }));
    assert.equal(Date.parse(short.expires_at) - Date.parse(short.created_at), DAY * 1000);
  });

  test('A user can list, read and revoke their delegations to agents; no other caller can', async () => {
    const [reader, other] = [await newReader(), await newReader()];
    const second = await tenant.createAgent();
    const first = expectStatus(201, await delegate(reader));
    keywright.clock.advance(1);
    const next = expectStatus(201, await delegate(reader, { agent_id: second.agent.id }));
    assert.deepEqual(expectStatus(200, await list(reader)).items, [next, first]);
    const sorted = expectStatus(200, await list(reader, '?sort=created_at&limit=1'));
    assert.deepEqual([sorted.items, sorted.meta.total], [[first], 2]);
    assert.deepEqual(expectStatus(200, await list(other)).items, []);
    const path = `/me/delegations/${first.id}`;
    const read = (user: TestUser) => tenant.request('GET', path, { token: user.token });
    assert.deepEqual(expectStatus(200, await read(reader)), first);
    expectStatus(404, await read(other));
    expectStatus(404, await withdraw(other, first.id));
    const gone = { id: first.id, deleted: true };
    assert.deepEqual(expectStatus(200, await withdraw(reader, first.id)), gone);
    expectStatus(404, await withdraw(reader, first.id));
    expectStatus(404, await read(reader));
    assert.deepEqual(expectStatus(200, await list(reader)).items, [next]);
  });

  test('A new delegation to the same agent replaces the previous one', async () => {
    const reader = await newReader();
    const first = expectStatus(201, await delegate(reader));
    const next = expectStatus(201, await delegate(reader, { scopes: ['write:notes'] }));
    assert.notEqual(next.id, first.id);
    assert.deepEqual(expectStatus(200, await list(reader)).items, [next]);
    expectStatus(404, await withdraw(reader, first.id));
    const many = await parallel(6, () => delegate(reader));
    const ids = many.map((answer) => expectStatus(201, answer).id);
    const [left, ...others] = expectStatus(200, await list(reader)).items;
    assert.ok(left && ids.includes(left.id));
    assert.deepEqual(others, []);
  });

  test('A delegation ends when it expires, which the list shows', async () => {
    const reader = await newReader();
    const { id } = expectStatus(201, await delegate(reader, { expires_in_days: 1 }));
    keywright.clock.advance(DAY);
    const login = await tenant.login(reader.identifier, reader.password);
    const later = { ...reader, token: login.access_token };
    const [only] = expectStatus(200, await list(later)).items;
    assert.deepEqual([only?.id, only?.is_active], [id, false]);
  });

  test('A delegation request that is sent twice with an Idempotency-Key creates one delegation', async () => {
    const { token } = await newReader();
    const body = { agent_id: robot.agent.id, scopes: ['read:users'] };
    const options = { token, body, headers: { 'idempotency-key': 'one' } };
    const first = await tenant.request('POST', '/me/delegations', options);
    const again = await tenant.request('POST', '/me/delegations', options);
    assert.equal(expectStatus(201, first)['id'], expectStatus(201, again)['id']);
  });
});

describe('a delegation is rejected', () => {
  test('A delegation of scopes that the user does not hold, now or in their token, is rejected', async () => {
    const reader = await newReader();
    for (const scopes of [['write:users'], ['*:*'], ['read:users', 'delete:notes']]) {
      const answer = await delegate(reader, { scopes });
      assert.equal(expectStatus(403, answer).code, 'SCOPE_NOT_HELD');
    }
    const missing = await delegate(reader, { scopes: ['read:users', 'delete:notes', '*:a'] });
    assert.match(missing.body.detail, /delete:notes, \*:a/);
    assert.deepEqual(expectStatus(200, await list(reader)).items, []);
  });

  test('A delegation to an agent that is unknown in this tenant is rejected', async () => {
    const reader = await newReader();
    const foreign = await (await keywright.tenant('office-2')).createAgent();
    const deleted = await tenant.createAgent();
    const token = await tenant.adminToken();
    const path = `/agents/${deleted.agent.id}`;
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    for (const id of [foreign.agent.id, deleted.agent.id, 'service:00000000000000000000000000']) {
      expectStatus(404, await delegate(reader, { agent_id: id }));
    }
  });

  test('A malformed delegation is rejected', async () => {
    const reader = await newReader();
    for (const body of [
      { scopes: [] },
      { scopes: ['*'] },
      { scopes: ['read:users', 'read:users'] },
      { scopes: Array.from({ length: 129 }, (_, index) => `read:r${index}`) },
      { expires_in_days: 0 },
      { expires_in_days: 366 },
      { expires_in_days: 1.5 },
      { agent_id: 'robot' },
      { user_id: reader.user.id },
    ]) {
      const answer = await delegate(reader, body);
      assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED', JSON.stringify(body));
    }
  });

  test('A delegation is rejected if the caller is an agent, or acts for the user', async () => {
    const body = { agent_id: robot.agent.id, scopes: ['read:users'] };
    const options = { token: robot.key, body };
    const answer = await tenant.request<ErrorBody>('POST', '/me/delegations', options);
    assert.equal(expectStatus(403, answer).code, 'USER_REQUIRED');
  });
});

test('A user who is deactivated during a delegation has delegated nothing', async () => {
  const reader = await newReader();
  const holder = new pg.Client(keywright.database.superuserUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('UPDATE users SET is_active = false WHERE id = $1', [reader.user.id]);
    const pending = delegate(reader);
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%users%'`;
    await until('it waits', async () => (await keywright.database.query(waiting)).length > 0);
    await holder.query('COMMIT');
    const answer = await pending;
    assert.equal(`${answer.status} ${answer.body.code}`, '401 TOKEN_INVALID');
  } finally {
    await holder.end();
  }
  const rows = await keywright.database.query('SELECT FROM delegations WHERE user_id = $1', [
    reader.user.id,
  ]);
  assert.equal(rows.length, 0);
});

test('A delegation ends with its user, and with its agent', async () => {
  const [reader, second] = [await newReader(), await tenant.createAgent()];
  const token = await tenant.adminToken();
  const count = async () => {
    const [row] = await keywright.database.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM delegations WHERE tenant_id = $1 AND user_id = $2',
      [tenant.id, reader.user.id],
    );
    return row?.n;
  };
  expectStatus(201, await delegate(reader));
  expectStatus(201, await delegate(reader, { agent_id: second.agent.id }));
  assert.equal(await count(), 2);
  expectStatus(200, await tenant.request('DELETE', `/agents/${second.agent.id}`, { token }));
  assert.equal(await count(), 1);
  expectStatus(200, await tenant.request('DELETE', `/users/${reader.user.id}`, { token }));
  assert.equal(await count(), 0);
});
