import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createDatabase } from '@keywright/tests/harness/database';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { openInMemory } from './embedded.ts';
import { compareFunctions, dropOutdatedTriggers, replaceFunctions } from './functions.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import type { SchemaFile } from './schema-files.ts';

/** @param returns the SQL type that the function returns */
function functionFile(name: string, returns: string, parameters = 'p_one text'): SchemaFile {
  return fileOf(
    name,
    `CREATE OR REPLACE FUNCTION ${name}(${parameters}) RETURNS ${returns} LANGUAGE sql STABLE AS $$ SELECT CAST('1' AS ${returns}) $$;`,
  );
}

function fileOf(name: string, text: string): SchemaFile {
  return { name, text, checksum: text };
}

const STAMP = fileOf(
  'kw_stamp',
  `CREATE OR REPLACE FUNCTION kw_stamp() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.b := NEW.a; RETURN NEW; END $$;`,
);
const STAMPED = fileOf(
  'stamped.triggers',
  `CREATE TRIGGER stamp BEFORE INSERT ON stamped FOR EACH ROW EXECUTE FUNCTION kw_stamp();`,
);

const ENGINES = [
  {
    name: 'PostgreSQL',
    async open() {
      const database = await createDatabase();
      const opened = openPostgres(database.url, () => {});
      return { opened, close: () => opened.close().then(() => database.drop()) };
    },
  },
  {
    name: 'the embedded database',
    async open() {
      const opened = await openInMemory();
      await migrate(opened);
      return { opened, close: () => opened.close() };
    },
  },
];

for (const engine of ENGINES) {
  describe(`the functions of a database, on ${engine.name},`, () => {
    let database: Database;
    let close: () => Promise<void>;

    before(async () => {
      ({ opened: database, close } = await engine.open());
      await sql`CREATE TABLE stamped (a integer, b integer)`.execute(database.kysely);
      // Excludes the service's own functions.
      await sql`DELETE FROM function_checksums`.execute(database.kysely);
    });

    beforeEach(() => apply());

    after(() => close());

    /** Applies the functions of these files to the database. @returns the number of files that changed something */
    async function apply(...files: SchemaFile[]): Promise<number> {
      return applyAround(undefined, files);
    }

    async function applyAround(
      between: ReturnType<typeof sql> | undefined,
      files: readonly SchemaFile[],
    ): Promise<number> {
      return database.kysely.transaction().execute(async (tx) => {
        const { rows } = await sql<{ name: string; checksum: string }>`
          SELECT name, checksum FROM function_checksums`.execute(tx);
        const state = compareFunctions(files, new Map(rows.map((row) => [row.name, row.checksum])));
        await dropOutdatedTriggers(tx, state);
        if (between) await between.execute(tx);
        await replaceFunctions(tx, files, state);
        return state.changed.length + state.gone.length;
      });
    }

    async function list(query: ReturnType<typeof sql<{ one: string }>>): Promise<string[]> {
      const { rows } = await query.execute(database.kysely);
      return rows.map(({ one }) => one);
    }

    const signatures = () =>
      list(sql`SELECT oid::regprocedure || ' ' || prorettype::regtype AS one FROM pg_proc
                WHERE proname IN ('kw_one', 'kw_two') ORDER BY 1`);
    const oids = () => list(sql`SELECT oid::text AS one FROM pg_proc WHERE proname = 'kw_one'`);

    test('The database functions are those of the files, and remain unchanged if no file changed', async () => {
      const files = [functionFile('kw_one', 'text'), functionFile('kw_two', 'text')];
      assert.equal(await apply(...files), 2);
      assert.deepEqual(await signatures(), ['kw_one(text) text', 'kw_two(text) text']);
      assert.equal(await apply(...files), 0);
    });

    test('A database function is replaced in place if only its text changed, so calls in progress find it', async () => {
      await apply(functionFile('kw_one', 'text'));
      const earlier = await oids();
      const { name, text } = functionFile('kw_one', 'text');
      assert.equal(await apply(fileOf(name, text.replace("'1'", "'2'"))), 1);
      assert.deepEqual(await list(sql`SELECT kw_one('') AS one`), ['2']);
      assert.deepEqual(await oids(), earlier);
    });

    test('A database function can change its result, argument names and types, and leaves no earlier overload', async () => {
      await apply(functionFile('kw_one', 'text'));
      for (const [returns, parameters, signature] of [
        ['integer', 'p_one text', 'kw_one(text) integer'],
        ['integer', 'p_other text', 'kw_one(text) integer'],
        ['integer', 'p_other bigint', 'kw_one(bigint) integer'],
        ['integer', 'p_other bigint, p_more text', 'kw_one(bigint,text) integer'],
        ['text', 'p_other bigint', 'kw_one(bigint) text'],
      ] as const) {
        await apply(functionFile('kw_one', returns, parameters));
        assert.deepEqual(await signatures(), [signature]);
      }
    });

    test('A database function is dropped if its file is removed, its triggers first', async () => {
      await apply(STAMP, STAMPED, functionFile('kw_one', 'text'));
      await apply();
      assert.deepEqual(await signatures(), []);
      const triggers = sql<{ one: string }>`
        SELECT tgname AS one FROM pg_trigger WHERE tgrelid = 'stamped'::regclass`;
      assert.deepEqual(await list(triggers), []);
    });

    test('The database functions can refer to each other in any order', async () => {
      const calling = fileOf(
        'kw_one',
        `CREATE OR REPLACE FUNCTION kw_one(p_one text) RETURNS text LANGUAGE sql AS $$ SELECT kw_two(p_one) $$;`,
      );
      await apply(calling, functionFile('kw_two', 'text'));
      assert.deepEqual(await list(sql`SELECT kw_one('') AS one`), ['1']);
    });

    test('The triggers of database functions are those of the files, and change only with their file', async () => {
      const stamp = () =>
        list(sql`INSERT INTO stamped (a) VALUES (1) RETURNING coalesce(b, 0)::text AS one`);
      await apply(STAMP, STAMPED);
      assert.deepEqual(await stamp(), ['1']);
      await apply(fileOf(STAMP.name, STAMP.text.replace(':= NEW.a', ':= 2')), STAMPED);
      assert.deepEqual(await stamp(), ['2']);
      const never = STAMPED.text.replace('FOR EACH ROW', 'FOR EACH ROW WHEN (NEW.a > 1)');
      await apply(STAMP, fileOf(STAMPED.name, never));
      assert.deepEqual(await stamp(), ['0']);
    });

    test('A migration can drop a column that a trigger used before', async () => {
      const named = STAMPED.text.replace('FOR EACH ROW', 'FOR EACH ROW WHEN (NEW.c > 1)');
      await sql`ALTER TABLE stamped ADD COLUMN c integer`.execute(database.kysely);
      await apply(STAMP, fileOf(STAMPED.name, named));
      await applyAround(sql`ALTER TABLE stamped DROP COLUMN c`, [STAMP, STAMPED]);
    });

    test('The database functions remain unchanged if a file is invalid', async () => {
      const good = functionFile('kw_two', 'text');
      await apply(good);
      for (const [text, why] of [
        [
          'CREATE FUNCTION kw_two(p_one text) RETURNS text LANGUAGE sql AS $$ SELECT 1 $$;',
          /exist/,
        ],
        [functionFile('kw_one', 'text').text.replace("'1'", 'kw_nobody()'), /kw_nobody/],
        [functionFile('kw_two', 'text').text, /kw_one\.sql defines no function kw_one/],
      ] as const) {
        await assert.rejects(apply(good, fileOf('kw_one', text)), why);
        assert.deepEqual(await signatures(), ['kw_two(text) text']);
      }
    });

    test('The database functions are checked after a change of the tables too', async () => {
      const sum = fileOf(
        'kw_one',
        `CREATE OR REPLACE FUNCTION kw_one(p_one text) RETURNS bigint LANGUAGE sql AS $$ SELECT sum(a) FROM stamped $$;`,
      );
      await apply(sum);
      await sql`ALTER TABLE stamped RENAME COLUMN a TO c`.execute(database.kysely);
      await assert.rejects(apply(sum, functionFile('kw_two', 'text')), /column "a" does not exist/);
      await sql`ALTER TABLE stamped RENAME COLUMN c TO a`.execute(database.kysely);
    });
  });
}
