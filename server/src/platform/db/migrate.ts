import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { dropOutdatedTriggers, replaceFunctions } from './functions.ts';
import type { DB } from './schema.ts';
import {
  builtVersion,
  readSchemaFiles,
  type SchemaFile,
  type SchemaFiles,
} from './schema-files.ts';
import { findState, lastVersion, SchemaAhead, type SchemaState } from './schema-state.ts';

/** Advisory lock held during migrations: any number not used otherwise in this database. */
const LOCK = 7_316_449_208;

/** Migration files differ from the applied ones. */
class SchemaEdited extends Error {
  constructor(edited: readonly string[]) {
    super(
      `These migrations differ from those applied to this database: ${edited.join(', ')}. ` +
        'Restore the files as they were released; a change needs a new migration.',
    );
    this.name = 'SchemaEdited';
  }
}

export interface Migrated {
  /** The names of the migrations that were applied. */
  readonly applied: readonly string[];
  /** Number of functions created, replaced or dropped; the triggers of a table count as one. */
  readonly functions: number;
  /** The schema is that of a newer version, which this one is compatible with. */
  readonly isAhead: boolean;
}

const UNCHANGED: Migrated = { applied: [], functions: 0, isAhead: false };

/**
 * Migrates the schema to this version, forward only, under a lock that several nodes may compete for. A newer version's
 * schema is left unchanged.
 * @throws SchemaAhead when this version is incompatible with it, SchemaEdited, and when a migration or a function
 * fails: nothing is changed then
 */
export async function migrate(database: Database): Promise<Migrated> {
  // Nearly every start finds the schema up to date, and needs neither the files nor a lock.
  const built = builtVersion();
  if (built !== undefined && (await lastVersion(database.kysely)) === built) return UNCHANGED;
  const files = readSchemaFiles();
  const state = await findState(database.kysely, files);
  if (isInPlace(state)) return { ...UNCHANGED, isAhead: state.isAhead };
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

/** Whether this version can use the schema as it is. @throws SchemaAhead, SchemaEdited */
function isInPlace(state: SchemaState): boolean {
  const { pending, edited, functions, isAhead, conflicts, isLatest } = state;
  if (edited.length > 0) throw new SchemaEdited(edited);
  if (isAhead && pending.length + conflicts.length > 0) throw new SchemaAhead(state);
  const changes = pending.length + functions.changed.length + functions.gone.length;
  return isAhead || (isLatest && changes === 0);
}

async function migrateWithin(tx: Kysely<DB>, files: SchemaFiles): Promise<Migrated> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK}::bigint)`.execute(tx);
  // Another node may have been faster.
  const state = await findState(tx, files);
  if (isInPlace(state)) return { ...UNCHANGED, isAhead: state.isAhead };
  await createBookkeeping(tx);
  await dropOutdatedTriggers(tx, state.functions);
  for (const file of files.migrations.filter(({ name }) => state.pending.includes(name))) {
    await applyMigration(tx, file);
  }
  await replaceFunctions(tx, files.functions, state.functions);
  await sql`
    INSERT INTO schema_versions
    SELECT coalesce(max(position), 0) + 1, ${files.version} FROM schema_versions`.execute(tx);
  const { changed, gone } = state.functions;
  return { applied: state.pending, functions: changed.length + gone.length, isAhead: false };
}

async function createBookkeeping(tx: Kysely<DB>): Promise<void> {
  for (const table of ['migration_checksums', 'function_checksums']) {
    await sql`CREATE TABLE IF NOT EXISTS ${sql.table(table)} (
      name text PRIMARY KEY, checksum text NOT NULL)`.execute(tx);
  }
  await sql`CREATE TABLE IF NOT EXISTS schema_versions (
    position integer PRIMARY KEY, checksum text NOT NULL)`.execute(tx);
}

async function applyMigration(tx: Kysely<DB>, { name, text, checksum }: SchemaFile): Promise<void> {
  await sql.raw(text).execute(tx);
  await sql`INSERT INTO migration_checksums VALUES (${name}, ${checksum})`.execute(tx);
}
