import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import { type FunctionsState, compareFunctions } from './functions.ts';
import { type SchemaFiles, readSchemaFiles } from './schema-files.ts';
import type { DB } from './schema.ts';

/** A newer version has migrated the database to a schema that is incompatible with this one. */
export class SchemaAhead extends Error {
  constructor({ unknown, conflicts }: Pick<SchemaState, 'unknown' | 'conflicts'>) {
    const by = unknown.length > 0 ? ` (${unknown.join(', ')})` : '';
    const why = conflicts.length > 0 ? `. This one is incompatible: ${conflicts.join('; ')}` : '';
    super(`The database was migrated by a newer version${by}${why}: use that version.`);
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
  const fileNames = new Set(files.migrations.map(({ name }) => name));
  const unknown = [...found.migrations.keys()].filter((name) => !fileNames.has(name));
  const fileVersions = [files.version, withoutIndexes(files.version)];
  const isLatest = fileVersions.includes(found.versions.at(-1) ?? '');
  // Functions are only replaced by those of newer versions.
  const isAhead =
    unknown.length > 0 ||
    (!isLatest && found.versions.some((version) => fileVersions.includes(version)));
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

/** A column that every inserted row must set. */
const REQUIRED = ' required';

/**
 * Returns the parts of a schema that nodes use, one per line: columns with their types, and functions with their
 * arguments and results. `server/sql/contract.txt` lists those of a new database.
 */
export async function readCatalog(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
             || CASE WHEN a.attnotnull AND NOT a.atthasdef THEN ${REQUIRED} ELSE '' END AS line
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    UNION ALL
    SELECT 'function ' || proname || '(' || pg_get_function_arguments(oid) || ') '
             || pg_get_function_result(oid)
      FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'kw\\_%'
       AND prorettype <> 'trigger'::regtype`.execute(db);
  return rows.map(({ line }) => line).toSorted();
}

/**
 * Returns what prevents a version from working on another schema.
 * @param contract the parts that the version uses
 * @param catalog the parts that the schema has
 */
export function findConflicts(contract: readonly string[], catalog: readonly string[]): string[] {
  const used = new Set(contract);
  const tables = new Set(contract.flatMap((line) => tableOf(line) ?? []));
  const there = new Set(catalog);
  const gone = contract.filter((line) => !there.has(line));
  // A row inserted by this version would lack the column.
  const required = catalog.filter(
    (line) => line.endsWith(REQUIRED) && !used.has(line) && tables.has(tableOf(line) ?? ''),
  );
  return [...gone, ...required];
}

function tableOf(line: string): string | undefined {
  return /^column (\w+)\./.exec(line)?.[1];
}
