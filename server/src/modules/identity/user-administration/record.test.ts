import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const UNKNOWN_USER = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ passwords: 'real' });
  tenant = await keywright.tenant('records', { config: { login_attempts_limit: 10_000 } });
});

after(() => keywright.close());

type Reply = Answer<UserRecord & ErrorBody>;

/** Sends a request as the administrator of the tenant. */
async function request(method: string, path: string, body?: unknown, at = tenant): Promise<Reply> {
  const options = { token: await at.adminToken(), ...(body === undefined ? {} : { body }) };
  return at.request(method, path, options);
}

async function countUsers(at: TestTenant): Promise<number | undefined> {
  const [row] = await keywright.database.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM users WHERE tenant_id = $1',
    [at.id],
  );
  return row?.n;
}

describe('creating a user', () => {
  test('Creating a user returns 201 with the complete record (SPEC endpoints users 8, SPEC resources user 1, SPEC resources user 2, SPEC resources user 3, SPEC resources user 4, SPEC resources user 7, SPEC resources 1)', async () => {
    const identifier = newIdentifier();
    const earliest = new Date().toISOString();
    const roles = ['member', 'admin'];
    const answer = await request('POST', '/users', { identifier, password: newPassword(), roles });
    const user = expectStatus(201, answer);
    const { id, created_at, ...others } = user;
    assert.match(id, /^user:[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(created_at >= earliest && created_at <= new Date().toISOString());
    assert.deepEqual(others, {
      tenant_id: tenant.id,
      identifiers: [{ type: 'email', identifier, verified: false }],
      roles: ['admin', 'member'],
      workspaces: [],
      is_active: true,
      metadata: {},
      user_metadata: {},
      name: null,
      picture: null,
      last_login_at: null,
    });
    assert.deepEqual((await request('GET', `/users/${id}`)).body, user);
  });

  test('Creating a user keeps the password as an Argon2id hash with a salt of its own, and nowhere else (SPEC authentication 8, SPEC resources user 5)', async () => {
    const password = newPassword();
    const [user, other] = [
      expectStatus(201, await request('POST', '/users', { identifier: newIdentifier(), password })),
      expectStatus(201, await request('POST', '/users', { identifier: newIdentifier(), password })),
    ];
    const rows = await keywright.database.query<Record<string, string>>(
      `SELECT type, provider, secret_hash, external_id FROM user_credentials
        WHERE tenant_id = $1 AND user_id = ANY ($2)`,
      [tenant.id, [user.id, other.id]],
    );
    assert.equal(rows.length, 2);
    for (const row of rows) {
      assert.deepEqual(
        [row['type'], row['provider'], row['external_id']],
        ['password', 'local', null],
      );
      assert.match(
        row['secret_hash'] ?? '',
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22,}\$[^$]{43}$/,
      );
    }
    assert.notEqual(rows[0]?.['secret_hash'], rows[1]?.['secret_hash']);
    assert.equal(await dumpHolds(password), false);
  });

  /** Whether any table holds the text. */
  async function dumpHolds(text: string): Promise<boolean> {
    const tables = await keywright.database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    assert.ok(tables.length > 10);
    for (const { name } of tables) {
      const rows = await keywright.database.query(
        `SELECT FROM ${name} t WHERE strpos(row_to_json(t)::text, $1) > 0`,
        [text],
      );
      if (rows.length > 0) return true;
    }
    return false;
  }

  test('Creating a user also accepts a phone number, and normalizes e-mail addresses', async () => {
    const password = newPassword();
    const phone = await request('POST', '/users', { identifier: '+4915199999999', password });
    assert.equal(expectStatus(201, phone).identifiers[0]?.type, 'phone');
    const identifier = newIdentifier();
    const loud = { identifier: identifier.toUpperCase(), password };
    const { identifiers } = expectStatus(201, await request('POST', '/users', loud));
    assert.equal(identifiers[0]?.identifier, identifier);
  });

  test('Creating a user assigns the member role if no roles are named, and none for an empty list', async () => {
    const password = newPassword();
    const plain = await request('POST', '/users', { identifier: newIdentifier(), password });
    assert.deepEqual(expectStatus(201, plain).roles, ['member']);
    const bare = await request('POST', '/users', {
      identifier: newIdentifier(),
      password,
      roles: [],
    });
    assert.deepEqual(expectStatus(201, bare).roles, []);
  });

  test('Creating a user is rejected for an identifier in use, however it is typed; another tenant may use it', async () => {
    const { identifier } = await tenant.createUser();
    const other = await keywright.tenant('records-2');
    await other.adminToken();
    const usersBefore = await countUsers(tenant);
    for (const typed of [identifier, identifier.toUpperCase()]) {
      const answer = await request('POST', '/users', {
        identifier: typed,
        password: newPassword(),
      });
      assert.equal(expectStatus(400, answer).code, 'IDENTIFIER_TAKEN');
    }
    assert.equal(await countUsers(tenant), usersBefore);
    const body = { identifier, password: newPassword() };
    expectStatus(201, await request('POST', '/users', body, other));
  });

  const password = newPassword();
  const flaws: readonly (readonly [what: string, body: Record<string, unknown>, path: string])[] = [
    ['no identifier', { password }, '/identifier'],
    ['no password', { identifier: 'a@example.com' }, '/password'],
    ['what is no identifier', { identifier: 'a@b@c', password }, '/identifier'],
    [
      'a password that is too short',
      { identifier: 'a@example.com', password: 'eleven char' },
      '/password',
    ],
    ['a common password', { identifier: 'a@example.com', password: 'Password1234' }, '/password'],
    [
      'a password of 257 characters',
      { identifier: 'a@example.com', password: 'x'.repeat(257) },
      '/password',
    ],
    ['a field too many', { identifier: 'a@example.com', password, verified: true }, '/verified'],
    [
      'roles twice',
      { identifier: 'a@example.com', password, roles: ['member', 'member'] },
      '/roles',
    ],
  ];
  for (const [what, body, path] of flaws) {
    test(`Creating a user is rejected with ${what}, and no user is created (SPEC resources tenant config 3)`, async () => {
      const usersBefore = await countUsers(tenant);
      const answer = expectStatus(400, await request('POST', '/users', body));
      assert.equal(answer.code, 'VALIDATION_FAILED');
      assert.deepEqual(
        answer.errors?.map((error) => error.path),
        [path],
      );
      assert.equal(await countUsers(tenant), usersBefore);
    });
  }

  test('Creating a user is rejected for a role that the tenant does not have', async () => {
    for (const role of ['unknown', 'system_admin', 'admins']) {
      const body = { identifier: newIdentifier(), password, roles: ['member', role] };
      const answer = await request('POST', '/users', body);
      assert.equal(expectStatus(400, answer).code, 'ROLE_UNKNOWN', role);
    }
  });
});

describe('reading a user', () => {
  test('Reading a user returns the record, by the id raw or percent-encoded (SPEC endpoints users 7)', async () => {
    const { user } = await tenant.createUser();
    for (const id of [user.id, encodeURIComponent(user.id)]) {
      const record = expectStatus(200, await request('GET', `/users/${id}`));
      assert.deepEqual(record, user);
    }
  });

  test('Reading a user returns 404 for an unknown ID and for a malformed one, with the same body', async () => {
    const absent = await request('GET', `/users/${UNKNOWN_USER}`);
    assert.equal(expectStatus(404, absent).code, 'NOT_FOUND');
    for (const id of ['user:', 'user:me', 'user:%00', `user:${'x'.repeat(5000)}`]) {
      const answer = await request('GET', `/users/${id}`);
      assert.deepEqual([answer.status, answer.text], [404, absent.text], id.slice(0, 40));
    }
  });

  test('Reading a user returns 404 with the form of an ID, in one body, for a value without its prefix', async () => {
    const ids = ['me', 'session:01jdq3xaaaaaaaaaaaaaaaaaaa', '%00', 'x'.repeat(5000)];
    const answers = await Promise.all(ids.map((id) => request('GET', `/users/${id}`)));
    const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
    assert.equal(texts.size, 1);
    assert.match([...texts].join(), /^404 .*user_id must be an ID of the form user:<id>\./);
  });
});

describe('deleting a user', () => {
  test('Deleting a user deletes all their data and ends their sessions immediately (SPEC endpoints users 10)', async () => {
    const { user, identifier, password, token, refreshToken } = await tenant.createUser();
    const answer = await request('DELETE', `/users/${user.id}`);
    assert.deepEqual(expectStatus(200, answer), { id: user.id, deleted: true });
    expectStatus(401, await tenant.request('GET', '/me', { token }));
    const body = { refresh_token: refreshToken };
    expectStatus(401, await tenant.request('POST', '/auth/refresh', { body }));
    const login = { identifier, secret: password };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body: login }));
    expectStatus(404, await request('GET', `/users/${user.id}`));
    expectStatus(404, await request('DELETE', `/users/${user.id}`));
    for (const table of ['user_identifiers', 'user_credentials', 'user_roles', 'sessions']) {
      const sql = `SELECT FROM ${table} WHERE user_id = $1`;
      assert.equal((await keywright.database.query(sql, [user.id])).length, 0, table);
    }
    expectStatus(201, await request('POST', '/users', { identifier, password }));
  });

  test('Deleting an unknown user returns 404', async () => {
    expectStatus(404, await request('DELETE', `/users/${UNKNOWN_USER}`));
    expectStatus(404, await request('DELETE', '/users/unknown'));
  });
});
