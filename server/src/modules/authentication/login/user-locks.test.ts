import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserLock } from '@keywright/contract/records/user-lock';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';
import { counted } from '../../../tenancy/counters.ts';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('locked');
});
after(() => keywright.close());

test('An administrator sees what blocks the logins of a user, and unlocks them', async () => {
  const token = await tenant.adminToken();
  const { user, identifier, password } = await tenant.createUser();
  const locks = async () => {
    const options = { token };
    const path = `/users/${user.id}/locks`;
    const list = await tenant.request<{ locks: UserLock[] }>('GET', path, options);
    return expectStatus(200, list).locks.map(({ limit, identifier: of }) => [limit, of]);
  };
  const login = async (secret: string) => {
    const body = { identifier, secret };
    return (await tenant.request('POST', '/auth/login', { body })).status;
  };
  assert.deepEqual(await locks(), []);
  while ((await login(newPassword())) === 401);
  assert.equal(await login(password), 429);
  assert.deepEqual(await locks(), [['password', identifier]]);

  const unlock = (id: string, as = token) =>
    tenant.request<ErrorBody>('POST', `/users/${id}/unlock`, { token: as });
  expectStatus(200, await unlock(user.id));
  assert.deepEqual(await locks(), []);
  assert.equal(await login(password), 200);
  const [entry] = await keywright.database.query<{ target_id: string }>(
    `SELECT target_id FROM audit_entries WHERE tenant_id = $1 AND action = 'user.unlocked'`,
    [tenant.id],
  );
  assert.equal(entry?.target_id, user.id);
});

test('A user cannot unlock themselves, or a user with permissions that they do not hold', async () => {
  const token = await tenant.adminToken();
  const body = { name: 'helper', scopes: ['write:users'] };
  expectStatus(201, await tenant.request('POST', '/roles', { token, body }));
  const helper = await tenant.createUser({ roles: ['helper'] });
  const refusal = async (id: string) => {
    const options = { token: helper.token };
    return (await tenant.request<ErrorBody>('POST', `/users/${id}/unlock`, options)).body.code;
  };
  assert.equal(await refusal(helper.user.id), 'PRINCIPAL_PROTECTED');
  const admin = await tenant.createUser({ roles: ['admin'] });
  assert.equal(await refusal(admin.user.id), 'SCOPE_NOT_HELD');
  const other = await tenant.createUser();
  assert.equal(await refusal(other.user.id), undefined);
});

test('Unlocking a user locks counters in the order of logins, so that it cannot deadlock with them', async () => {
  const { database } = keywright;
  const subjects = (of: string) =>
    [counted('login identifier', of), counted('login identifier day', of)] as const;
  let identifier = newIdentifier();
  while (Buffer.compare(...subjects(identifier)) < 0) identifier = newIdentifier();
  const { user } = await tenant.createUser({ identifier });
  const [first, second] = subjects(identifier);
  await database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [tenant.id]);
  // The second one comes first in the table and in its index.
  await database.query(
    `INSERT INTO login_attempts SELECT $1, subject, now(), now() + interval '1 hour', 5 FROM unnest($2::bytea[]) AS subject`,
    [tenant.id, [second, first]],
  );
  const login = new pg.Client(database.superuserUrl);
  await login.connect();
  try {
    const lock = 'SELECT FROM login_attempts WHERE subject = $1 FOR UPDATE NOWAIT';
    await login.query('BEGIN');
    await login.query(lock, [first]);
    const unlocked = tenant.request('POST', `/users/${user.id}/unlock`, {
      token: await tenant.adminToken(),
    });
    await until('unlocking waits', async () => {
      const waiting = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    await login.query(lock, [second]);
    await login.query('COMMIT');
    expectStatus(200, await unlocked);
  } finally {
    await login.end();
  }
});
