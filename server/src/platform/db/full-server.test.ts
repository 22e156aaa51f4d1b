import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { parallel } from '@keywright/tests/harness/parallel';
import { until } from '@keywright/tests/harness/until';
import { sql } from 'kysely';
import { type Database, lookUp, statement } from './database.ts';
import { isUnavailable } from './failures.ts';
import { openPostgres } from './postgres.ts';
import { requireReachable } from './probe.ts';

const SHORT_MS = 500;
const REQUESTS = 20;
const read = lookUp<{ readonly one: number }>('read_one', 'SELECT 1 AS one');
const write = statement<{ readonly one: number }>('write_one', 'SELECT 1 AS one');

const slowWrite = statement('slow_write', 'SELECT pg_sleep(0.02)');

let created: TestDatabase;
let database: Database;
let errors: Error[];

beforeEach(async () => {
  created = await createDatabase();
  errors = [];
  database = openPostgres(created.url, (error) => errors.push(error));
});

afterEach(async () => {
  await database.close();
  await created.drop();
});

/** Limits the connections to the database: PostgreSQL refuses further ones as it does at max_connections. */
async function limitConnections(count: number): Promise<void> {
  const name = new URL(created.url).pathname.slice(1);
  await created.query(`ALTER DATABASE ${name} CONNECTION LIMIT ${count}`);
}

function transact(): Promise<unknown> {
  return database.kysely.transaction().execute((tx) => sql`SELECT pg_sleep(0.005)`.execute(tx));
}

test('Requests queue for the open connections of the process', async () => {
  await transact();
  await limitConnections(1);
  await Promise.all([
    parallel(REQUESTS, transact),
    parallel(REQUESTS, () => database.run(read, [])),
    parallel(REQUESTS, () => database.run(write, [])),
  ]);
  assert.equal(errors.length, 1, 'it is reported once');
  assert.match(errors[0]?.message ?? '', /too many connections/);
});

test('The lookups of a process use its open connections if others cannot be opened', async () => {
  await database.run(read, []);
  await limitConnections(1);
  assert.deepEqual(
    await parallel(REQUESTS, () => database.run(read, [])),
    Array.from({ length: REQUESTS }, () => [{ one: 1 }]),
  );
});

test('A transaction gets a connection if those for single statements hold all that the server accepts', async () => {
  await database.run(read, []);
  await database.run(write, []);
  await limitConnections(2);
  await parallel(REQUESTS, transact);
  await parallel(REQUESTS, () => database.run(write, []));
});

test('A transaction gets a connection if the only one is never idle', async () => {
  await database.run(write, []);
  await limitConnections(1);
  const over = new AbortController();
  const writeAgain = async () => {
    while (!over.signal.aborted) await database.run(slowWrite, []);
  };
  // Each starts while the other one waits for the server.
  const writers = [writeAgain(), writeAgain()];
  await parallel(REQUESTS, transact).finally(() => over.abort());
  await Promise.all(writers);
});

test('Transactions that wait for room do not close all connections for single statements', async () => {
  const open = async () => {
    const [row] = await created.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'keywright pipelined'",
    );
    return Number(row?.count);
  };
  await parallel(REQUESTS, () => database.run(write, []));
  const count = await open();
  assert.ok(count > 2, String(count));
  await limitConnections(count);
  await parallel(REQUESTS, transact);
  // The connection of this test counts as well, so that two may have to make room.
  assert.ok((await open()) >= count - 2);
});

test('A request without any connection fails after the connection timeout, and reports the cause', async () => {
  await limitConnections(0);
  const impatient = openPostgres(created.url, () => undefined, { statementTimeoutMs: SHORT_MS });
  await assert.rejects(sql`SELECT 1`.execute(impatient.kysely), (error) => {
    assert.match(String(error), /too many connections/);
    return isUnavailable(error);
  });
  await impatient.close();
});

test('A starting server waits for a database connection', async () => {
  await limitConnections(0);
  const reached = requireReachable(database);
  await until('it was refused', () => errors.length > 0);
  await limitConnections(1);
  assert.equal(await reached, database);
});

test('The connection pool grows when connections are available again', async () => {
  await transact();
  await limitConnections(1);
  await parallel(REQUESTS, transact);
  await limitConnections(-1);
  await until('several are in use', async () => {
    await parallel(REQUESTS, transact);
    const { idle = 0 } = database.connections();
    return idle > 1;
  });
  await parallel(REQUESTS, () => database.run(write, []));
});
