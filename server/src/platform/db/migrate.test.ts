import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { parallel } from '@keywright/tests/harness/parallel';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';
import { type Database, statement } from './database.ts';
import { openInMemory } from './embedded.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';

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

async function applied(database: TestDatabase): Promise<unknown[]> {
  return database.query(`SELECT name, checksum FROM migration_checksums UNION ALL
    SELECT name, checksum FROM function_checksums ORDER BY name`);
}

/** The roles are gone, so that whoever migrates makes them: only a superuser may, or who may create roles. */
async function dropRoles(database: TestDatabase): Promise<void> {
  await database.query('DROP ROLE keywright_tenant, keywright_resolver, keywright_system');
}

describe('on an empty database', () => {
  test('several nodes that start concurrently migrate it together, each step once', async () => {
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

  test('several databases of a new server are migrated concurrently', async () => {
    const own = await startPostgres({ major: 17 });
    const databases = await parallel(3, () => createDatabase(own));
    await dropRoles(databases[0] ?? assert.fail());
    await Promise.all(databases.map((database) => migrateAsNode(database.superuserUrl)));
    for (const database of databases) assert.ok((await applied(database)).length > 0);
    await own.close();
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

describe('an incompatible database', () => {
  test('is rejected by name if a migration was edited after it was applied', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    await database.query(
      `UPDATE migration_checksums SET checksum = 'another' WHERE name = '0001_tenants'`,
    );
    await assert.rejects(migrateAsNode(database.url), /differ from .*: 0001_tenants\. /);
    await database.drop();
  });

  test('is rejected if a newer version removed what this one uses', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    await database.query(`INSERT INTO migration_checksums VALUES ('9999_of_tomorrow', 'x')`);
    await database.query('ALTER TABLE users DROP COLUMN user_metadata');
    await assert.rejects(migrateAsNode(database.url), {
      name: 'SchemaAhead',
      message:
        'The database was migrated by a newer version (9999_of_tomorrow). ' +
        'This one is incompatible: column users.user_metadata jsonb: use that one.',
    });
    await database.drop();
  });

  test('is left unchanged if a newer version migrated it and kept what this one uses', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    await database.query(`INSERT INTO migration_checksums VALUES ('9999_of_tomorrow', 'x')`);
    await database.query(`UPDATE function_checksums SET checksum = 'x' WHERE name = 'kw_enter'`);
    const found = await applied(database);
    await migrateAsNode(database.url);
    assert.deepEqual(await applied(database), found);
    await database.drop();
  });

  test('keeps the functions of a newer version, even without a new migration', async () => {
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

  test('gets the functions of this version, whatever text they had', async () => {
    const database = await createDatabase(server);
    await migrateAsNode(database.url);
    const definition = `SELECT pg_get_functiondef('kw_enter'::regproc) AS one`;
    const released = await database.query(definition);
    await database.query(`CREATE OR REPLACE FUNCTION kw_enter(p_tenant text) RETURNS void
      LANGUAGE sql AS $$ SELECT $$`);
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

  test('is left unchanged if a migration fails', async () => {
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
