// A standby was promoted, but the former primary was not stopped: both accept statements.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { aside } from '@keywright/tests/harness/flat-transactions';
import { parallel } from '@keywright/tests/harness/parallel';
import { findPgBouncer, startPgBouncer } from '@keywright/tests/harness/pgbouncer';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';
import { type Relay, relayTo } from '@keywright/tests/harness/relay';
import { until } from '@keywright/tests/harness/until';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, lookUp, statement } from './database.ts';
import { Deadlines } from './deadlines.ts';
import { isUnavailable } from './failures.ts';
import { PipelinedConnection } from './pipelined.ts';
import { PrimaryProbe, openPostgres } from './postgres.ts';

const LIMIT_MS = 5000;
const PROBE_MS = 20;
const program = findPgBouncer();
// tests/races/pgbouncer.test.ts requires the program in CI.
const NO_PGBOUNCER = program === undefined && 'pgbouncer is not installed';

interface Where {
  readonly port: string;
}

// A server's port identifies it.
const WHERE = `SELECT current_setting('port') AS port`;
const read = lookUp<Where>('where_read', WHERE);
const write = statement<Where>('where_write', WHERE);

let former: PostgresServer;
let primary: PostgresServer;
/** On both. */
let created: TestDatabase;
let relay: Relay;
let url: string;

before(async () => {
  former = await startPostgres();
  created = await createDatabase(former);
  primary = await former.startStandby();
  await until('the standby has the database', () =>
    queryAt(primary, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  await primary.promote();
});

after(async () => {
  await created.drop();
  await former.close();
  await primary.close();
});

beforeEach(async () => {
  const through = await relayTo(created.url);
  relay = through.relay;
  url = through.url;
});

afterEach(() => relay.close());

/** As the superuser. */
async function queryAt(server: PostgresServer, text: string): Promise<unknown[]> {
  const client = new pg.Client(server.databaseUrl(new URL(created.url).pathname.slice(1)));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function endConnections(server: PostgresServer): Promise<unknown> {
  return queryAt(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'kw_service'`,
  );
}

async function transact(database: Database): Promise<Where[]> {
  const { rows } = await sql<Where>`SELECT current_setting('port') AS port, pg_sleep(0.01)`.execute(
    database.kysely,
  );
  return rows;
}

/** The servers that executed several statements of each kind; 'none' for statements that failed as unavailable. */
async function serversReachedBy(database: Database): Promise<Set<string>> {
  const kinds = [
    () => database.run(read, []),
    () => database.run(write, []),
    () => transact(database),
  ];
  return serversOf(30, (index) => kinds[index % kinds.length]?.() ?? assert.fail());
}

async function serversOf(count: number, runQuery: (index: number) => Promise<Where[]>) {
  const ports = await parallel(count, async (index) => {
    try {
      const [row = assert.fail()] = await runQuery(index);
      return row.port;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return 'none';
    }
  });
  return new Set(ports);
}

/** Ends one connection to the former primary; the next one leads to the new one. */
function endConnection(name: string): Promise<unknown> {
  return queryAt(
    former,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = 'kw_service' AND application_name = '${name}' LIMIT 1`,
  );
}

describe('a process whose connections lead to the former primary', () => {
  let database: Database;
  let heard: string[];
  let gaps: number;

  beforeEach(async () => {
    database = openPostgres(url, () => undefined);
    heard = [];
    gaps = 0;
    const watch = await database.watch(
      'failover',
      (payload) => heard.push(payload),
      () => (gaps += 1),
    );
    await until('it hears', () => watch.isConnected());
    assert.deepEqual([...(await serversReachedBy(database))], [String(former.port)]);
    relay.target = primary.port;
  });

  afterEach(() => database.close());

  async function connectToPrimary(): Promise<void> {
    await endConnection('keywright');
    await until('a transaction uses the new primary', async () =>
      (await serversOf(11, () => transact(database))).has(String(primary.port)),
    );
  }

  async function requireOnlyPrimary(): Promise<void> {
    await until('all statements succeed', async () => {
      const servers = await serversReachedBy(database);
      assert.ok(!servers.has(String(former.port)), 'a statement reached the former primary');
      return !servers.has('none');
    });
  }

  test('A process uses only the new primary after its first connection to it, and receives its notifications', async () => {
    await connectToPrimary();
    await requireOnlyPrimary();
    await until('it may have missed notifications', () => gaps > 1);
    await queryAt(primary, `SELECT pg_notify('failover', 'news')`);
    await until('it hears the new primary', () => heard.includes('news'));
  });

  test('A transaction that a process started on the former primary is not committed after a failover', async () => {
    await queryAt(former, 'CREATE TABLE begun (id integer); GRANT ALL ON begun TO kw_service');
    const transaction = database.kysely.transaction().execute(async (tx) => {
      await sql`INSERT INTO begun VALUES (1)`.execute(tx);
      await aside(connectToPrimary);
      await sql`SELECT 1`.execute(tx);
    });
    await assert.rejects(transaction, isUnavailable);
    assert.deepEqual(await queryAt(former, 'SELECT FROM begun'), []);
  });

  test('A process refuses connections to the former primary after a failover, until the address leads to the new one', async () => {
    await connectToPrimary();
    relay.target = former.port;
    await endConnections(primary);
    await until('no connection is left', async () => {
      const servers = await serversReachedBy(database);
      assert.ok(!servers.has(String(former.port)), 'a statement reached the former primary');
      return !servers.has(String(primary.port));
    });
    await assert.rejects(transact(database), /the server is a former primary: its timeline is 1, /);
    assert.equal(database.fault?.()?.code, 'failover');
    relay.target = primary.port;
    await requireOnlyPrimary();
    assert.equal(database.fault?.(), undefined);
  });
});

describe('a process without new connections', () => {
  let deadlines: Deadlines;
  let probe: PrimaryProbe;
  let connections: readonly PipelinedConnection[];

  function open(connectionString: string): void {
    const options = { connectionString };
    deadlines = new Deadlines(LIMIT_MS);
    probe = new PrimaryProbe(options, deadlines);
    connections = Array.from(
      { length: 3 },
      () => new PipelinedConnection(options, deadlines, () => undefined),
    );
  }

  afterEach(async () => {
    probe.stop();
    await Promise.all(connections.map((connection) => connection.close()));
    deadlines.stop();
  });

  function look(): Promise<Set<string>> {
    return serversOf(12, (index) => connections[index % 3]?.run<Where>(read, []) ?? assert.fail());
  }

  test('A process without new connections detects a failover by probing the address', async () => {
    open(url);
    assert.deepEqual([...(await look())], [String(former.port)]);
    relay.target = primary.port;
    probe.start(PROBE_MS);
    await until('all use the new primary', async () => isOnly(await look(), primary));
  });

  test(
    'A process without new connections terminates the sessions that PgBouncer holds on the former primary',
    { skip: NO_PGBOUNCER },
    async () => {
      const behind = new URL(created.superuserUrl);
      behind.port = String(relay.port);
      const bouncer = await startPgBouncer(program ?? '', behind.href, 3);
      const through = new URL(created.url);
      through.port = new URL(bouncer.url).port;
      open(through.href);
      await until('all sessions are in use', async () => isOnly(await look(), former));
      relay.target = primary.port;
      // Another connection of the process reaches the new primary first; none of PgBouncer's does.
      const direct = new PipelinedConnection({ connectionString: url }, deadlines, () => undefined);
      await direct.run(read, []);
      await direct.close();
      await until('all use the new primary', async () => isOnly(await look(), primary));
      await until('no session is left on the former one', async () => {
        const left = `SELECT FROM pg_stat_activity WHERE usename = 'kw_service'`;
        return (await queryAt(former, left)).length === 0;
      });
      await bouncer.close();
    },
  );
});

function isOnly(servers: ReadonlySet<string>, { port }: PostgresServer): boolean {
  return servers.size === 1 && servers.has(String(port));
}
