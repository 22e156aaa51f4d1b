import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { VERSION } from '../version.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const FUNCTIONS = new URL('../../../sql/', import.meta.url);
const CONTRACT = new URL('contract.txt', FUNCTIONS);

/**
 * The settings that replace `:nested_loops_only` in the head of a hot function: a generic plan with index lookups,
 * regardless of the table statistics. They also fix the join order, which row-level security needs if a statement
 * serves many tenants (server/sql/README.md).
 */
const NESTED_LOOPS_ONLY = `SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off`;

export interface SchemaFile {
  /** File name without its extension: `0001_tenants`, `kw_enter`, `sessions.triggers`. */
  readonly name: string;
  /** As it is applied. */
  readonly text: string;
  /** SHA-256, hexadecimal. */
  readonly checksum: string;
}

export interface SchemaFiles {
  /** In the order of application. */
  readonly migrations: readonly SchemaFile[];
  /** One file per function, and one for the triggers of each table with triggers. */
  readonly functions: readonly SchemaFile[];
  /** The parts of the schema that this version uses, in the format of `readCatalog`. */
  readonly contract: readonly string[];
  /** A checksum of all files and of the service's version: a release that returns to earlier functions is a new one. */
  readonly version: string;
}

/** The version of the schema files in the build; undefined when running from the sources. */
declare const SCHEMA_VERSION: string | undefined;

/**
 * @returns `SchemaFiles.version` of a built service, without reading a file; undefined when running from the sources
 */
export function builtVersion(): string | undefined {
  return typeof SCHEMA_VERSION === 'undefined' ? undefined : SCHEMA_VERSION;
}

export function readSchemaFiles(): SchemaFiles {
  const areas = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' });
  const migrations = read(MIGRATIONS, readdirSync(MIGRATIONS));
  const lists = read(FUNCTIONS, areas.filter(isColumnList)).map(abbreviationOf);
  const abbreviations = [{ name: ':nested_loops_only', text: NESTED_LOOPS_ONLY }, ...lists];
  const functions = read(
    FUNCTIONS,
    areas.filter((path) => !isColumnList(path)),
    abbreviations,
  );
  const contract = readFileSync(CONTRACT, 'utf8');
  const all = [...migrations, ...functions].map(({ name, checksum }) => `${name} ${checksum}`);
  return {
    migrations,
    functions,
    contract: contract.split('\n').filter(Boolean),
    version: checksumOf([VERSION, contract, ...all].join('\n')),
  };
}

/** The names of the migrations of this version, without reading them. */
export function migrationNames(): readonly string[] {
  return readdirSync(MIGRATIONS)
    .filter((path) => path.endsWith('.sql'))
    .map((path) => basename(path, '.sql'));
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A name in the head of a function that stands for a text. */
interface Abbreviation {
  readonly name: string;
  readonly text: string;
}

/** Whether a file lists columns that several functions return: `:session_claims` stands for session_claims.columns.sql. */
export function isColumnList(path: string): boolean {
  return path.endsWith('.columns.sql');
}

/** The columns of a list, without its comments. */
function abbreviationOf({ name, text }: SchemaFile): Abbreviation {
  const columns = text.replaceAll(/^--.*\n/gm, '').trim();
  return { name: `:${basename(name, '.columns')}`, text: columns };
}

function read(
  folder: URL,
  paths: readonly string[],
  abbreviations: readonly Abbreviation[] = [],
): SchemaFile[] {
  return paths
    .filter((path) => path.endsWith('.sql'))
    .toSorted()
    .map((path) => {
      const text = abbreviations.reduce(
        (written, abbreviation) => written.replace(abbreviation.name, () => abbreviation.text),
        readFileSync(new URL(path, folder), 'utf8'),
      );
      return {
        name: basename(path, '.sql'),
        text,
        checksum: checksumOf(text),
      };
    });
}
