import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findSharedTables } from './table-owners.ts';

const MODULES = 'server/src/modules';
const USER_STORE = `${MODULES}/identity/users/user-store.ts`;
const LOGIN_STORE = `${MODULES}/authentication/login/login-store.ts`;

function problemsOf(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  shared: Parameters<typeof findSharedTables>[1] = {},
): string[] {
  const root = mkdtempSync(join(tmpdir(), 'keywright-tables-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return findSharedTables(root, shared);
}

test('A table that two features write is reported, whatever the form of the statements', (t) => {
  const problem = 'users: authentication/login and identity/users write this table';
  const owner = "update(tx, 'users').set({});";
  for (const other of [
    "update(tx, 'users')",
    "deleteFrom(tx, 'users')",
    "tx.db.insertInto('users')",
    "tx.db.updateTable('users')",
    'sql`INSERT INTO users (id) VALUES (1)`',
    'sql`UPDATE users u SET id = 1`',
    'sql`WITH gone AS (DELETE FROM users RETURNING id)`',
  ]) {
    assert.deepEqual(
      problemsOf(t, { [USER_STORE]: owner, [LOGIN_STORE]: other }),
      [problem],
      other,
    );
  }
});

test('Other features may read a table, and name it in comments and locks', (t) => {
  const reader = `
    // Like UPDATE users.
    from(tx, 'users').forUpdate();
    sql\`SELECT FROM users FOR UPDATE OF users\`;
    sql\`INSERT INTO logins (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 2\`;`;
  const files = { [USER_STORE]: "deleteFrom(tx, 'users')", [LOGIN_STORE]: reader };
  assert.deepEqual(problemsOf(t, files), []);
});

test('A shared table is written by the listed features, and by no other feature', (t) => {
  const write = "update(tx, 'users')";
  const shared = {
    users: { owner: 'identity/users', also: { 'authentication/login': 'a reason' } },
  };
  const files = { [USER_STORE]: write, [LOGIN_STORE]: write };
  assert.deepEqual(problemsOf(t, files, shared), []);
  const third = { ...files, [`${MODULES}/oauth/clients/client-store.ts`]: write };
  assert.deepEqual(problemsOf(t, third, shared), [
    'users: oauth/clients writes this table, which identity/users owns',
  ]);
  assert.deepEqual(problemsOf(t, { [USER_STORE]: write }, shared), [
    'users: authentication/login no longer writes this table; remove it from the list',
  ]);
});
