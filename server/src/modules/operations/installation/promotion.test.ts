// A promoted standby is not a restored backup, although both start a new timeline of the server.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createDatabase, MIGRATED, type TestDatabase } from '@keywright/tests/harness/database';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';
import { until } from '@keywright/tests/harness/until';
import { type RunningKeywright, startKeywright } from '../../../app.ts';
import { readConfig } from '../../../platform/config.ts';
import { openLog } from '../../../platform/log.ts';

const MASTER_KEY = randomBytes(32).toString('base64');

/** The log of all nodes. */
const lines: string[] = [];

let server: PostgresServer;
let database: TestDatabase;

before(async () => {
  server = await startPostgres({ content: MIGRATED });
  database = await createDatabase(server);
});

after(() => server.close());

function start(): Promise<RunningKeywright> {
  const config = readConfig({
    KEYWRIGHT_DATABASE_URL: database.url,
    KEYWRIGHT_MASTER_KEY: MASTER_KEY,
    KEYWRIGHT_BASE_URL: 'https://id.example.com',
    KEYWRIGHT_PORT: '0',
    KEYWRIGHT_LOG_LEVEL: 'silent',
  });
  const log = openLog('warn', { write: (line) => void lines.push(line) });
  return startKeywright({ config, log });
}

async function query<Row extends object>(sql: string): Promise<Row[]> {
  // Connections from before the restart are broken: each fails once.
  return until('the server answers', () => database.query<Row>(sql).catch(() => undefined));
}

/** Makes the server a standby that has every change, and promotes it. */
async function promote(): Promise<void> {
  await server.restartAsStandby();
  await query('SELECT pg_promote()');
  await until('it is the primary', async () => {
    const [row] = await query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    return row?.standby === false;
  });
}

async function timeline(): Promise<number | undefined> {
  const [row] = await query<{ timeline: number }>('SELECT timeline FROM installation');
  return row?.timeline;
}

async function listed(): Promise<boolean> {
  return (await query('SELECT FROM nodes')).length > 0;
}

test('The first start records the place of the database', async () => {
  const node = await start();
  assert.equal(await timeline(), 1);
  await node.close();
});

test('A node that ran during a promotion can stop and start again', async () => {
  const node = await start();
  await until('it is listed', listed);
  await promote();
  await until('it has noted the promotion', async () => {
    await node.housekeeping.sweep().catch(() => undefined);
    return (await timeline()) === 2;
  });
  await node.close();
  await (await start()).close();
});

test('A node starts after its predecessor was killed during a promotion', async () => {
  const node = await start();
  await until('it is listed', listed);
  const lease = await query<{ id: string }>('TABLE nodes');
  await node.close();
  // A node that is killed (SIGKILL) does not delete its lease.
  await database.query(
    'INSERT INTO nodes SELECT * FROM jsonb_populate_recordset(NULL::nodes, $1::jsonb)',
    [JSON.stringify(lease)],
  );
  await promote();
  await (await start()).close();
  assert.equal(await timeline(), 3);
});

test('A node whose last lease is missing after a promotion logs that changes were lost and continues, and no later start accepts the database', async () => {
  await query('DELETE FROM nodes');
  const node = await start();
  await until('it is listed', listed);
  await query(
    `UPDATE nodes SET seen_at = seen_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`,
  );
  await promote();
  await until('it has noticed', async () => {
    await node.housekeeping.sweep().catch(() => undefined);
    return lines.some((line) => line.includes('the database was replaced while this node ran'));
  });
  await node.housekeeping.sweep();
  await assert.rejects(start(), /its timeline was 3 and is 4, and no node has run on it recently/);
  await node.close();
  assert.equal(await timeline(), 3);
});

test('A node refuses a timeline that started while no node ran', async () => {
  await query('DELETE FROM nodes');
  await promote();
  await assert.rejects(start(), /its timeline was 3 and is 5, and no node has run on it recently/);
  assert.equal(await timeline(), 3);
});

test('A database server that hides its control data is accepted, with a warning', async () => {
  await query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
  await (await start()).close();
  assert.ok(lines.some((line) => line.includes('a restored database will not be recognized')));
});
