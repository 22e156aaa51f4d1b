import { type Kysely, sql } from 'kysely';
import { findConflicts, readCatalog } from './contract.ts';
import type { Database } from './database.ts';
import { compareFunctions, type FunctionsState } from './functions.ts';
import type { DB } from './schema.ts';
import { readSchemaFiles, type SchemaFiles } from './schema-files.ts';

/** A newer version has migrated the database to a schema that is incompatible with this one. */
export class SchemaAhead extends Error {
  constructor({ unknown, conflicts }: Pick<SchemaState, 'unknown' | 'conflicts'>) {
    const by = unknown.length > 0 ? ` (${unknown.join(', ')})` : '';
    const why = conflicts.length > 0 ? `. This one is incompatible: ${conflicts.join('; ')}` : '';
    super(`The database was migrated by a newer version${by}${why}: use that one.`);
    this.name = 'SchemaAhead';
  }
}

/** Compares the schema of a database to this version. The first four fields are names of migrations. */
export interface SchemaState {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Applied, but changed since. */
  readonly edited: readonly string[];
  /** Applied by a newer version, and unknown to this one. */
  readonly unknown: readonly string[];
  readonly functions: FunctionsState;
  /** The schema is that of a newer version. */
  readonly isAhead: boolean;
  /** If the schema is ahead: why this version is incompatible with it. */
  readonly conflicts: readonly string[];
  /** This version was the last one to migrate. */
  readonly isLatest: boolean;
}

/** Compares the schema without writing; works even if no migration was ever applied. */
export async function findSchemaState({ kysely }: Database): Promise<SchemaState> {
  return findState(kysely, readSchemaFiles());
}

export async function findState(db: Kysely<DB>, files: SchemaFiles): Promise<SchemaState> {
  const found = await readBookkeeping(db);
  const known = new Set(files.migrations.map(({ name }) => name));
  const unknown = [...found.migrations.keys()].filter((name) => !known.has(name));
  const own = [files.version, withoutIndexes(files.version)];
  const isLatest = own.includes(found.versions.at(-1) ?? '');
  // Functions are only replaced by those of newer versions.
  const isAhead =
    unknown.length > 0 || (!isLatest && found.versions.some((one) => own.includes(one)));
  return {
    applied: [...found.migrations.keys()],
    pending: files.migrations
      .filter(({ name }) => !found.migrations.has(name))
      .map(({ name }) => name),
    edited: files.migrations
      .filter(({ name, checksum }) => (found.migrations.get(name) ?? checksum) !== checksum)
      .map(({ name }) => name),
    unknown,
    functions: compareFunctions(files.functions, found.functions),
    isAhead,
    conflicts: isAhead ? findConflicts(files.contract, await readCatalog(db)) : [],
    isLatest,
  };
}

/** The version recorded while its indexes are being built, so that a restart builds missing ones. */
export function withoutIndexes(version: string): string {
  return `${version} without its indexes`;
}

/** Returns the version that migrated last; undefined before the first migration. */
export async function lastVersion(db: Kysely<DB>): Promise<string | undefined> {
  if (!(await hasBookkeeping(db))) return undefined;
  const { rows } = await sql<{ checksum: string }>`
    SELECT checksum FROM schema_versions ORDER BY position DESC LIMIT 1`.execute(db);
  return rows[0]?.checksum;
}

async function hasBookkeeping(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    SELECT to_regclass('schema_versions') IS NOT NULL AS any`.execute(db);
  return rows[0]?.any ?? false;
}

interface Bookkeeping {
  /** The checksums of applied migrations, by name. */
  readonly migrations: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, string>;
  /** Every version that has migrated, in order. */
  readonly versions: readonly string[];
}

async function readBookkeeping(db: Kysely<DB>): Promise<Bookkeeping> {
  if (!(await hasBookkeeping(db)))
    return { migrations: new Map(), functions: new Map(), versions: [] };
  const { rows } = await sql<{ of: keyof Bookkeeping; name: string; checksum: string }>`
    SELECT 'migrations' AS of, name, checksum FROM migration_checksums
    UNION ALL
    SELECT 'functions', name, checksum FROM function_checksums
    UNION ALL
    SELECT 'versions', to_char(position, 'FM0000000000'), checksum FROM schema_versions
    ORDER BY name`.execute(db);
  const of = (what: keyof Bookkeeping) =>
    rows.filter((row) => row.of === what).map((row) => [row.name, row.checksum] as const);
  return {
    migrations: new Map(of('migrations')),
    functions: new Map(of('functions')),
    versions: of('versions').map(([, checksum]) => checksum),
  };
}
