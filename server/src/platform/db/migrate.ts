import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import type { DB } from './schema.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);

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

/**
 * Brings the schema up to this version, forward only, under a lock that several nodes may race for.
 * @throws when a migration fails, or when one that was applied has been edited since.
 */
export async function migrate(database: Database): Promise<void> {
  const files = readMigrations();
  const migrator = new Migrator({
    db: database.kysely,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(files.map((file) => [file.name, asMigration(file)])),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw new Error('A migration of the database failed.', { cause: error });
  await compareChecksums(database.kysely, files);
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

async function compareChecksums(db: Kysely<DB>, files: readonly MigrationFile[]): Promise<void> {
  const { rows } = await sql<{ name: string; checksum: string }>`
    SELECT name, checksum FROM migration_checksums`.execute(db);
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const edited = files.filter((file) => applied.get(file.name) !== file.checksum);
  if (edited.length > 0) {
    throw new Error(
      `These migrations differ from what was applied to this database: ${edited.map((file) => file.name).join(', ')}. ` +
        'A migration is never edited: add a new one.',
    );
  }
}
