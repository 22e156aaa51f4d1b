// users.auth_version: a decision about a login does not open a session if the user's login methods have changed
// since.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserRecord } from '@keywright/contract/records/user';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { hash } from '@node-rs/argon2';

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ passwords: 'real' });
  tenant = await keywright.tenant('versions');
});

after(() => keywright.close());

async function versionOf({ user }: TestUser): Promise<number | undefined> {
  const [row] = await keywright.database.query<{ auth_version: number }>(
    'SELECT auth_version FROM users WHERE id = $1',
    [user.id],
  );
  return row?.auth_version;
}

async function change({ user }: TestUser, body: object, status = 200): Promise<void> {
  const token = await tenant.adminToken();
  expectStatus(
    status,
    await tenant.request<UserRecord>('PATCH', `/users/${user.id}`, { token, body }),
  );
}

/** A change to a user, tested on its own. */
type Step = (user: TestUser) => Promise<unknown>;

const RAISES: Readonly<Record<string, Step>> = {
  'a password that an administrator sets': (user) => change(user, { password: newPassword() }),
  'a password that the user changes': async ({ token, password }) => {
    const body = { password: newPassword(), current_password: password };
    expectStatus(200, await tenant.request('PATCH', '/me', { token, body }));
  },
  'another identifier': (user) => change(user, { identifiers: [{ identifier: newIdentifier() }] }),
  'an identifier that is verified': (user) =>
    change(user, { identifiers: [{ identifier: user.identifier, verified: true }] }),
  deactivation: (user) => change(user, { is_active: false }),
  'being disabled': async ({ user }) => {
    const options = { token: await tenant.adminToken(), body: { reason: 'a test' } };
    expectStatus(200, await tenant.request('POST', `/users/${user.id}/disable`, options));
  },
};

const PRESERVES: Readonly<Record<string, Step>> = {
  'metadata of either kind': (user) =>
    change(user, { metadata: { a: 1 }, user_metadata: { b: 2 } }),
  'roles and workspaces': (user) => change(user, { roles: [], workspaces: ['ws_default'] }),
  'what it was already': ({ identifier, ...user }) =>
    change({ identifier, ...user }, { is_active: true, identifiers: [{ identifier }] }),
  'a rejected change': (user) => change(user, { is_active: false, roles: ['no-such-role'] }, 400),
  'a rehash with stronger parameters': async ({ user, identifier, password }) => {
    const weak = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    const set = 'UPDATE user_credentials SET secret_hash = $2 WHERE user_id = $1';
    await keywright.database.query(set, [user.id, weak]);
    await tenant.login(identifier, password);
    const [row] = await keywright.database.query<{ secret_hash: string }>(
      'SELECT secret_hash FROM user_credentials WHERE user_id = $1',
      [user.id],
    );
    assert.notEqual(row?.secret_hash, weak);
  },
  'a login': ({ identifier, password }) => tenant.login(identifier, password),
};

describe("a user's authentication version", () => {
  test('The version starts at 0, and increases once more when a user is reactivated', async () => {
    const user = await tenant.createUser();
    assert.equal(await versionOf(user), 0);
    await change(user, { is_active: false });
    await change(user, { is_active: true, password: newPassword() });
    assert.equal(await versionOf(user), 2);
  });

  for (const [what, step] of Object.entries(RAISES)) {
    test(`The version increases by one with ${what}`, async () => {
      const user = await tenant.createUser();
      await step(user);
      assert.equal(await versionOf(user), 1);
    });
  }

  for (const [what, step] of Object.entries(PRESERVES)) {
    test(`The version remains the same with ${what}`, async () => {
      const user = await tenant.createUser();
      await step(user);
      assert.equal(await versionOf(user), 0);
    });
  }
});
