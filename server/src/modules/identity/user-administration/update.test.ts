import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';

const UNKNOWN_USER = 'user:01jdq3xaaaaaaaaaaaaaaaaaaa';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('updates', { config: { login_attempts_limit: 10_000 } });
  await keywright.database.query(
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
     VALUES ($1, 'ws_north', 'North', 'north', now()), ($1, 'ws_south', 'South', 'south', now())`,
    [tenant.id],
  );
});

after(() => keywright.close());

/** Changes a user as the administrator of the tenant. */
async function change(id: string, body: unknown): Promise<Answer<UserRecord & ErrorBody>> {
  return tenant.request('PATCH', `/users/${id}`, { token: await tenant.adminToken(), body });
}

/** Returns a user without the last login, which is recorded after its response. */
async function read(id: string): Promise<UserRecord> {
  const options = { token: await tenant.adminToken() };
  const answer = await tenant.request<UserRecord>('GET', `/users/${id}`, options);
  return { ...expectStatus(200, answer), last_login_at: null };
}

function logIn(identifier: string, secret: string): Promise<Answer<TokenAnswer & ErrorBody>> {
  return tenant.request('POST', '/auth/login', { body: { identifier, secret } });
}

async function assertSession({ token, refreshToken }: TestUser, isAlive: boolean): Promise<void> {
  const status = isAlive ? 200 : 401;
  expectStatus(status, await tenant.request('GET', '/me', { token }));
  const body = { refresh_token: refreshToken };
  expectStatus(status, await tenant.request('POST', '/auth/refresh', { body }));
}

describe('changing a user', () => {
  test('Changing a user returns the complete updated record, and leaves unnamed fields unchanged (SPEC endpoints users 9)', async () => {
    const { user } = await tenant.createUser();
    const metadata = { theme: 'dark', nested: { list: [1, null, 'two'] } };
    const changed = expectStatus(200, await change(user.id, { metadata }));
    assert.deepEqual(changed, { ...user, metadata });
    assert.deepEqual(await read(user.id), changed);
    const both = expectStatus(200, await change(user.id, { user_metadata: { a: 1 } }));
    assert.deepEqual(both, { ...changed, user_metadata: { a: 1 } });
    const again = expectStatus(200, await change(user.id, { metadata: {}, user_metadata: {} }));
    assert.deepEqual(again, user);
  });

  test('Changing an unknown user returns 404', async () => {
    for (const id of [UNKNOWN_USER, 'unknown', 'session:01jdq3xaaaaaaaaaaaaaaaaaaa']) {
      assert.equal(expectStatus(404, await change(id, { is_active: true })).code, 'NOT_FOUND');
    }
  });

  const flaws: readonly (readonly [body: Record<string, unknown>, path: string])[] = [
    [{}, ''],
    [{ color: 'red' }, '/color'],
    [{ id: UNKNOWN_USER }, '/id'],
    [{ created_at: '2026-01-01T00:00:00.000Z' }, '/created_at'],
    [{ is_active: 'no' }, '/is_active'],
    [{ roles: 'admin' }, '/roles'],
    [{ identifiers: [] }, '/identifiers'],
    [{ identifiers: [{ identifier: 'a@@b' }] }, '/identifiers/0/identifier'],
    [{ identifiers: [{ identifier: 'a@example.com', type: 'phone' }] }, '/identifiers/0/type'],
    [
      { identifiers: [{ identifier: 'a@example.com' }, { identifier: 'A@example.com' }] },
      '/identifiers',
    ],
    [{ password: 'too short' }, '/password'],
    [{ workspaces: ['north'] }, '/workspaces/0'],
    [{ metadata: [] }, '/metadata'],
    [{ metadata: { text: 'x'.repeat(16_384) } }, '/metadata'],
    [{ metadata: { text: 'a\u0000b' } }, '/metadata'],
  ];
  for (const [body, path] of flaws) {
    test(`A change is rejected with ${JSON.stringify(body).slice(0, 90)}, and changes nothing`, async () => {
      const { user } = await tenant.createUser();
      const whole = Object.keys(body).length === 0 ? {} : { metadata: { a: 1 }, ...body };
      const answer = expectStatus(400, await change(user.id, whole));
      assert.equal(answer.code, 'VALIDATION_FAILED');
      assert.deepEqual(
        answer.errors?.map((error) => error.path),
        [path],
      );
      assert.deepEqual(await read(user.id), user);
    });
  }

  test('A change accepts metadata of 16 KiB, counted in bytes, not characters', async () => {
    const { user } = await tenant.createUser();
    const room = 16 * 1024 - Buffer.byteLength(JSON.stringify({ text: '' }));
    const fitting = { text: 'é'.repeat(room / 2) };
    assert.deepEqual(
      expectStatus(200, await change(user.id, { metadata: fitting })).metadata,
      fitting,
    );
    expectStatus(400, await change(user.id, { metadata: { text: `${fitting.text}é` } }));
  });
});

describe('is_active', () => {
  test('A user that becomes inactive loses every session and cannot log in until they are active again', async () => {
    const user = await tenant.createUser();
    const inactive = expectStatus(200, await change(user.user.id, { is_active: false }));
    assert.equal(inactive.is_active, false);
    await assertSession(user, false);
    expectStatus(401, await logIn(user.identifier, user.password));
    const active = expectStatus(200, await change(user.user.id, { is_active: true }));
    assert.equal(active.is_active, true);
    await assertSession(user, false);
    expectStatus(200, await logIn(user.identifier, user.password));
  });

  test('Activating an active user keeps their sessions', async () => {
    const user = await tenant.createUser();
    expectStatus(200, await change(user.user.id, { is_active: true }));
    await assertSession(user, true);
  });
});

describe('password', () => {
  test('A new password replaces the old one and ends every session', async () => {
    const user = await tenant.createUser();
    const password = newPassword();
    expectStatus(200, await change(user.user.id, { password }));
    await assertSession(user, false);
    expectStatus(401, await logIn(user.identifier, user.password));
    expectStatus(200, await logIn(user.identifier, password));
  });

  test('A password of the caller is rejected: /me requires the current one', async () => {
    const { sub } = claimsOf(await tenant.adminToken());
    const { errors } = expectStatus(400, await change(sub, { password: newPassword() }));
    assert.deepEqual(
      errors?.map(({ path }) => path),
      ['/password'],
    );
    assert.equal((await read(sub)).id, sub);
  });
});

describe('roles', () => {
  test('Roles replace the existing ones, and are in the next token (SPEC service 8)', async () => {
    const user = await tenant.createUser();
    const changed = expectStatus(200, await change(user.user.id, { roles: ['admin'] }));
    assert.deepEqual(changed.roles, ['admin']);
    // The session continues, and its next tokens have the user's new roles.
    expectStatus(401, await tenant.request('GET', '/me', { token: user.token }));
    const refresh = { body: { refresh_token: user.refreshToken } };
    expectStatus(200, await tenant.request('POST', '/auth/refresh', refresh));
    const login = expectStatus(200, await logIn(user.identifier, user.password));
    const { roles, scopes } = claimsOf(login.access_token);
    assert.deepEqual([roles, scopes], [['admin'], ['*:*']]);
    assert.deepEqual(expectStatus(200, await change(user.user.id, { roles: [] })).roles, []);
  });

  test('Roles that the tenant does not have are rejected, and nothing changes', async () => {
    const { user } = await tenant.createUser();
    const answer = await change(user.id, { metadata: { a: 1 }, roles: ['unknown'] });
    assert.equal(expectStatus(400, answer).code, 'ROLE_UNKNOWN');
    assert.deepEqual(await read(user.id), user);
  });
});

describe('workspaces', () => {
  test('Workspaces replace the existing ones, in order, and logins use the first', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const workspaces = ['ws_south', 'ws_north'];
    const changed = expectStatus(200, await change(user.id, { workspaces }));
    assert.deepEqual(changed.workspaces, workspaces);
    const login = expectStatus(200, await logIn(identifier, password));
    assert.equal(claimsOf(login.access_token).workspace_id, 'ws_south');
    const none = expectStatus(200, await change(user.id, { workspaces: [] }));
    assert.deepEqual(none.workspaces, []);
  });

  test('Workspaces that the tenant does not have are not found, and nothing changes', async () => {
    const { user } = await tenant.createUser();
    const answer = await change(user.id, { workspaces: ['ws_north', 'ws_elsewhere'] });
    assert.equal(expectStatus(404, answer).code, 'NOT_FOUND');
    assert.deepEqual((await read(user.id)).workspaces, []);
  });
});

describe('identifiers', () => {
  test('Identifiers replace the existing ones: the new ones log in, the old one does not, and can be reused', async () => {
    const { user, identifier, password } = await tenant.createUser();
    const email = newIdentifier();
    const body = { identifiers: [{ identifier: '+4915100000001' }, { identifier: email }] };
    const changed = expectStatus(200, await change(user.id, body));
    assert.deepEqual(changed.identifiers, [
      { type: 'phone', identifier: '+4915100000001', verified: false },
      { type: 'email', identifier: email, verified: false },
    ]);
    for (const login of ['+4915100000001', email]) expectStatus(200, await logIn(login, password));
    expectStatus(401, await logIn(identifier, password));
    await tenant.createUser({ identifier });
  });

  test('Identifiers remain verified or unverified unless the change says otherwise', async () => {
    const { user, identifier } = await tenant.createUser();
    const other = newIdentifier();
    const verified = async (identifiers: unknown[]) =>
      expectStatus(200, await change(user.id, { identifiers })).identifiers.map(
        (entry) => entry.verified,
      );
    assert.deepEqual(await verified([{ identifier, verified: true }]), [true]);
    assert.deepEqual(await verified([{ identifier: other }, { identifier }]), [false, true]);
    assert.deepEqual(await verified([{ identifier, verified: false }]), [false]);
  });

  test('Identifiers that another user has are rejected, and nothing changes', async () => {
    const { user } = await tenant.createUser();
    const { identifier } = await tenant.createUser();
    const body = { identifiers: [{ identifier: newIdentifier() }, { identifier }] };
    const answer = await change(user.id, body);
    assert.equal(expectStatus(400, answer).code, 'IDENTIFIER_TAKEN');
    assert.deepEqual(await read(user.id), user);
  });

  test('Identifiers are accepted as GET returns them (SPEC endpoints users 9)', async () => {
    const { user, identifier } = await tenant.createUser();
    const input = [{ identifier, verified: true }, { identifier: '+4915100000002' }];
    expectStatus(200, await change(user.id, { identifiers: input }));
    const { identifiers } = await read(user.id);
    assert.deepEqual(identifiers, [
      { type: 'email', identifier, verified: true },
      { type: 'phone', identifier: '+4915100000002', verified: false },
    ]);
    assert.deepEqual(
      expectStatus(200, await change(user.id, { identifiers })).identifiers,
      identifiers,
    );
    const wrong = [{ type: 'phone', identifier, verified: true }];
    const refused = expectStatus(400, await change(user.id, { identifiers: wrong }));
    assert.deepEqual(refused.errors, [
      {
        path: '/identifiers/0/type',
        message: 'must be email, which is the type of the identifier',
      },
    ]);
  });

  test('Identifiers cannot be marked as verified by their own user', async () => {
    const { user, identifier, token } = await tenant.createUser({ roles: ['admin'] });
    const changeSelf = (identifiers: unknown[]) =>
      tenant.request<ErrorBody & UserRecord>('PATCH', `/users/${user.id}`, {
        token,
        body: { identifiers },
      });
    for (const claimed of [identifier, newIdentifier()]) {
      const answer = await changeSelf([{ identifier: claimed, verified: true }]);
      assert.equal(expectStatus(403, answer).code, 'SELF_VERIFICATION_REFUSED');
    }
    assert.deepEqual(await read(user.id), user);
    // An identifier that an administrator has verified remains so when the user repeats it.
    expectStatus(200, await change(user.id, { identifiers: [{ identifier, verified: true }] }));
    const repeated = await changeSelf([
      { identifier, verified: true },
      { identifier: newIdentifier() },
    ]);
    assert.deepEqual(
      expectStatus(200, repeated).identifiers.map((entry) => entry.verified),
      [true, false],
    );
    const undone = await changeSelf([{ identifier, verified: false }]);
    assert.equal(expectStatus(403, undone).code, 'SELF_VERIFICATION_REFUSED');
  });
});
