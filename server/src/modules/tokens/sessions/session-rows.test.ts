// The database accepts only consistent sessions, and logins of one batch hold no locks against each other.

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

async function insertFlow(id: string, continues: string | null): Promise<void> {
  await database.query(
    `INSERT INTO login_flows (tenant_id, id, purpose, token_hash, identifier, continues, created_at, expires_at)
     VALUES ('org_1', $1, 'login', '', 'ada@example.com', $2, now(), now() + interval '5 minutes')`,
    [id, continues],
  );
}

function entryOf(session: number): string {
  const kinds = { actor_kind: 'system', target_kind: 'session', outcome: 'success', count: 1 };
  const created_at = '2026-01-15T00:00:00Z';
  const details = { workspace_id: 'ws_default' };
  const entry = {
    id: `audit_${session}`,
    action: 'auth.login',
    created_at,
    mac: `\\x${'00'.repeat(32)}`,
    details,
  };
  return JSON.stringify([{ ...entry, ...kinds }]);
}

/** The outcomes of two logins in one batch, which lead to sessions of these numbers. */
async function logInTogether(
  sessions: readonly number[],
  flows: readonly string[],
  challenges: readonly (string | null)[],
): Promise<string[]> {
  const rows = await database.query<{ outcome: string }>(
    `SELECT c.outcome
       FROM (SELECT array_agg('session:' || n ORDER BY n) AS ids FROM unnest($1::integer[]) AS n) AS asked,
            kw_finish_logins(
              '{org_1,org_1}', asked.ids, '{user:1,user:1}', '{0,0}', ARRAY[now(), now()], '{aal1,aal1}',
              '{pwd,pwd}', '{api,api}', '{NULL,NULL}', '{NULL,NULL}',
              '{192.0.2.1,192.0.2.1}', ARRAY[now(), now()], ARRAY[now() + interval '1 h', now() + interval '1 h'],
              ARRAY[now() + interval '1 h', now() + interval '1 h'], ARRAY[''::bytea, ''::bytea], '{kid,kid}', $1::bigint[],
              $4, E'[]\\n[]', '{}', '{}', $2, '{0,0}', $3) AS c`,
    [sessions, flows, challenges, sessions.map(entryOf).join('\n')],
  );
  return rows.map(({ outcome }) => outcome);
}

describe('the database accepts a session', () => {
  for (const change of [
    {},
    BROWSER,
    CLIENT,
    { ...CLIENT, parent_id: 'session:parent' },
    { ...CLIENT, refresh_kid: null },
  ]) {
    test(`The database accepts a session with ${JSON.stringify(change)}`, () => open(change));
  }
});

describe('the database rejects a session', () => {
  for (const change of [
    { kind: 'other' },
    { acr: 'aal9' },
    { ...CLIENT, client_id: null },
    { ...CLIENT, scopes: null },
    { client_id: 'client_one' },
    { scopes: ['read:users'] },
    { parent_id: 'session:parent' },
    { refresh_kid: null },
    { ...BROWSER, refresh_kid: 'kid' },
    { ...BROWSER, parent_id: 'session:parent' },
  ]) {
    test(`The database rejects a session with ${JSON.stringify(change)}`, async () => {
      await assert.rejects(open(change), { code: '23514' });
    });
  }
});

test('Two last steps of one login flow in one batch open one session', async () => {
  await insertFlow('flow_1', null);
  const outcomes = await logInTogether([1, 2], ['flow_1', 'flow_1'], [null, null]);
  assert.deepEqual(outcomes, ['opened', 'refused']);
});

test('Two login flows in one batch that redeem one message open one session', async () => {
  await insertFlow('flow_2', null);
  await insertFlow('flow_3', 'flow_2');
  await database.query(
    `INSERT INTO challenges (tenant_id, id, flow_id, kind, user_id, auth_version, expires_at)
     VALUES ('org_1', 'challenge_1', 'flow_2', 'login', 'user:1', 0, now() + interval '5 minutes')`,
  );
  const message = ['challenge_1', 'challenge_1'];
  const outcomes = await logInTogether([3, 4], ['flow_2', 'flow_3'], message);
  assert.deepEqual(outcomes, ['opened', 'refused']);
});
