import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { RoleRecord } from '@keywright/contract/records/role';
import type { UserRecord } from '@keywright/contract/records/user';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;
let roles = 0;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  tenant = await keywright.tenant('acme', { config: { login_attempts_limit: 10_000 } });
  other = await keywright.tenant('other');
});

after(() => keywright.close());

type Reply<Body> = Promise<Answer<Body & ErrorBody>>;

function request<Body = JsonBody>(
  token: string,
  method: string,
  path: string,
  body?: object,
): Reply<Body> {
  return tenant.request(method, path, body ? { token, body } : { token });
}

async function asAdmin<Body = JsonBody>(method: string, path: string, body?: object): Reply<Body> {
  return request(await tenant.adminToken(), method, path, body);
}

function says({ status, body }: Answer<ErrorBody>): string {
  return `${status} ${body.code ?? ''}`.trim();
}

/** A role of its own for each test. */
async function freshRole(...scopes: readonly string[]): Promise<string> {
  roles += 1;
  const body = { name: `role-${roles}`, scopes };
  return expectStatus(201, await asAdmin<RoleRecord>('POST', '/roles', body)).name;
}

/** A user with exactly these scopes. */
async function holderOf(...scopes: readonly string[]): Promise<string> {
  return (await tenant.createUser({ roles: [await freshRole(...scopes)] })).token;
}

async function roleNamed(name: string): Promise<RoleRecord> {
  return expectStatus(200, await asAdmin<RoleRecord>('GET', `/roles/${name}`));
}

describe('a role', () => {
  test('A role is created, read, changed and deleted (SPEC service 8)', async () => {
    const body = { name: 'reader', description: 'Reads', scopes: ['read:users', 'read:invoices'] };
    const made = expectStatus(201, await asAdmin<RoleRecord>('POST', '/roles', body));
    const createdAt = keywright.clock.now().toISOString();
    const rest = { tenant_id: tenant.id, is_builtin: false, created_at: createdAt };
    assert.deepEqual(made, { ...body, ...rest });
    let expected = made;
    for (const change of [{ description: 'Reads all' }, { scopes: [] }, { scopes: ['*:x-1'] }]) {
      expected = Object.assign({}, expected, change);
      const answer = await asAdmin<RoleRecord>('PATCH', '/roles/reader', change);
      assert.deepEqual(expectStatus(200, answer), expected);
      assert.deepEqual(await roleNamed('reader'), expected);
    }
    const gone = expectStatus(200, await asAdmin('DELETE', '/roles/reader'));
    assert.deepEqual(gone, { name: 'reader', deleted: true });
    for (const method of ['GET', 'DELETE']) {
      assert.equal(says(await asAdmin(method, '/roles/reader')), '404 NOT_FOUND');
    }
    expectStatus(201, await asAdmin('POST', '/roles', body));
  });

  test('A role has a name unique in its tenant', async () => {
    const name = await freshRole('read:users');
    const body = { name, scopes: [] };
    assert.equal(says(await asAdmin('POST', '/roles', body)), '400 ROLE_TAKEN');
    const taken = { name: 'admin', scopes: [] };
    assert.equal(says(await asAdmin('POST', '/roles', taken)), '400 ROLE_TAKEN');
    assert.deepEqual((await roleNamed(name)).scopes, ['read:users']);
    // Built in only in the default tenant: a token of another tenant must not seem to come from a system
    // administrator.
    const borrowed = { name: 'system_admin', scopes: [] };
    assert.equal(says(await asAdmin('POST', '/roles', borrowed)), '400 ROLE_TAKEN');
    const token = await other.adminToken();
    expectStatus(201, await other.request('POST', '/roles', { token, body }));
  });

  const MALFORMED: readonly object[] = [
    {},
    { name: 'x' },
    { name: 'Admin', scopes: [] },
    { name: '1st', scopes: [] },
    { name: 'x'.repeat(65), scopes: [] },
    { name: 'x', scopes: ['users'] },
    { name: 'x', scopes: ['admin:users'] },
    { name: 'x', scopes: ['read:Users'] },
    { name: 'x', scopes: ['read:users', 'read:users'] },
    { name: 'x', scopes: [], is_builtin: true },
    { name: 'x', scopes: [], description: 'y'.repeat(513) },
  ];
  for (const body of MALFORMED) {
    test(`A malformed role is rejected: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      assert.equal(says(await asAdmin('POST', '/roles', body)), '400 VALIDATION_FAILED');
    });
  }

  test('A role with an Idempotency-Key is created once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const options = { token: await tenant.adminToken(), headers, body: { name: 'o', scopes: [] } };
    const first = expectStatus(201, await tenant.request('POST', '/roles', options));
    assert.deepEqual(expectStatus(201, await tenant.request('POST', '/roles', options)), first);
  });

  test('A role is listed by name, with the built-in ones', async () => {
    const at = await keywright.tenant('listing');
    const token = await at.adminToken();
    for (const name of ['zebra', 'kiwi', 'apple']) {
      expectStatus(201, await at.request('POST', '/roles', { token, body: { name, scopes: [] } }));
    }
    type List = { items: RoleRecord[]; meta: { total: number } };
    const all = expectStatus(200, await at.request<List>('GET', '/roles', { token }));
    const names = ['admin', 'apple', 'kiwi', 'member', 'zebra'];
    assert.deepEqual(
      all.items.map((role) => role.name),
      names,
    );
    const path = '/roles?limit=2&page=2';
    const part = expectStatus(200, await at.request<List>('GET', path, { token }));
    assert.deepEqual(
      part.items.map((role) => role.name),
      names.slice(2, 4),
    );
    assert.equal(part.meta.total, 5);
  });

  test('A role is found by a part of its name or description, in any case and without wildcards', async () => {
    const at = await keywright.tenant('searching');
    const token = await at.adminToken();
    const body = { name: 'warehouse', description: 'Packs 100% of ORDERS', scopes: [] };
    expectStatus(201, await at.request('POST', '/roles', { token, body }));
    const found = async (text: string) => {
      const path = `/roles?search=${encodeURIComponent(text)}`;
      type List = { items: RoleRecord[]; meta: { total: number } };
      const { items, meta } = expectStatus(200, await at.request<List>('GET', path, { token }));
      assert.equal(meta.total, items.length);
      return items.map(({ name }) => name);
    };
    for (const text of ['HOUSE', 'orders', '100%']) {
      assert.deepEqual(await found(text), ['warehouse'], text);
    }
    assert.deepEqual(await found('w%e'), []);
  });
});

describe('a built-in role', () => {
  test('A built-in role cannot be changed or deleted by any caller, even with force', async () => {
    const root = await keywright.adminToken();
    for (const name of ['admin', 'member', 'system_admin']) {
      const path = `/roles/${name}`;
      const at = (method: string, to: string, body?: object) =>
        keywright.home.request<ErrorBody>(method, to, { token: root, ...(body && { body }) });
      const earlier = (await at('GET', path)).body;
      for (const answer of [
        await at('PATCH', path, { scopes: ['read:users'] }),
        await at('PATCH', path, { description: 'Mine' }),
        await at('DELETE', path),
        await at('DELETE', `${path}?force=true`),
      ]) {
        assert.equal(says(answer), '400 BUILTIN_ROLE_PROTECTED', name);
      }
      assert.deepEqual((await at('GET', path)).body, earlier);
    }
  });
});

describe('a role of another tenant', () => {
  test('A role of another tenant is not found: every route responds as for an unknown one (SPEC errors 4)', async () => {
    const token = await other.adminToken();
    const body = { name: 'foreign', scopes: ['read:users'] };
    expectStatus(201, await other.request('POST', '/roles', { token, body }));
    for (const [method, suffix, change] of [
      ['GET', ''],
      ['PATCH', '', { scopes: [] }],
      ['DELETE', '?force=true'],
    ] as const) {
      const foreign = await asAdmin(method, `/roles/foreign${suffix}`, change);
      const unknown = await asAdmin(method, `/roles/unknown${suffix}`, change);
      assert.deepEqual([foreign.status, foreign.text], [404, unknown.text]);
      for (const name of ['%00', 'A', 'x'.repeat(65)]) {
        assert.equal((await asAdmin(method, `/roles/${name}${suffix}`, change)).status, 404, name);
      }
    }
    const { user } = await tenant.createUser();
    const grant = await asAdmin('PATCH', `/users/${user.id}`, { roles: ['foreign'] });
    assert.equal(says(grant), '400 ROLE_UNKNOWN');
    const read = await other.request<RoleRecord>('GET', '/roles/foreign', { token });
    assert.deepEqual(read.body.scopes, ['read:users']);
  });
});

describe('a caller without a scope', () => {
  test('A caller cannot create a role with a scope that they lack', async () => {
    const token = await holderOf('write:roles', 'read:users', 'write:users', 'delete:users');
    for (const [scopes, expected] of [
      [['read:users'], '201'],
      [['write:roles', 'write:users'], '201'],
      [[], '201'],
      [['read:users', 'read:tenant'], '403 SCOPE_NOT_HELD'],
      [['*:users'], '403 SCOPE_NOT_HELD'],
      [['read:*'], '403 SCOPE_NOT_HELD'],
      [['*:*'], '403 SCOPE_NOT_HELD'],
    ] as const) {
      roles += 1;
      const name = `role-${roles}`;
      const answer = await request(token, 'POST', '/roles', { name, scopes });
      assert.equal(says(answer), expected, scopes.join());
      const found = await asAdmin('GET', `/roles/${name}`);
      assert.equal(found.status, expected === '201' ? 200 : 404);
    }
  });

  test('A caller cannot add a scope that they lack to an existing role, their own included', async () => {
    const callerRole = await freshRole('write:roles', 'read:users');
    const { token } = await tenant.createUser({ roles: [callerRole] });
    const small = await freshRole('read:users');
    for (const name of [callerRole, small]) {
      const earlier = await roleNamed(name);
      for (const more of ['write:users', '*:users', '*:*']) {
        const scopes = ['write:roles', 'read:users', more];
        const answer = await request(token, 'PATCH', `/roles/${name}`, { scopes });
        assert.equal(says(answer), '403 SCOPE_NOT_HELD');
        assert.equal(answer.body.detail, `You do not hold: ${more}.`);
      }
      assert.deepEqual(await roleNamed(name), earlier);
    }
    const more = { scopes: ['read:users', 'write:roles'] };
    expectStatus(200, await request(token, 'PATCH', `/roles/${small}`, more));
  });

  test('A caller cannot change or delete a role with more scopes than they have', async () => {
    const token = await holderOf('*:roles', 'read:users');
    const big = await freshRole('read:users', 'write:users');
    const earlier = await roleNamed(big);
    for (const answer of [
      await request(token, 'PATCH', `/roles/${big}`, { scopes: [] }),
      await request(token, 'PATCH', `/roles/${big}`, { scopes: ['read:users'] }),
      await request(token, 'PATCH', `/roles/${big}`, { description: 'Mine' }),
      await request(token, 'DELETE', `/roles/${big}`),
      await request(token, 'DELETE', `/roles/${big}?force=true`),
    ]) {
      assert.equal(says(answer), '403 SCOPE_NOT_HELD');
    }
    assert.deepEqual(await roleNamed(big), earlier);
    const small = await freshRole('read:users', 'delete:roles');
    expectStatus(200, await request(token, 'PATCH', `/roles/${small}`, { description: 'Ours' }));
    expectStatus(200, await request(token, 'DELETE', `/roles/${small}`));
  });

  test('A caller cannot read or change roles without the scope for it', async () => {
    const name = await freshRole();
    const token = await holderOf('*:users', 'read:tenant');
    for (const [method, path, body] of [
      ['GET', '/roles'],
      ['POST', '/roles', { name: 'mine', scopes: [] }],
      ['GET', `/roles/${name}`],
      ['PATCH', `/roles/${name}`, { description: 'Mine' }],
      ['DELETE', `/roles/${name}`],
    ] as const) {
      assert.equal(says(await request(token, method, path, body)), '403 SCOPE_REQUIRED');
    }
  });
});

describe('a deleted role', () => {
  test('A role remains while users have it, who are named; with force they lose it', async () => {
    const name = await freshRole('read:users');
    const holders = [
      await tenant.createUser({ roles: [name] }),
      await tenant.createUser({ roles: ['member', name] }),
    ];
    for (const path of [`/roles/${name}`, `/roles/${name}?force=false`]) {
      const { code, detail } = expectStatus(400, await asAdmin<ErrorBody>('DELETE', path));
      assert.equal(code, 'IN_USE');
      for (const { user } of holders) assert.ok(detail.includes(user.id), detail);
      assert.match(detail, /^2 users/);
    }
    expectStatus(200, await asAdmin('DELETE', `/roles/${name}?force=true`));
    const left = holders.map(async ({ user }) => {
      const read = await asAdmin<UserRecord>('GET', `/users/${user.id}`);
      return expectStatus(200, read).roles;
    });
    assert.deepEqual(await Promise.all(left), [[], ['member']]);
  });

  test('A role is not in use by former holders', async () => {
    const name = await freshRole('read:users');
    const { user } = await tenant.createUser({ roles: [name] });
    expectStatus(200, await asAdmin('PATCH', `/users/${user.id}`, { roles: ['member'] }));
    expectStatus(200, await asAdmin('DELETE', `/roles/${name}`));
  });
});
