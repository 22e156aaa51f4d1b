import { type Kysely, sql } from 'kysely';
import { buildIndex, concurrentIndexOf, withoutConcurrency } from './concurrent-index.ts';
import type { Database } from './database.ts';
import { dropOutdatedTriggers, replaceFunctions } from './functions.ts';
import { LOCK_ATTEMPTS, withLockTimeout } from './migration-locks.ts';
import type { DB } from './schema.ts';
import {
  builtVersion,
  readSchemaFiles,
  type SchemaFile,
  type SchemaFiles,
} from './schema-files.ts';
import {
  SchemaAhead,
  type SchemaState,
  findState,
  lastVersion,
  withoutIndexes,
} from './schema-state.ts';

/** Migration files differ from the applied ones. */
class SchemaEdited extends Error {
  constructor(edited: readonly string[]) {
    super(
      `These migrations differ from those applied to this database: ${edited.join(', ')}. ` +
        'Restore the released files; a change requires a new migration.',
    );
    this.name = 'SchemaEdited';
  }
}

export interface Migrated {
  /** The names of the applied migrations. */
  readonly applied: readonly string[];
  /** Number of functions created, replaced or dropped; the triggers of a table count as one. */
  readonly functions: number;
  /** The schema belongs to a newer version that is compatible with this one. */
  readonly isAhead: boolean;
}

const UNCHANGED: Migrated = { applied: [], functions: 0, isAhead: false };

export interface MigrateOptions {
  /** Called with the sessions that hold locks the migration waits for; default: not reported. */
  readonly onBlocked?: (message: string) => void;
  /** Number of attempts to acquire its locks; the default number takes about five minutes. */
  readonly attempts?: number;
  /** Default: the files of this version. */
  readonly files?: SchemaFiles;
}

/**
 * Migrates the schema to this version, forward only, under a lock that serializes nodes. Leaves the schema of a newer
 * version unchanged. Everything except concurrent index builds runs in one transaction: a failure changes nothing.
 * @throws SchemaAhead when this version is incompatible with it, SchemaEdited, MigrationBlocked, and when a migration
 * or a function fails
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<Migrated> {
  // On nearly every start the schema is up to date, so neither the files nor a lock are needed.
  const built = builtVersion();
  if (built !== undefined && (await lastVersion(database.kysely)) === built) return UNCHANGED;
  const { files = readSchemaFiles() } = options;
  const state = await findState(database.kysely, files);
  if (isInPlace(state)) return { ...UNCHANGED, isAhead: state.isAhead };
  try {
    return await migrateUnderLock(database, files, options);
  } catch (error) {
    if (error instanceof Error && REFUSALS.has(error.name)) throw error;
    throw new Error('A migration of the database failed.', { cause: error });
  }
}

/** Errors whose messages need no prefix. */
const REFUSALS = new Set(['SchemaAhead', 'SchemaEdited', 'MigrationBlocked']);

/** Whether this version can use the schema as it is. @throws SchemaAhead, SchemaEdited */
function isInPlace(state: SchemaState): boolean {
  const { pending, edited, functions, isAhead, conflicts, isLatest } = state;
  if (edited.length > 0) throw new SchemaEdited(edited);
  if (isAhead && pending.length + conflicts.length > 0) throw new SchemaAhead(state);
  const changes = pending.length + functions.changed.length + functions.gone.length;
  return isAhead || (isLatest && changes === 0);
}

async function migrateUnderLock(
  database: Database,
  files: SchemaFiles,
  { onBlocked = () => undefined, attempts = LOCK_ATTEMPTS }: MigrateOptions,
): Promise<Migrated> {
  const { migrated, later } = await withLockTimeout(database, attempts, onBlocked, (tx) =>
    migrateWithin(tx, files, database.engine),
  );
  for (const { file, index } of later) {
    await buildIndex(database, file, index, {
      isApplied: async (tx) => !(await findState(tx, files)).pending.includes(file.name),
      record: async (tx) => {
        await recordMigration(tx, file);
        if (file === later.at(-1)?.file) await recordIndexes(tx, files);
      },
      onBlocked,
    });
  }
  return migrated;
}

async function migrateWithin(tx: Kysely<DB>, files: SchemaFiles, engine: Database['engine']) {
  // Another node may have migrated first.
  const state = await findState(tx, files);
  if (isInPlace(state)) return { migrated: { ...UNCHANGED, isAhead: state.isAhead }, later: [] };
  await createBookkeeping(tx);
  await dropOutdatedTriggers(tx, state.functions);
  const pending = files.migrations.filter(({ name }) => state.pending.includes(name));
  // Without other processes using the database, building an index blocks nothing.
  const later = engine === 'embedded' || state.applied.length === 0 ? [] : indexesForLater(pending);
  for (const file of pending.filter(
    (candidate) => !later.some(({ file: its }) => its === candidate),
  )) {
    await sql.raw(withoutConcurrency(file.text)).execute(tx);
    await recordMigration(tx, file);
  }
  await replaceFunctions(tx, files.functions, state.functions);
  const version = later.length > 0 ? withoutIndexes(files.version) : files.version;
  await recordVersion(tx, version);
  const { changed, gone } = state.functions;
  const functions = changed.length + gone.length;
  return { migrated: { applied: state.pending, functions, isAhead: false }, later };
}

/**
 * Returns the indexes to build concurrently, after the transaction. If a later migration names an index's table, the
 * index is built in order, in the transaction, because that migration can drop or rename its columns.
 */
function indexesForLater(pending: readonly SchemaFile[]) {
  return pending.flatMap((file, place) => {
    const index = concurrentIndexOf(file);
    const named = index && new RegExp(`\\b${index.table}\\b`);
    const following = pending.slice(place + 1).filter((candidate) => !concurrentIndexOf(candidate));
    return index && !following.some(({ text }) => named?.test(text)) ? [{ file, index }] : [];
  });
}

async function createBookkeeping(tx: Kysely<DB>): Promise<void> {
  for (const table of ['migration_checksums', 'function_checksums']) {
    await sql`CREATE TABLE IF NOT EXISTS ${sql.table(table)} (
      name text PRIMARY KEY, checksum text NOT NULL)`.execute(tx);
  }
  await sql`CREATE TABLE IF NOT EXISTS schema_versions (
    position integer PRIMARY KEY, checksum text NOT NULL)`.execute(tx);
}

async function recordMigration(tx: Kysely<DB>, { name, checksum }: SchemaFile): Promise<void> {
  await sql`INSERT INTO migration_checksums VALUES (${name}, ${checksum})`.execute(tx);
}

async function recordVersion(tx: Kysely<DB>, version: string): Promise<void> {
  await sql`
    INSERT INTO schema_versions
    SELECT coalesce(max(position), 0) + 1, ${version} FROM schema_versions`.execute(tx);
}

/** Records this version as complete, unless a newer one has migrated meanwhile. */
async function recordIndexes(tx: Kysely<DB>, { version }: SchemaFiles): Promise<void> {
  if ((await lastVersion(tx)) === withoutIndexes(version)) await recordVersion(tx, version);
}
