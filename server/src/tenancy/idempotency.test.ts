import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { parallel } from '@keywright/tests/harness/parallel';
import type { RequestToNode, TestTenant } from '@keywright/tests/harness/tenant';

const DAY_SECONDS = 86_400;
const NODES = 2;

let keywright: Keywright;
let tenant: TestTenant;
let keys = 0;

before(async () => {
  keywright = await startKeywright({ nodes: NODES, clock: 'fake' });
  tenant = await keywright.tenant('idempotency', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

type Reply = Answer<UserRecord & ErrorBody>;

interface NewUser {
  readonly identifier: string;
  readonly password: string;
}

function newKey(): string {
  keys += 1;
  return `key ${keys}`;
}

function newUser(): NewUser {
  return { identifier: newIdentifier(), password: newPassword() };
}

async function create(
  key: string,
  body: unknown,
  { tenant: _tenant, ...options }: RequestToNode = {},
  at = tenant,
): Promise<Reply> {
  const headers = { 'idempotency-key': key };
  const token = options.token ?? (await at.adminToken());
  return at.request('POST', '/users', { ...options, token, headers, body });
}

async function countUsers(at = tenant): Promise<number | undefined> {
  const [row] = await keywright.database.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM users WHERE tenant_id = $1',
    [at.id],
  );
  return row?.n;
}

describe('a request that is repeated with its Idempotency-Key', () => {
  test('A request that is repeated with its Idempotency-Key gets the first response and does nothing', async () => {
    const [key, body] = [newKey(), newUser()];
    const first = await create(key, body);
    const user = expectStatus(201, first);
    const usersBefore = await countUsers();
    for (const node of [0, 1]) {
      const again = await create(key, body, { node });
      assert.deepEqual([again.status, again.body], [201, user]);
    }
    assert.equal(await countUsers(), usersBefore);
  });

  test('A request that is repeated with its Idempotency-Key gets the first response even after its record changed or was deleted', async () => {
    const [key, body] = [newKey(), newUser()];
    const user = expectStatus(201, await create(key, body));
    const token = await tenant.adminToken();
    const patch = { token, body: { metadata: { a: 1 } } };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, patch));
    assert.deepEqual(expectStatus(201, await create(key, body)), user);
    expectStatus(200, await tenant.request('DELETE', `/users/${user.id}`, { token }));
    assert.deepEqual(expectStatus(201, await create(key, body)), user);
  });

  test('A request that repeats an Idempotency-Key with another body is rejected, and the first response remains', async () => {
    const [key, body] = [newKey(), newUser()];
    const user = expectStatus(201, await create(key, body));
    for (const other of [
      newUser(),
      { ...body, roles: ['member'] },
      { ...body, password: newPassword() },
    ]) {
      const refused = await create(key, other);
      assert.equal(expectStatus(400, refused).code, 'IDEMPOTENCY_KEY_REUSED');
    }
    assert.deepEqual(expectStatus(201, await create(key, body)), user);
  });

  test('Requests with the same Idempotency-Key create one user, however many arrive concurrently on however many nodes', async () => {
    const [key, body] = [newKey(), newUser()];
    const usersBefore = (await countUsers()) ?? 0;
    const answers = await parallel(12, (index) => create(key, body, { node: index % NODES }));
    const users = answers.map((answer) => expectStatus(201, answer).id);
    assert.equal(new Set(users).size, 1);
    assert.equal(await countUsers(), usersBefore + 1);
  });

  test('A request that is repeated with its Idempotency-Key after 24 hours is a new request', async () => {
    const [key, body] = [newKey(), newUser()];
    const user = expectStatus(201, await create(key, body));
    keywright.clock.advance(DAY_SECONDS);
    assert.equal(expectStatus(201, await create(key, body)).id, user.id);
    keywright.clock.advance(1);
    assert.equal(expectStatus(400, await create(key, body)).code, 'IDENTIFIER_TAKEN');
    expectStatus(201, await create(key, newUser()));
  });

  test('An Idempotency-Key that expires affects no other key', async () => {
    const [key, neighbor] = [newKey(), newKey()];
    expectStatus(201, await create(key, newUser()));
    keywright.clock.advance(DAY_SECONDS + 1);
    const colleague = await tenant.createUser({ roles: ['admin'] });
    const other = await keywright.tenant('idempotency-3');
    const [mine, theirs, elsewhere] = [newUser(), newUser(), newUser()];
    const room = { name: 'The same key', slug: 'same-key' };
    const repeated: (() => Promise<Reply>)[] = [
      () => create(neighbor, mine),
      () => create(key, theirs, { token: colleague.token }),
      () => create(key, elsewhere, {}, other),
      async () => {
        const headers = { 'idempotency-key': key };
        const token = await tenant.adminToken();
        return tenant.request('POST', '/workspaces', { token, headers, body: room });
      },
    ];
    const ids: string[] = [];
    for (const send of repeated) ids.push(expectStatus(201, await send()).id);
    expectStatus(201, await create(key, newUser()));
    for (const [index, send] of repeated.entries()) {
      assert.equal(expectStatus(201, await send()).id, ids[index]);
    }
  });

  test('A failed request that is repeated with its Idempotency-Key is performed again: only successes are stored', async () => {
    const key = newKey();
    const { identifier } = await tenant.createUser();
    const taken = await create(key, { ...newUser(), identifier });
    assert.equal(expectStatus(400, taken).code, 'IDENTIFIER_TAKEN');
    expectStatus(201, await create(key, newUser()));
  });
});

describe('the same Idempotency-Key', () => {
  test('The same Idempotency-Key of another caller is a different key', async () => {
    const [key, body] = [newKey(), newUser()];
    const { token } = await tenant.createUser({ roles: ['admin'] });
    const mine = expectStatus(201, await create(key, body));
    assert.equal(expectStatus(400, await create(key, body, { token })).code, 'IDENTIFIER_TAKEN');
    const other = newUser();
    const theirs = expectStatus(201, await create(key, other, { token }));
    assert.deepEqual(expectStatus(201, await create(key, body)), mine);
    assert.deepEqual(expectStatus(201, await create(key, other, { token })), theirs);
  });

  test('The same Idempotency-Key of another tenant is a different key', async () => {
    const [key, body] = [newKey(), newUser()];
    const other = await keywright.tenant('idempotency-2');
    const [here, there] = [await create(key, body), await create(key, body, {}, other)];
    assert.equal(expectStatus(201, here).tenant_id, tenant.id);
    assert.equal(expectStatus(201, there).tenant_id, other.id);
  });

  test('The same Idempotency-Key of the same caller in another session is the same key', async () => {
    const [key, body] = [newKey(), newUser()];
    const admin = await tenant.createUser({ roles: ['admin'] });
    const later = await tenant.login(admin.identifier, admin.password);
    const first = expectStatus(201, await create(key, body, { token: admin.token }));
    const again = await create(key, body, { token: later.access_token });
    assert.equal(expectStatus(201, again).id, first.id);
  });
});

test('An Idempotency-Key has 1 to 255 characters', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const { errors } = expectStatus(400, await create(key, newUser()));
    assert.deepEqual(errors, [
      { path: '/Idempotency-Key', message: 'must have 1 to 255 characters' },
    ]);
  }
  expectStatus(201, await create('x'.repeat(255), newUser()));
});

test('The stored response of an idempotent request contains no password', async () => {
  const [key, body] = [newKey(), newUser()];
  expectStatus(201, await create(key, body));
  const rows = await keywright.database.query<{ text: string }>(
    'SELECT row_to_json(k)::text AS text FROM idempotency_keys k WHERE key = $1',
    [key],
  );
  assert.equal(rows.length, 1);
  assert.ok(rows[0]?.text.includes(body.identifier));
  assert.equal(rows[0]?.text.includes(body.password), false);
});

test('No response is stored for a request without an Idempotency-Key', async () => {
  const token = await tenant.adminToken();
  expectStatus(201, await tenant.request('POST', '/users', { token, body: newUser() }));
  const body = newUser();
  expectStatus(201, await tenant.request('POST', '/users', { token, body }));
  const again = await tenant.request<ErrorBody>('POST', '/users', { token, body });
  assert.equal(expectStatus(400, again).code, 'IDENTIFIER_TAKEN');
});
