// The export of users: complete, within bounded memory, and in the audit log.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newPassword } from '@keywright/tests/harness/credentials';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { expectStatus } from '@keywright/tests/harness/http';
import { entriesOf } from '@keywright/tests/harness/journal';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type ServerProcess, startServerProcess } from '@keywright/tests/harness/process';
import { watchStatements } from '@keywright/tests/harness/statements';
import type { TestTenant } from '@keywright/tests/harness/tenant';

/** Creates users without the API, every third one inactive, each with this much metadata. */
async function fill(database: TestDatabase, tenantId: string, count: number, bytes: number) {
  await database.query(
    `WITH new AS (
       INSERT INTO users (tenant_id, id, created_at, is_active, name, name_key, picture, metadata)
       SELECT $1, 'user:0' || lpad(n::text, 25, '0'), timestamptz '2026-01-01' + n * interval '1 s', n % 3 <> 0,
              'User ' || n, 'user ' || n, 'https://cdn.example.com/' || n || '.png',
              jsonb_build_object('text', repeat('x', $3))
         FROM generate_series(1, $2::integer) AS n
       RETURNING tenant_id, id)
     INSERT INTO user_identifiers (tenant_id, identifier, user_id, type, position)
     SELECT tenant_id, right(id, 6) || '@bulk.example', id, 'email', 0 FROM new`,
    [tenantId, count, bytes],
  );
  // Autovacuum does this within a minute. Until then, a batch can read all remaining rows (ADR 74).
  await database.query('ANALYZE users, user_identifiers');
}

describe('an export', () => {
  const USERS = 450;
  let keywright: Keywright;
  let tenant: TestTenant;

  before(async () => {
    keywright = await startKeywright();
    tenant = await keywright.tenant('exported');
    await tenant.adminToken();
    await fill(keywright.database, tenant.id, USERS, 1);
  });
  after(() => keywright.close());

  async function requestExport(query = '', at = tenant, token?: string) {
    const options = { token: token ?? (await at.adminToken()) };
    return at.request('GET', `/users/export${query}`, options);
  }

  async function read(query = '', at = tenant): Promise<UserRecord[]> {
    const answer = await requestExport(query, at);
    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers['content-type']), /^application\/x-ndjson/);
    const lines = answer.text.split('\n');
    assert.equal(lines.pop(), '', 'every line ends');
    return lines.map((line) => JSON.parse(line) as UserRecord);
  }

  test('An export has every user of the tenant once, as they are read one by one, the oldest first', async () => {
    // A login before the export, since it changes a field of the administrator.
    const token = await tenant.adminToken();
    const users = await read();
    assert.equal(users.length, USERS + 1);
    const ids = users.map((user) => user.id);
    assert.deepEqual(ids, [...new Set(ids)].toSorted());
    for (const user of [users[0], users.at(-1)]) {
      const answer = await tenant.request('GET', `/users/${user?.id}`, { token });
      assert.deepEqual(user, expectStatus(200, answer));
    }
    const { name, picture } = users.find((user) => user.name !== null) ?? {};
    assert.deepEqual([name, picture], ['User 1', 'https://cdn.example.com/1.png']);
  });

  test('An export is not read for its headers alone', async () => {
    const token = await tenant.adminToken();
    const sentFor = async (method: string) => {
      const statements = watchStatements();
      const { status, headers } = await tenant.request(method, '/users/export', { token });
      statements.stop();
      return { status, type: headers['content-type'], statements: statements.sent.length };
    };
    const [head, get] = [await sentFor('HEAD'), await sentFor('GET')];
    assert.deepEqual([head.status, head.type], [200, get.type]);
    // Three batches, each a transaction of its own.
    assert.equal(get.statements - head.statements, 3 * 4);
  });

  test('An export has the users that match its filters', async () => {
    assert.equal((await read('?is_active=false')).length, USERS / 3);
    assert.deepEqual(await read('?is_active=false&role=admin'), []);
    assert.deepEqual(await read('?role=unknown'), []);
    expectStatus(400, await requestExport('?last_login_before=soon'));
    expectStatus(400, await requestExport('?sort=identifier'));
  });

  test('An export is in the audit log with the number of its users', async () => {
    const at = await keywright.tenant('exported-too');
    await at.createUser();
    const users = await read('?is_active=true', at);
    const [entry] = await entriesOf(at, { action: 'users.exported' });
    assert.deepEqual(
      [entry?.target, entry?.details, entry?.actor.kind],
      [{ kind: 'tenant', id: at.id }, { users: users.length, filters: ['is_active'] }, 'user'],
    );
  });

  test('An export requires the scope to read users, and a rejected one is not counted', async () => {
    const at = await keywright.tenant('exported-never');
    const { token } = await at.createUser();
    expectStatus(403, await requestExport('', at, token));
    assert.deepEqual(await entriesOf(at, { action: 'users.exported' }), []);
  });
});

describe('an export of 30,000 users', () => {
  const USERS = 30_000;
  const METADATA_BYTES = 4000;
  /** More than the service needs, and less than the size of the export. */
  const HEAP_MB = 96;
  const admin = { identifier: 'root@example.com', secret: newPassword() };
  let database: TestDatabase;
  let server: ServerProcess;

  before(async () => {
    database = await createDatabase();
    server = await startServerProcess({
      env: {
        KEYWRIGHT_DATABASE_URL: database.url,
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
        KEYWRIGHT_ADMIN_IDENTIFIER: admin.identifier,
        KEYWRIGHT_ADMIN_SECRET: admin.secret,
        KEYWRIGHT_LOG_LEVEL: 'error',
        NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --max-semi-space-size=4`,
      },
    });
    await fill(database, 'org_default', USERS, METADATA_BYTES);
  });
  after(async () => {
    await server.interrupt();
    await database.drop();
  });

  test('An export of 30,000 users is complete within memory that could not hold it', async () => {
    const login = await server.http.request<TokenAnswer>('POST', '/auth/login', { body: admin });
    const headers = { authorization: `Bearer ${expectStatus(200, login).access_token}` };
    const { promise, resolve, reject } = Promise.withResolvers<NodeJS.ReadableStream>();
    request(`${server.url}/api/sso/v1/users/export`, { headers }, resolve)
      .on('error', reject)
      .end();
    let [lines, bytes] = [0, 0];
    for await (const line of createInterface({ input: await promise })) {
      lines += 1;
      bytes += line.length;
    }
    assert.equal(lines, USERS + 1);
    assert.ok(bytes > HEAP_MB * 1_100_000, `${bytes} bytes`);
  });
});
