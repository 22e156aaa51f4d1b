import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { createDatabase, MIGRATED } from './database.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { findSystemBinaries } from './postgres-binaries.ts';

let server: PostgresServer;

before(async () => {
  server = await startPostgres({ major: 16, fsync: true });
});

after(() => server.close());

async function query(sql: string): Promise<string> {
  const client = new pg.Client(server.url);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: string }>(sql);
    return rows[0]?.answer ?? '';
  } finally {
    await client.end();
  }
}

test('The requested major version of PostgreSQL runs, with durable commits', async () => {
  assert.match(await query('SELECT version() AS answer'), /^PostgreSQL 16\./);
  assert.equal(await query(`SELECT current_setting('fsync') AS answer`), 'on');
  assert.equal(await query(`SELECT current_setting('synchronous_commit') AS answer`), 'on');
});

test('The committed rows survive SIGKILL and a restart of PostgreSQL, and others do not', async () => {
  await query('CREATE TABLE kept (n int)');
  await query('INSERT INTO kept SELECT generate_series(1, 1000)');
  const open = new pg.Client(server.url);
  open.on('error', () => {});
  await open.connect();
  await open.query('BEGIN');
  await open.query('INSERT INTO kept VALUES (-1)');
  const urlBefore = server.url;

  await server.kill9();
  assert.equal(server.pid, undefined);
  await assert.rejects(query('SELECT 1'));
  await server.restart();

  assert.match(server.log(), /was not properly shut down/);
  assert.equal(server.url, urlBefore);
  assert.equal(await query('SELECT count(*)::text AS answer FROM kept'), '1000');
});

test('A PostgreSQL of the system, which KEYWRIGHT_TEST_DATABASE_URL can name, takes the template of the tests', async () => {
  const binaries = findSystemBinaries();
  const system = await startPostgres({ superuser: 'postgres', ...(binaries && { binaries }) });
  try {
    await MIGRATED.make(system);
    const database = await createDatabase({ url: system.url, template: MIGRATED.template });
    const [row] = await database.query<{ owner: string }>(
      `SELECT tableowner AS owner FROM pg_tables WHERE tablename = 'sessions'`,
    );
    await database.drop();
    assert.deepEqual(row, { owner: 'kw_service' });
  } finally {
    await system.close();
  }
});
