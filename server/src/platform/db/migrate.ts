import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { compareFunctions, type FunctionsState, replaceFunctions } from './functions.ts';
import type { DB } from './schema.ts';
import { readSchemaFiles, type SchemaFile, type SchemaFiles } from './schema-files.ts';

/** Held by whoever migrates: any number that nobody else uses in this database. */
const LOCK = 7_316_449_208;

/** A newer version has migrated the database: this one must not work on a schema that it does not know. */
export class SchemaAhead extends Error {
  constructor(unknown: readonly string[]) {
    super(`The database was migrated by a newer version (${unknown.join(', ')}): use that one.`);
    this.name = 'SchemaAhead';
  }
}

/** Files of migrations are not what was applied to the database. */
class SchemaEdited extends Error {
  constructor(edited: readonly string[]) {
    super(
      `These migrations differ from what was applied to this database: ${edited.join(', ')}. ` +
        'Put their files back as they were released; a change is a new migration.',
    );
    this.name = 'SchemaEdited';
  }
}

/** How the schema of a database stands to this version; each is a list of names of migrations. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied, and not the same any more. */
  readonly edited: readonly string[];
  /** Applied by a newer version, which this one knows nothing of. */
  readonly unknown: readonly string[];
  readonly functions: FunctionsState;
}

/** Looks, and changes nothing: not even where no migration was ever applied. */
export async function findSchemaState({ kysely }: Database): Promise<SchemaState> {
  return findState(kysely, readSchemaFiles());
}

async function findState(db: Kysely<DB>, files: SchemaFiles): Promise<SchemaState> {
  const { rows } = await sql<{ any: boolean }>`
    SELECT to_regclass('function_checksums') IS NOT NULL AS any`.execute(db);
  const checksums = rows[0]?.any ? await readChecksums(db) : { migrations: [], functions: [] };
  const applied = new Map(checksums.migrations);
  const known = new Set(files.migrations.map(({ name }) => name));
  return {
    applied: [...applied.keys()],
    pending: files.migrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    edited: files.migrations
      .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
      .map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !known.has(name)),
    functions: compareFunctions(files.functions, new Map(checksums.functions)),
  };
}

interface Checksums {
  readonly migrations: readonly (readonly [name: string, checksum: string])[];
  readonly functions: readonly (readonly [name: string, checksum: string])[];
}

async function readChecksums(db: Kysely<DB>): Promise<Checksums> {
  const { rows } = await sql<{ of: keyof Checksums; name: string; checksum: string }>`
    SELECT 'migrations' AS of, name, checksum FROM migration_checksums
    UNION ALL
    SELECT 'functions', name, checksum FROM function_checksums ORDER BY name`.execute(db);
  const of = (what: keyof Checksums) =>
    rows.filter((row) => row.of === what).map((row) => [row.name, row.checksum] as const);
  return { migrations: of('migrations'), functions: of('functions') };
}

/** Whether the schema is that of this version. @throws SchemaAhead, SchemaEdited */
function isCurrent({ pending, edited, unknown, functions }: SchemaState): boolean {
  if (edited.length > 0) throw new SchemaEdited(edited);
  if (unknown.length > 0) throw new SchemaAhead(unknown);
  return pending.length + functions.changed.length + functions.gone.length === 0;
}

export interface Migrated {
  /** The names of the migrations that were applied. */
  readonly applied: readonly string[];
  /** How many functions were created, replaced or dropped; the triggers of a table count as one. */
  readonly functions: number;
}

/**
 * Brings the schema up to this version, forward only, under a lock that several nodes may race for.
 * @throws SchemaAhead, SchemaEdited, and when a migration or a function fails: nothing is changed then
 */
export async function migrate(database: Database): Promise<Migrated> {
  const files = readSchemaFiles();
  // Nearly every start finds everything in place, and needs no lock.
  if (isCurrent(await findState(database.kysely, files))) return { applied: [], functions: 0 };
  try {
    return await database
      .kyselyFor('migration')
      .transaction()
      .execute((tx) => migrateWithin(tx, files));
  } catch (error) {
    if (error instanceof SchemaAhead || error instanceof SchemaEdited) throw error;
    throw new Error('A migration of the database failed.', { cause: error });
  }
}

async function migrateWithin(tx: Kysely<DB>, files: SchemaFiles): Promise<Migrated> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
  // Another node may have been first.
  const state = await findState(tx, files);
  if (isCurrent(state)) return { applied: [], functions: 0 };
  for (const table of ['migration_checksums', 'function_checksums']) {
    await sql`CREATE TABLE IF NOT EXISTS ${sql.table(table)} (
      name text PRIMARY KEY, checksum text NOT NULL)`.execute(tx);
  }
  for (const file of files.migrations.filter(({ name }) => state.pending.includes(name))) {
    await applyMigration(tx, file);
  }
  await replaceFunctions(tx, files.functions, state.functions);
  const { changed, gone } = state.functions;
  return { applied: state.pending, functions: changed.length + gone.length };
}

async function applyMigration(tx: Kysely<DB>, { name, text, checksum }: SchemaFile): Promise<void> {
  await sql.raw(text).execute(tx);
  await sql`INSERT INTO migration_checksums VALUES (${name}, ${checksum})`.execute(tx);
}
