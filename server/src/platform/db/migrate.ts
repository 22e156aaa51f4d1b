import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from './database.ts';
import type { DB } from './schema.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

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

interface MigrationFile {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

function readMigrations(): MigrationFile[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return {
        name: file.slice(0, -4),
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    });
}

/** How the schema of a database stands to this version; each is a list of names of migrations. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied, and not the same any more. */
  readonly edited: readonly string[];
  /** Applied by a newer version, which this one knows nothing of. */
  readonly unknown: readonly string[];
}

/** Looks, and changes nothing: not even where no migration was ever applied. */
export async function findSchemaState({ kysely }: Database): Promise<SchemaState> {
  const { rows } = await sql<{ any: boolean }>`
    SELECT to_regclass('migration_checksums') IS NOT NULL AS any`.execute(kysely);
  const checksums = rows[0]?.any ? await readChecksums(kysely) : new Map<string, string>();
  const files = readMigrations();
  const known = new Set(files.map((file) => file.name));
  return {
    applied: [...checksums.keys()],
    pending: files.filter(({ name }) => !checksums.has(name)).map(({ name }) => name),
    edited: editedSince(checksums, files),
    unknown: [...checksums.keys()].filter((name) => !known.has(name)),
  };
}

/**
 * Brings the schema up to this version, forward only, under a lock that several nodes may race for.
 * @returns the names of the migrations that it applied
 * @throws SchemaAhead, SchemaEdited, and when a migration fails
 */
export async function migrate(database: Database): Promise<string[]> {
  const state = await findSchemaState(database);
  if (state.edited.length > 0) throw new SchemaEdited(state.edited);
  // Nearly every start finds everything in place, and needs neither the lock nor what takes it.
  if (state.pending.length + state.unknown.length === 0) return [];
  const { Migrator } = await import('kysely/migration');
  const files = readMigrations();
  const migrator = new Migrator({
    db: database.kyselyFor('migration'),
    provider: {
      getMigrations: async () =>
        Object.fromEntries(files.map((file) => [file.name, asMigration(file)])),
    },
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw await explain(database, error);
  requireUnedited(await readChecksums(database.kysely), files);
  return results.map((result) => result.migrationName);
}

function asMigration(file: MigrationFile): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql
        .raw(
          'CREATE TABLE IF NOT EXISTS migration_checksums (name text PRIMARY KEY, checksum text NOT NULL)',
        )
        .execute(db);
      await sql.raw(file.text).execute(db);
      await sql`INSERT INTO migration_checksums VALUES (${file.name}, ${file.checksum})`.execute(
        db,
      );
    },
  };
}

async function readChecksums(db: Kysely<DB>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; checksum: string }>`
    SELECT name, checksum FROM migration_checksums ORDER BY name`.execute(db);
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

function editedSince(
  applied: ReadonlyMap<string, string>,
  files: readonly MigrationFile[],
): string[] {
  return files
    .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
    .map(({ name }) => name);
}

function requireUnedited(
  applied: ReadonlyMap<string, string>,
  files: readonly MigrationFile[],
): void {
  const edited = editedSince(applied, files);
  if (edited.length > 0) throw new SchemaEdited(edited);
}

async function explain(database: Database, error: unknown): Promise<Error> {
  const unknown = await findSchemaState(database).then(
    (state) => state.unknown,
    () => [],
  );
  if (unknown.length > 0) return new SchemaAhead(unknown);
  return new Error('A migration of the database failed.', { cause: error });
}
