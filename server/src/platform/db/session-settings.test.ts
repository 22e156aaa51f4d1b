import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { HOSTILE_SETTINGS, makeHostile } from '@keywright/tests/harness/hostile-settings';
import { parallel } from '@keywright/tests/harness/parallel';
import { type Bouncer, findPgBouncer, startPgBouncer } from '@keywright/tests/harness/pgbouncer';
import { until } from '@keywright/tests/harness/until';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, lookUp, statement } from './database.ts';
import { isUnavailable } from './failures.ts';
import { openPostgres } from './postgres.ts';
import { requireReachable } from './probe.ts';
import { WRONG_SETTINGS } from './session-settings.ts';

const NAMES = Object.keys(HOSTILE_SETTINGS);
const PINNED = Object.fromEntries(NAMES.map((name) => [name, HOSTILE_SETTINGS[name]?.[0]]));
const READ = `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name`;

interface Setting {
  readonly name: string;
  readonly value: string;
}

let database: TestDatabase;
let opened: Database[] = [];

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(async () => {
  await Promise.all(opened.map((db) => db.close()));
  opened = [];
  await database.drop();
});

function open(url = database.url, onError: (error: Error) => void = () => undefined): Database {
  const db = openPostgres(url, onError);
  opened.push(db);
  return db;
}

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}

function byName(rows: readonly Setting[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Reads the settings on each kind of connection. */
async function readOnEachKind(db: Database): Promise<readonly Record<string, string>[]> {
  const writing = statement<Setting>('read_settings_writing', READ);
  const rows = await Promise.all([
    db.run(lookUp<Setting>('read_settings', READ), [NAMES]),
    db.run(writing, [NAMES]),
    db.run({ ...writing, takesLong: true }, [NAMES]),
    ...[db.kysely, db.kyselyFor('maintenance'), db.kyselyFor('migration')].map(
      async (kysely) =>
        (
          await sql<Setting>`SELECT name, current_setting(name) AS value
                              FROM unnest(${NAMES}::text[]) AS name`.execute(kysely)
        ).rows,
    ),
  ]);
  return rows.map(byName);
}

describe('settings of the role and the database', () => {
  test('The settings of the role and the database have no effect on the connections for statements and transactions', async () => {
    await makeHostile(database);
    for (const settings of await readOnEachKind(open())) assert.deepEqual(settings, PINNED);
    await makeHostile(database, { isForRole: true });
    for (const settings of await readOnEachKind(open())) assert.deepEqual(settings, PINNED);
  });

  test('The settings of the role and the database do not end the connection that listens to notifications', async () => {
    await makeHostile(database);
    const heard: string[] = [];
    const watch = await open().watch(
      'settings',
      (payload) => heard.push(payload),
      () => undefined,
    );
    const beats = async () => {
      const [row] = await database.query<{ pid: number; at: Date }>(
        `SELECT pid, query_start AS at FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'keywright watch of settings'`,
      );
      return row;
    };
    await until('it hears', () => watch.isConnected());
    const first = await beats();
    const later = await until('another heartbeat', async () => {
      const row = await beats();
      return row !== undefined && row.at > (first?.at ?? row.at) && row;
    });
    assert.equal(later.pid, first?.pid);
    await database.query(`SELECT pg_notify('settings', 'news')`);
    await until('the notification is heard', () => heard.includes('news'));
    await watch.stop();
  });

  test('The settings that make commits wait for standbys remain in effect', async () => {
    await database.query(
      `ALTER DATABASE ${nameOf(database)} SET synchronous_commit = remote_apply`,
    );
    for (const settings of await readOnEachKind(open())) {
      assert.deepEqual(settings, { ...PINNED, synchronous_commit: 'remote_apply' });
    }
  });
});

test('Every pinned session setting is in the guide, and has a hostile value in this test', async () => {
  const names = WRONG_SETTINGS.matchAll(/\('([\w.]+)', ARRAY\[.*?\], false\)/g);
  const pinned = [...names].map(([, name]) => name);
  assert.deepEqual(pinned, NAMES);
  const guide = await readFile(
    new URL('../../../../docs/guide/postgresql.md', import.meta.url),
    'utf8',
  );
  for (const name of NAMES) assert.ok(guide.includes(`\`${name}\``), name);
});

test('A setting that only a superuser can change prevents the start, and the error names where it was set', async () => {
  const name = nameOf(database);
  const running = open();
  await sql`SELECT 1`.execute(running.kysely);
  await database.query(`ALTER DATABASE ${name} SET session_replication_role = replica`);
  await assert.rejects(requireReachable(openPostgres(database.url, () => undefined)), {
    name: 'SettingsUnusable',
    message:
      'A superuser must reset these PostgreSQL settings. session_replication_role, which is replica for the ' +
      `database ${name}: ALTER DATABASE ${name} RESET session_replication_role;`,
  });
  await assert.rejects(running.run(lookUp('one', 'SELECT 1'), []), isUnavailable);
  assert.equal(running.fault?.()?.code, 'settings');
  await database.query(`ALTER DATABASE ${name} RESET session_replication_role`);
  await running.run(lookUp('one', 'SELECT 1'), []);
  assert.equal(running.fault?.(), undefined);
});

test('A PostgreSQL server that does not report its timeline is still used', async () => {
  await database.query('REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM public');
  const db = open();
  for (const settings of await readOnEachKind(db)) assert.deepEqual(settings, PINNED);
});

const program = findPgBouncer();
// tests/races/pgbouncer.test.ts requires the program in CI.
const NO_PGBOUNCER = program === undefined && 'pgbouncer is not installed';

describe('behind PgBouncer', { skip: NO_PGBOUNCER }, () => {
  const POOL_SIZE = 4;
  let bouncer: Bouncer;
  let url: string;

  before(async () => {
    const anyDatabase = await createDatabase();
    bouncer = await startPgBouncer(program ?? '', anyDatabase.superuserUrl, POOL_SIZE);
    await anyDatabase.drop();
  });

  after(() => bouncer.close());

  beforeEach(() => {
    const through = new URL(database.url);
    through.port = new URL(bouncer.url).port;
    url = through.href;
  });

  /** Checks the settings on all server processes that PgBouncer can use. */
  async function requirePinnedEverywhere(db: Database): Promise<void> {
    const pids = new Set<number>();
    await until('all server processes were used', async () => {
      const rows = await parallel(2 * POOL_SIZE, async () => {
        const result = await sql<Setting & { pid: number }>`
          SELECT name, current_setting(name) AS value, pg_backend_pid() AS pid
            FROM unnest(${NAMES}::text[]) AS name, pg_sleep(0.02)`.execute(db.kysely);
        return result.rows;
      });
      for (const settings of rows) {
        assert.deepEqual(byName(settings), PINNED);
        pids.add(settings[0]?.pid ?? 0);
      }
      return pids.size >= POOL_SIZE;
    });
  }

  /** @returns the server processes of PgBouncer after filling its pool */
  async function fillPool(): Promise<number[]> {
    const clients = Array.from({ length: POOL_SIZE }, () => new pg.Client(url));
    await Promise.all(clients.map((client) => client.connect()));
    // A transaction keeps its process.
    const results = await Promise.all(
      clients.map(async (client) => {
        await client.query('BEGIN');
        return client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      }),
    );
    await Promise.all(clients.map((client) => client.query('COMMIT')));
    await Promise.all(clients.map((client) => client.end()));
    return results.flatMap(({ rows }) => rows.map(({ pid }) => pid));
  }

  test('Hostile session settings have no effect behind PgBouncer, even on server processes from before the start', async () => {
    // Excluded because it would end idle processes.
    const names = NAMES.filter((name) => name !== 'idle_session_timeout');
    await makeHostile(database, { names });
    const pids = await fillPool();
    const db = await requireReachable(open(url));
    await until('all but the one in use have ended', async () => {
      const left = await database.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [
        pids,
      ]);
      return left.length <= 1;
    });
    await requirePinnedEverywhere(db);
  });

  test('A read-only command stores no session settings behind PgBouncer', async () => {
    const db = openPostgres(url, () => undefined, { storesSettings: false });
    opened.push(db);
    await sql`SELECT 1`.execute(db.kysely);
    const stored = await database.query(
      `SELECT FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
        WHERE d.datname = current_database()`,
    );
    assert.deepEqual(stored, []);
  });

  test('Hostile session settings have no effect behind PgBouncer if they are set while the service runs', async () => {
    const db = await requireReachable(open(url));
    await sql`SELECT 1`.execute(db.kysely);
    // Administrators can choose what commits wait for.
    const names = NAMES.filter((name) => name !== 'synchronous_commit');
    await makeHostile(database, { names });
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'kw_service'`,
    );
    await until('it is served again', () =>
      sql`SELECT 1`.execute(db.kysely).then(
        () => true,
        () => false,
      ),
    );
    await requirePinnedEverywhere(db);
  });
});
