import { type Kysely, sql } from 'kysely';
import { isInvalidReplacement } from './failures.ts';
import type { DB } from './schema.ts';
import type { SchemaFile } from './schema-files.ts';

const TRIGGERS = '.triggers';

/** The differences between the functions of a database and the files, by file name. */
export interface FunctionsState {
  /** Files that are new, or whose text differs from the applied one. */
  readonly changed: readonly string[];
  /** Files that were applied earlier but no longer exist. */
  readonly gone: readonly string[];
}

/** @param applied the checksums of the applied files, by name */
export function compareFunctions(
  files: readonly SchemaFile[],
  applied: ReadonlyMap<string, string>,
): FunctionsState {
  const fileNames = new Set(files.map(({ name }) => name));
  return {
    changed: files
      .filter(({ name, checksum }) => applied.get(name) !== checksum)
      .map(({ name }) => name),
    gone: [...applied.keys()].filter((name) => !fileNames.has(name)),
  };
}

/** Runs before the migrations, since they may drop a column that such a trigger uses. Within a transaction. */
export async function dropOutdatedTriggers(
  tx: Kysely<DB>,
  { changed, gone }: FunctionsState,
): Promise<void> {
  for (const name of [...changed, ...gone].filter(isTriggers)) await dropTriggers(tx, name);
}

/**
 * Replaces the database's functions and triggers by those of the files. Within a transaction, after
 * dropOutdatedTriggers.
 * @throws Error if the database rejects a file, or if other objects in it depend on a removed function
 */
export async function replaceFunctions(
  tx: Kysely<DB>,
  files: readonly SchemaFile[],
  { changed, gone }: FunctionsState,
): Promise<void> {
  if (changed.length + gone.length === 0) return;
  // Functions refer to each other in any order, so bodies are checked once all exist, as pg_dump does.
  await sql`SET LOCAL check_function_bodies = off`.execute(tx);
  const replaced = files.filter(({ name }) => changed.includes(name));
  for (const file of replaced.filter((candidate) => !isTriggers(candidate.name)))
    await replace(tx, file);
  for (const file of replaced.filter((candidate) => isTriggers(candidate.name))) {
    await sql.raw(file.text).execute(tx);
  }
  for (const name of gone.filter((candidate) => !isTriggers(candidate))) {
    await dropFunctions(tx, await listSignatures(tx, name));
  }
  await validate(tx, files);
  await writeChecksums(tx, replaced, gone);
}

function isTriggers(name: string): boolean {
  return name.endsWith(TRIGGERS);
}

/**
 * Replaces a function in place if PostgreSQL allows it, so that concurrent calls find it; otherwise drops and creates
 * it.
 */
async function replace(tx: Kysely<DB>, { name, text }: SchemaFile): Promise<void> {
  const before = await listSignatures(tx, name);
  await sql`SAVEPOINT replacing`.execute(tx);
  try {
    await sql.raw(text).execute(tx);
  } catch (error) {
    if (!isInvalidReplacement(error) || before.length === 0) throw error;
    await sql`ROLLBACK TO SAVEPOINT replacing`.execute(tx);
    await dropFunctions(tx, before);
    await sql.raw(text).execute(tx);
  }
  await sql`RELEASE SAVEPOINT replacing`.execute(tx);
  const after = await listSignatures(tx, name);
  if (after.length === 0) throw new Error(`${name}.sql defines no function ${name}.`);
  // Other argument types create an overload and do not replace the existing function.
  if (after.length > before.length) await dropFunctions(tx, before);
}

/** The functions with a name, each with its argument types. */
async function listSignatures(tx: Kysely<DB>, name: string): Promise<string[]> {
  const { rows } = await sql<{ signature: string }>`
    SELECT oid::regprocedure::text AS signature FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname = ${name}`.execute(tx);
  return rows.map(({ signature }) => signature);
}

async function dropFunctions(tx: Kysely<DB>, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures) await sql.raw(`DROP FUNCTION ${signature}`).execute(tx);
}

async function dropTriggers(tx: Kysely<DB>, file: string): Promise<void> {
  const { rows } = await sql<{ drop: string }>`
    SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS drop FROM pg_trigger
     WHERE tgrelid = to_regclass(${file.slice(0, -TRIGGERS.length)}) AND NOT tgisinternal`.execute(
    tx,
  );
  for (const { drop } of rows) await sql.raw(drop).execute(tx);
}

/** Checks every function, since an unchanged one may use something that a migration removed. */
async function validate(tx: Kysely<DB>, files: readonly SchemaFile[]): Promise<void> {
  await sql`SET LOCAL check_function_bodies = on`.execute(tx);
  await sql`
    SELECT CASE l.lanname WHEN 'sql' THEN fmgr_sql_validator(p.oid)::text
                          WHEN 'plpgsql' THEN plpgsql_validator(p.oid)::text END
      FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
     WHERE p.pronamespace = current_schema()::regnamespace
       AND p.proname = ANY (${files.map(({ name }) => name)})`.execute(tx);
}

async function writeChecksums(
  tx: Kysely<DB>,
  replaced: readonly SchemaFile[],
  gone: readonly string[],
): Promise<void> {
  await sql`DELETE FROM function_checksums WHERE name = ANY (${gone})`.execute(tx);
  await sql`
    INSERT INTO function_checksums
    SELECT * FROM unnest(${replaced.map(({ name }) => name)}::text[],
                         ${replaced.map(({ checksum }) => checksum)}::text[])
    ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum`.execute(tx);
}
