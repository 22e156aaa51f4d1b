import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';

const CLIENT = { kind: 'client', client_id: 'client_one', scopes: ['read:users'] };
const BROWSER = { kind: 'browser', refresh_kid: null };

let database: TestDatabase;

before(async () => {
  database = await createDatabase();
  await database.query(
    `INSERT INTO tenants (tenant_id, name, created_at) VALUES ('org_1', 'One', now())`,
  );
  await database.query(
    `INSERT INTO workspaces (tenant_id, id, name, slug, created_at)
     VALUES ('org_1', 'ws_default', 'Default', 'default', now())`,
  );
  await database.query(
    `INSERT INTO users (tenant_id, id, created_at) VALUES ('org_1', 'user:1', now())`,
  );
});
after(() => database.drop());

/** Opens a direct login that differs in these columns. */
async function open(change: object): Promise<void> {
  await database.query(
    `INSERT INTO sessions
     SELECT (jsonb_populate_record(NULL::sessions, $1)).*`,
    [
      {
        tenant_id: 'org_1',
        id: `session:${JSON.stringify(change)}`,
        user_id: 'user:1',
        workspace_id: 'ws_default',
        ip_address: '192.0.2.1',
        created_at: '2026-01-15T00:00:00Z',
        expires_at: '2026-01-16T00:00:00Z',
        absolute_expires_at: '2026-01-16T00:00:00Z',
        is_active: true,
        kind: 'api',
        auth_time: '2026-01-15T00:00:00Z',
        acr: 'aal1',
        amr: ['pwd'],
        refresh_hash: '\\x00',
        refresh_kid: 'kid',
        refresh_issued_at: '2026-01-15T00:00:00Z',
        generation: 0,
        access_version: 0,
        ...change,
      },
    ],
  );
}

describe('the database accepts a session', () => {
  for (const change of [{}, BROWSER, CLIENT, { ...CLIENT, parent_id: 'session:parent' }]) {
    test(`with ${JSON.stringify(change)}`, () => open(change));
  }
});

describe('the database rejects a session', () => {
  for (const change of [
    { kind: 'other' },
    { acr: 'aal9' },
    { ...CLIENT, client_id: null },
    { ...CLIENT, scopes: null },
    { ...CLIENT, refresh_kid: null },
    { client_id: 'client_one' },
    { scopes: ['read:users'] },
    { parent_id: 'session:parent' },
    { refresh_kid: null },
    { ...BROWSER, refresh_kid: 'kid' },
    { ...BROWSER, parent_id: 'session:parent' },
  ]) {
    test(`with ${JSON.stringify(change)}`, async () => {
      await assert.rejects(open(change), { code: '23514' });
    });
  }
});
