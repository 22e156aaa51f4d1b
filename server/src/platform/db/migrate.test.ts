import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { parallel } from '@keywright/tests/harness/parallel';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';
import { until } from '@keywright/tests/harness/until';
import pg from 'pg';
import { type Database, statement } from './database.ts';
import { openInMemory } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { readSchemaFiles, type SchemaFile, type SchemaFiles } from './schema-files.ts';

const CATALOG = `
  SELECT table_name, column_name, data_type, is_nullable, column_default
    FROM information_schema.columns
   WHERE table_schema = 'public' ORDER BY table_name, column_name`;

let server: PostgresServer;

before(async () => {
  server = await startPostgres();
});

after(() => server.close());

/** Migrates as another node would, with connections of its own. */
async function migrateAsNode(url: string): Promise<void> {
  const database = openPostgres(url, () => {});
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

/** The files of this version with further migrations, as a later release has them. */
function filesWith(...more: readonly SchemaFile[]): SchemaFiles {
  const files = readSchemaFiles();
  return { ...files, migrations: [...files.migrations, ...more], version: 'next' };
}

async function applied(database: TestDatabase): Promise<unknown[]> {
  return database.query(`SELECT name, checksum FROM migration_checksums UNION ALL
    SELECT name, checksum FROM function_checksums ORDER BY name`);
}

/** Drops the roles, so that the migration must create them, which requires a superuser or CREATEROLE. */
async function dropRoles(database: TestDatabase): Promise<void> {
  await database.query('DROP ROLE keywright_tenant, keywright_resolver, keywright_system');
}

describe('on an empty database', () => {
  test('Several nodes that start concurrently on an empty database migrate it together, each step once', async () => {
    const database = await createDatabase(server);
    await dropRoles(database);
    await parallel(4, () => migrateAsNode(database.superuserUrl));
    const once = await applied(database);
    assert.ok(once.length > 0);
    await migrateAsNode(database.superuserUrl);
    assert.deepEqual(await applied(database), once);
    const [check] = await database.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM isolation_check',
    );
    assert.equal(check?.n, 1);
    await database.drop();
  });

  test('Several empty databases of a new server are migrated concurrently', async () => {
    const newServer = await startPostgres({ major: 17 });
    const databases = await parallel(3, () => createDatabase(newServer));
    await dropRoles(databases[0] ?? assert.fail());
    await Promise.all(databases.map((database) => migrateAsNode(database.superuserUrl)));
    for (const database of databases) assert.ok((await applied(database)).length > 0);
    await newServer.close();
  });

  test('PostgreSQL and the embedded database get the same schema', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    const embedded: Database = await openInMemory();
    await migrate(embedded);
    const there = await embedded.run(statement('catalog', CATALOG), []);
    await embedded.close();
    assert.deepEqual(there, await database.query(CATALOG));
    await database.drop();
  });
});

describe('while others hold locks', () => {
  const NOTE = {
    name: '9000_note',
    text: 'ALTER TABLE installation ADD COLUMN note text;',
    checksum: 'of the note',
  };

  /** A migrated database, and a transaction that reads a table which the next migration changes. */
  async function openWithReader() {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    const reader = new pg.Client({
      connectionString: database.superuserUrl,
      application_name: 'dump',
    });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM installation');
    const opened = openPostgres(database.url, () => {});
    return {
      database,
      reader,
      opened,
      close: async () => {
        await reader.end();
        await opened.close();
        await database.drop();
      },
    };
  }

  test('A migration that waits for a long reader lets other statements through, reports the reader, and succeeds afterward', async () => {
    const { database, reader, opened, close } = await openWithReader();
    const reports: string[] = [];
    const migration = migrate(opened, {
      files: filesWith(NOTE),
      onBlocked: (message) => reports.push(message),
    });
    const pid = (reader as pg.Client & { processID: number }).processID;
    for (let round = 0; round < 2; round += 1) {
      await until('the migration waits', async () => {
        const waiting = await database.query(`SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        return waiting.length > 0;
      });
      // Queued behind the migration, and answered although the reader still holds its lock.
      await database.query('SELECT FROM installation');
    }
    await reader.query('COMMIT');
    assert.deepEqual((await migration).applied, [NOTE.name]);
    assert.match(
      reports[0] ?? '',
      new RegExp(
        `^attempt 1 of \\d+ to migrate the database could not get its locks: server process ${pid} \\(application dump, `,
      ),
    );
    await close();
  });

  test('A migration that never gets its locks fails, and names the sessions that hold them', async () => {
    const { database, opened, close } = await openWithReader();
    const recorded = await applied(database);
    await assert.rejects(migrate(opened, { files: filesWith(NOTE), attempts: 1 }), {
      name: 'MigrationBlocked',
      message:
        /could not get its locks: server process \d+ \(application dump, .*pg_terminate_backend/,
    });
    assert.deepEqual(await applied(database), recorded);
    await close();
  });
});

describe('an index that is built concurrently', () => {
  const FILE = {
    name: '9000_users_by_creation',
    text: '-- A comment.\nCREATE INDEX CONCURRENTLY users_by_creation ON users (tenant_id, created_at);\n',
    checksum: 'of the index',
  };
  const VALID = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('users_by_creation')`;

  async function migrated() {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    const opened = openPostgres(database.url, () => {});
    return {
      database,
      opened,
      close: async () => {
        await opened.close();
        await database.drop();
      },
    };
  }

  test('A concurrent index build lets transactions write to its table, waits for them, and reports them', async () => {
    const { database, opened, close } = await migrated();
    const writer = new pg.Client({
      connectionString: database.superuserUrl,
      application_name: 'importer',
    });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('DELETE FROM users');
    const reports: string[] = [];
    const migration = migrate(opened, {
      files: filesWith(FILE),
      onBlocked: (message) => reports.push(message),
    });
    await until('the wait is reported', () => reports.length > 0);
    assert.match(reports[0] ?? '', /users_by_creation is not built yet.* \(application importer, /);
    await database.query('DELETE FROM users');
    await writer.query('COMMIT');
    assert.deepEqual((await migration).applied, [FILE.name]);
    assert.deepEqual(await database.query(VALID), [{ valid: true }]);
    assert.deepEqual((await migrate(opened, { files: filesWith(FILE) })).applied, []);
    await writer.end();
    await close();
  });

  test('A concurrent index is built by one of several nodes', async () => {
    const { database, opened, close } = await migrated();
    await parallel(3, async () => {
      const node = openPostgres(database.url, () => {});
      await migrate(node, { files: filesWith(FILE) });
      await node.close();
    });
    assert.deepEqual(await database.query(VALID), [{ valid: true }]);
    assert.deepEqual((await migrate(opened, { files: filesWith(FILE) })).applied, []);
    await close();
  });

  test('A concurrent index is built again if an interrupted migration left it invalid', async () => {
    const { database, opened, close } = await migrated();
    const blocker = new pg.Client(database.superuserUrl);
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('DELETE FROM users');
    const dying = openPostgres(database.url, () => {});
    const interrupted = assert.rejects(migrate(dying, { files: filesWith(FILE) }));
    await until('the build waits', async () => {
      const ended = await database.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index
         WHERE datname = current_database() AND current_locker_pid <> 0`);
      return ended.length > 0;
    });
    await interrupted;
    await dying.close();
    await blocker.end();
    assert.deepEqual(await database.query(VALID), [{ valid: false }]);
    assert.deepEqual((await migrate(opened, { files: filesWith(FILE) })).applied, [FILE.name]);
    assert.deepEqual(await database.query(VALID), [{ valid: true }]);
    await close();
  });

  test('A concurrent index is built in the transaction if a later migration changes its table', async () => {
    const { database, opened, close } = await migrated();
    const rename = {
      name: '9001_rename',
      text: 'ALTER INDEX users_by_creation RENAME TO users_created; ALTER TABLE users ADD COLUMN x int;',
      checksum: 'of the change',
    };
    await migrate(opened, { files: filesWith(FILE, rename) });
    assert.deepEqual(await database.query(`SELECT to_regclass('users_created')::text AS name`), [
      { name: 'users_created' },
    ]);
    await close();
  });

  test('A concurrent index is part of a new database, on PostgreSQL and embedded', async () => {
    const database = await createDatabase(server);
    const opened = openPostgres(database.url, () => {});
    const embedded = await openInMemory();
    for (const db of [opened, embedded]) {
      await migrate(db, { files: filesWith(FILE) });
      assert.deepEqual(await db.run(statement('valid', VALID), []), [{ valid: true }]);
      await db.close();
    }
    await database.drop();
  });
});

describe('an incompatible database', () => {
  test('A database is rejected if a migration was edited after it was applied, and the error names the migration', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    await database.query(
      `UPDATE migration_checksums SET checksum = 'another' WHERE name = '0001_tenants'`,
    );
    await assert.rejects(migrateAsNode(database.url), /differ from .*: 0001_tenants\. /);
    await database.drop();
  });

  test('A database is rejected if a newer version removed what this version uses', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    await database.query(`INSERT INTO migration_checksums VALUES ('9999_of_tomorrow', 'x')`);
    await database.query('ALTER TABLE users DROP COLUMN user_metadata');
    await assert.rejects(migrateAsNode(database.url), {
      name: 'SchemaAhead',
      message:
        'The database was migrated by a newer version (9999_of_tomorrow). ' +
        'This one is incompatible: column users.user_metadata jsonb: use that version.',
    });
    await database.drop();
  });

  test('A database that a newer version migrated is left unchanged if it still has what this version uses', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    await database.query(`INSERT INTO migration_checksums VALUES ('9999_of_tomorrow', 'x')`);
    await database.query(`UPDATE function_checksums SET checksum = 'x' WHERE name = 'kw_enter'`);
    const found = await applied(database);
    await migrateAsNode(database.url);
    assert.deepEqual(await applied(database), found);
    await database.drop();
  });

  test('A database keeps the functions of a newer version, even without a new migration', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    const change = `UPDATE function_checksums SET checksum = 'x' WHERE name = 'kw_enter'`;
    await database.query(change);
    await database.query(`INSERT INTO schema_versions VALUES (2, 'of tomorrow')`);
    const found = await applied(database);
    await migrateAsNode(database.url);
    assert.deepEqual(await applied(database), found);
    await database.drop();
  });

  test('A database gets the functions of this version, whatever text they had', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    const definition = `SELECT pg_get_functiondef('kw_enter'::regproc) AS one`;
    const released = await database.query(definition);
    await database.query(`CREATE OR REPLACE FUNCTION kw_enter(p_tenant text) RETURNS text
      LANGUAGE sql AS $$ SELECT p_tenant $$`);
    await database.query(`CREATE FUNCTION kw_former() RETURNS void LANGUAGE sql AS $$ SELECT $$`);
    await database.query(`ALTER FUNCTION kw_former() OWNER TO kw_service`);
    await database.query(`UPDATE function_checksums SET checksum = 'x' WHERE name = 'kw_enter'`);
    await database.query(`INSERT INTO function_checksums VALUES ('kw_former', 'x')`);
    await migrateAsNode(database.url);
    assert.deepEqual(await database.query(definition), released);
    assert.deepEqual(await database.query(`SELECT to_regproc('kw_former') AS one`), [
      { one: null },
    ]);
    await database.drop();
  });

  test('A database is left unchanged if a migration fails', async () => {
    const database = await createDatabase(server);
    await database.query('CREATE TABLE sessions (in_the_way integer)');
    await assert.rejects(migrateAsNode(database.url), /A migration of the database failed/);
    const tables = await database.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables
        WHERE schemaname = 'public' ORDER BY 1`,
    );
    assert.deepEqual(tables, [{ name: 'sessions' }]);
    await database.drop();
  });
});
