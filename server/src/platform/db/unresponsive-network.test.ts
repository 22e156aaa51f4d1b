// A silently lost network: connections are neither closed nor refused.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { aside } from '@keywright/tests/harness/flat-transactions';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { parallel } from '@keywright/tests/harness/parallel';
import { startPostgres } from '@keywright/tests/harness/postgres';
import { type Relay, relayTo } from '@keywright/tests/harness/relay';
import { until } from '@keywright/tests/harness/until';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, lookUp, statement } from './database.ts';
import { isUnavailable } from './failures.ts';
import { openPostgres } from './postgres.ts';
import { requireReachable } from './probe.ts';

/** More than a new connection takes, even on a busy machine. */
const LIMIT_MS = 1000;
const ping = lookUp('one', 'SELECT 1 AS one');
const take = statement('take', 'UPDATE things SET n = n + 1 WHERE id = $1');

let testDatabase: TestDatabase;
let relay: Relay;
let database: Database;

before(async () => {
  testDatabase = await createDatabase();
  await testDatabase.query('CREATE TABLE things (id int PRIMARY KEY, n int NOT NULL DEFAULT 0)');
  await testDatabase.query('GRANT ALL ON things TO public');
  await testDatabase.query('INSERT INTO things SELECT generate_series(1, 9)');
});

after(() => testDatabase.drop());

beforeEach(async () => {
  const through = await relayTo(testDatabase.url);
  relay = through.relay;
  database = openPostgres(through.url, () => undefined, { statementTimeoutMs: LIMIT_MS });
});

afterEach(async () => {
  await database.close();
  await relay.close();
});

async function requireUnavailable(work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => isUnavailable(error) || assert.fail(String(error)));
}

function answers(db: Database): Promise<boolean> {
  return db.run(ping, []).then(
    () => true,
    () => false,
  );
}

/** Server processes that run a statement of this test. */
async function busyProcesses(): Promise<number> {
  const rows = await testDatabase.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND application_name LIKE 'keywright%' AND state <> 'idle'`,
  );
  return rows.length;
}

describe('the first connection', () => {
  test('The first connection is retried if there is no timely response', async () => {
    relay.swallowNew();
    const reached = requireReachable(database);
    await until('it tries again', () => relay.connections > 1);
    relay.heal();
    assert.equal(await reached, database);
  });

  test('The first connection fails after four attempts', async () => {
    const through = await relayTo(testDatabase.url);
    through.relay.swallowNew();
    const other = openPostgres(through.url, () => undefined, { statementTimeoutMs: LIMIT_MS });
    await assert.rejects(requireReachable(other), { name: 'DatabaseUnreachable' });
    assert.equal(through.relay.connections, 4);
    await through.relay.close();
  });

  test('The first connection is not retried if the server rejects it', async () => {
    const through = await relayTo(testDatabase.url);
    const refused = new URL(through.url);
    refused.username = 'nobody_of_this_name';
    const other = openPostgres(refused.href, () => undefined);
    await assert.rejects(requireReachable(other), { name: 'DatabaseUnreachable' });
    assert.equal(through.relay.connections, 1);
    await through.relay.close();
  });
});

describe('when connections stop responding', () => {
  test('Waiting statements fail as unavailable when connections stop responding, and the next ones succeed', async () => {
    await parallel(8, () => database.run(ping, []));
    relay.cutSilently();
    await parallel(8, () => requireUnavailable(database.run(ping, [])));
    assert.deepEqual(await database.run(ping, []), [{ one: 1 }]);
  });

  test('Transactions fail as unavailable when connections stop responding, and their locks are released for the next', async () => {
    await requireUnavailable(
      database.kysely.transaction().execute(async (tx) => {
        await sql`UPDATE things SET n = n + 1 WHERE id = 1`.execute(tx);
        relay.cutSilently();
        await sql`SELECT 1`.execute(tx);
      }),
    );
    await until('the row can be changed', async () =>
      database.run(take, [1]).then(
        () => true,
        (error: unknown) => !isUnavailable(error) && assert.fail(String(error)),
      ),
    );
    const [row] = await testDatabase.query<{ n: number }>('SELECT n FROM things WHERE id = 1');
    assert.equal(row?.n, 1, 'the transaction that was cut off changed nothing');
  });

  test('Idle connections that stop responding are closed with the first failure, not one after the other', async () => {
    await parallel(10, () => sql`SELECT pg_sleep(0.01)`.execute(database.kysely));
    relay.cutSilently();
    await requireUnavailable(sql`SELECT 1`.execute(database.kysely));
    await parallel(10, () => sql`SELECT 1`.execute(database.kysely));
  });

  test('New connections fail too when the network stops responding, and work when it is back', async () => {
    await database.run(ping, []);
    relay.swallowNew();
    relay.cutSilently();
    await requireUnavailable(database.run(ping, []));
    await requireUnavailable(database.run(ping, []));
    await requireUnavailable(sql`SELECT 1`.execute(database.kysely));
    relay.heal();
    await until('the database answers', () => answers(database));
    await sql`SELECT 1`.execute(database.kysely);
  });

  test('A listener whose connection stops responding learns of possibly missed notifications and gets the next ones', async () => {
    const heard: string[] = [];
    let gaps = 0;
    const watch = await database.watch(
      'silence',
      (payload) => heard.push(payload),
      () => (gaps += 1),
    );
    await until('it hears', () => watch.isConnected());
    const gapsBefore = gaps;
    relay.cutSilently();
    await testDatabase.query(`SELECT pg_notify('silence', 'missed')`);
    await until('it knows that it hears nothing', () => !watch.isConnected());
    await until('it hears again', () => watch.isConnected());
    assert.equal(gaps, gapsBefore + 1);
    await testDatabase.query(`SELECT pg_notify('silence', 'heard')`);
    await until('the next one is heard', () => heard.includes('heard'));
    assert.deepEqual(heard, ['heard']);
    await watch.stop();
  });

  test('A maintenance statement can take longer than others, but fails if connections stop responding', async () => {
    const maintenance = database.kyselyFor('maintenance');
    await sql`SELECT pg_sleep(${(LIMIT_MS / 1000) * 2})`.execute(maintenance);
    const watch = await database.watch(
      'silence',
      () => undefined,
      () => undefined,
    );
    await until('it hears', () => watch.isConnected());
    relay.cutSilently();
    await requireUnavailable(sql`SELECT 1`.execute(maintenance));
    await watch.stop();
  });

  test('The database can still be closed when connections stop responding', async () => {
    // On a busy machine, a connection can take longer than the service waits for it.
    await until('there are connections', () =>
      Promise.all([database.run(ping, []), sql`SELECT 1`.execute(database.kysely)]).then(
        () => true,
        () => false,
      ),
    );
    relay.cutSilently();
  });
});

test('A statement that waits too long for a lock fails as unavailable, and leaves no waiting backend', async () => {
  await database.kysely.transaction().execute(async (tx) => {
    await sql`UPDATE things SET n = n + 1 WHERE id = 2`.execute(tx);
    // Keeps the transaction active, so that it is not ended as idle.
    const waiting = requireUnavailable(aside(() => database.run(take, [2])));
    const pulse = setInterval(() => void sql`SELECT 1`.execute(tx), LIMIT_MS / 5);
    try {
      await waiting;
      await until('only the transaction itself is left', async () => (await busyProcesses()) === 1);
    } finally {
      clearInterval(pulse);
    }
  });
});

test('A standby is unavailable until it is promoted', async () => {
  const server = await startPostgres();
  const away = openPostgres(server.url, () => undefined);
  assert.deepEqual(await away.run(ping, []), [{ one: 1 }]);
  await server.restartAsStandby();
  await until('the connections to it are gone', async () =>
    away.run(ping, []).then(
      () => false,
      (error: unknown) => isUnavailable(error) && /standby/.test(String(error)),
    ),
  );
  await requireUnavailable(sql`SELECT 1`.execute(away.kysely));
  const superuser = new pg.Client(server.url);
  await superuser.connect();
  await superuser.query('SELECT pg_promote()');
  await superuser.end();
  await until('it takes statements', () => answers(away));
  await sql`CREATE TABLE written (id int)`.execute(away.kysely);
  await away.close();
  await server.close();
});
