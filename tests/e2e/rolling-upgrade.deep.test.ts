// This version and an earlier one on the same database, during an upgrade node by node.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TokenAnswer } from '@keywright/contract/records/tokens';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { type JsonBody, expectStatus } from '../harness/http.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { type EarlierVersion, findEarlierVersion } from './earlier-version.ts';

const ADMIN = { identifier: newIdentifier(), secret: newPassword() };

let server: PostgresServer;

before(async () => {
  server = await startPostgres();
});

after(() => server.close());

function environmentOn({ url }: TestDatabase) {
  return {
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    KEYWRIGHT_ADMIN_IDENTIFIER: ADMIN.identifier,
    KEYWRIGHT_ADMIN_SECRET: ADMIN.secret,
  };
}

/** @throws unless the status is 200, 201 or 204 */
async function request<Body = JsonBody>(
  { http }: ServerProcess,
  method: string,
  path: string,
  options: { readonly token?: string; readonly body?: object } = {},
): Promise<Body> {
  const answer = await http.request<Body>(method, path, options);
  return expectStatus([201, 204].includes(answer.status) ? answer.status : 200, answer);
}

/** Each node reads and updates what the other has written. */
async function workTogether(first: ServerProcess, other: ServerProcess): Promise<void> {
  const { access_token: admin } = await request<TokenAnswer>(first, 'POST', '/auth/login', {
    body: ADMIN,
  });
  const user = { identifier: newIdentifier(), secret: newPassword() };
  const registered = await request<TokenAnswer>(other, 'POST', '/auth/login', {
    body: { ...user, register: true },
  });
  const body = { refresh_token: registered.refresh_token };
  const refreshed = await request<TokenAnswer>(first, 'POST', '/auth/refresh', { body });
  for (const node of [first, other]) {
    await request(node, 'GET', '/me', { token: refreshed.access_token });
    await request<TokenAnswer>(node, 'POST', '/auth/login', { body: user });
  }
  const { id } = await request(first, 'POST', '/agents', { token: admin, body: { name: 'robot' } });
  const key = await request<{ key: string }>(other, 'POST', '/apikeys', {
    token: admin,
    body: { agent_id: id, name: 'a key' },
  });
  const lists = ['/users', '/roles', '/workspaces', '/agents', '/apikeys', '/audit', '/events'];
  for (const node of [first, other]) {
    await request(node, 'GET', '/me', { token: key.key });
    for (const path of [...lists, '/tenants']) await request(node, 'GET', path, { token: admin });
  }
  const events = ['user.created'];
  const hook = { url: 'https://hooks.example.com/one', events };
  await request(other, 'POST', '/webhooks', { token: admin, body: hook });
  await request(first, 'DELETE', `/agents/${String(id)}`, { token: admin });
}

describe('while an installation is upgraded', () => {
  let earlier: EarlierVersion;
  let database: TestDatabase;

  before(async () => {
    earlier = await findEarlierVersion();
    database = await createDatabase(server);
  });

  after(() => database.drop());

  test('Nodes of both versions serve together during an upgrade, even if one of the earlier version restarts', async (t) => {
    t.diagnostic(`earlier version: ${earlier.name}`);
    const env = environmentOn(database);
    const program = join(earlier.root, 'server/src/main.ts');
    const startEarlier = () => startServerProcess({ env, program, cwd: earlier.root });
    const first = await startEarlier();
    const applied = () => database.query('SELECT * FROM function_checksums ORDER BY name');
    const second = await startServerProcess({ env });
    const functions = await applied();
    await workTogether(first, second);
    await workTogether(second, first);
    assert.equal((await first.sigterm()).code, 0, first.stdout + first.stderr);
    const again = await startEarlier();
    await workTogether(again, second);
    assert.deepEqual(await applied(), functions, 'functions of a newer version stay');
    for (const node of [again, second]) await node.sigterm();
  });
});

test('A node keeps serving while a newer version adds columns and replaces functions', async () => {
  const database = await createDatabase(server);
  const node = await startServerProcess({ env: environmentOn(database) });
  await workTogether(node, node);
  const changes = await database.query<{ one: string }>(
    `SELECT format('ALTER TABLE %I ADD COLUMN of_tomorrow text', tablename) AS one
       FROM pg_tables WHERE schemaname = 'public'
     UNION ALL
     SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'kw%'`,
  );
  await database.query(changes.map(({ one }) => one).join(';\n'));
  await workTogether(node, node);
  await node.sigterm();
  await database.drop();
});
