import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../src/platform/db/database.ts';
import { openInMemory } from '../src/platform/db/embedded.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { callerFiles } from './callers.ts';
import { headerOf } from './header.ts';

const ROOT = new URL('../../', import.meta.url);
const GIVE_BACK = 'server/sql/authentication/kw_give_back.ts';

const CALLERS = new Set(
  readdirSync(new URL('server/sql/', ROOT), { recursive: true, encoding: 'utf8' }).map((path) =>
    basename(path),
  ),
);

const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

describe('generated callers of database functions', () => {
  let database: Database;
  before(async () => {
    database = await openInMemory();
    await migrate(database);
  });
  after(() => database.close());

  /** Returns the files after a change of the catalog, which is then undone. */
  async function filesAfter(change: string): Promise<ReadonlyMap<string, string | undefined>> {
    let files = new Map<string, string | undefined>();
    const undone = new Error('Undo the change.');
    const work = database.kysely.transaction().execute(async (kysely) => {
      await sql.raw(change).execute(kysely);
      files = await callerFiles({ ...database, kysely });
      throw undone;
    });
    await assert.rejects(work, (error) => {
      if (error !== undone) throw error;
      return true;
    });
    return files;
  }

  it('The generated callers of database functions match the database catalog', async () => {
    for (const [path, text] of await callerFiles(database)) {
      assert.equal(textOf(path), text, `${path}: npm run generate`);
    }
  });

  it('The generated caller of a database function is outdated once its parameters or result changed', async () => {
    for (const change of [
      'ALTER FUNCTION kw_give_back(text, bytea, timestamptz) RENAME TO kw_old;' +
        "CREATE FUNCTION kw_give_back(p_tenant text, p_subject bytea) RETURNS void LANGUAGE sql AS '';" +
        'DROP FUNCTION kw_old',
      'DROP FUNCTION kw_give_back;' +
        'CREATE FUNCTION kw_give_back(p_tenant text, p_subject bytea, p_now timestamptz) RETURNS integer' +
        " LANGUAGE sql AS 'SELECT 1'",
    ]) {
      assert.notEqual((await filesAfter(change)).get(GIVE_BACK), textOf(GIVE_BACK));
    }
  });

  it('The generated callers of database functions are removed with their functions', async () => {
    const files = await filesAfter('DROP FUNCTION kw_give_back');
    assert.ok(files.has(GIVE_BACK));
    assert.equal(files.get(GIVE_BACK), undefined);
  });

  it('The generated callers cover every database function: one without a file is reported', async () => {
    const change =
      "CREATE FUNCTION kw_stray(p_tenant text) RETURNS text LANGUAGE sql AS 'SELECT p_tenant'";
    await assert.rejects(filesAfter(change), /^Error: kw_stray has no file in server\/sql\.$/);
  });

  it('The generated callers cover every database function: one whose file does not say who calls it is reported', () => {
    const text = '-- Ends.\n-- caller: everyone\nCREATE OR REPLACE FUNCTION kw_end() …';
    assert.throws(
      () => headerOf('kw_end', text),
      /^Error: Say in kw_end\.sql who calls it: -- caller: reading \| writing \| alone \| batched reading \| batched writing \| transaction \| none$/,
    );
  });

  it('A function that is called in batches is for one tenant, takes no arrays, and states how many rows it returns', async () => {
    const define = (parameters: string, result: string) =>
      `DROP FUNCTION kw_find_suppression;
       CREATE FUNCTION kw_find_suppression(${parameters}) RETURNS ${result} LANGUAGE sql AS 'SELECT NULL::text'`;
    await assert.rejects(filesAfter(define('p_id text', 'text')), /must be p_tenant/);
    await assert.rejects(
      filesAfter(define('p_tenant text, p_ids text[]', 'text')),
      /p_ids cannot be an array/,
    );
    await assert.rejects(
      filesAfter(define('p_tenant text, p_id text', 'TABLE (answer text)')),
      /state how many rows it returns/,
    );
  });

  it('The generated callers of database functions describe nothing that their function lacks', async () => {
    const change =
      'DROP FUNCTION kw_admit_attempt;' +
      'CREATE FUNCTION kw_admit_attempt(p_tenant text, p_subject bytea, p_limit integer,' +
      "  p_window_seconds integer, p_now timestamptz) RETURNS void LANGUAGE sql AS ''";
    await assert.rejects(filesAfter(change), /kw_admit_attempt\.sql names answer, which/);
  });
});

it('No function with a generated caller is called by handwritten SQL', () => {
  const found = readdirSync(new URL('server/src/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...textOf(`server/src/${path}`).matchAll(/\b(kw_\w+)\(/g)]
        .filter(([, name = '']) => CALLERS.has(`${name}.ts`))
        .map(([, name]) => `${path}: ${name}`),
    );
  assert.deepEqual(found, [], 'call it by its caller in server/sql, which npm run generate makes');
});
