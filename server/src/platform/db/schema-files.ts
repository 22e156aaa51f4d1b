import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { VERSION } from '../version.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const FUNCTIONS = new URL('../../../sql/', import.meta.url);
const CONTRACT = new URL('contract.txt', FUNCTIONS);

/**
 * What `:nested_loops_only` stands for in the head of a function that is called all the time: it is planned once, and looks
 * each row up by its key, whatever the planner knew of the tables at that moment. Its joins stay in their order too, which
 * row-level security needs where a statement is for many tenants (server/sql/README.md).
 */
const NESTED_LOOPS_ONLY = `SET plan_cache_mode = force_generic_plan
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_material = off SET enable_memoize = off`;

export interface SchemaFile {
  /** Of the file, without its ending: `0001_tenants`, `kw_enter`, `sessions.triggers`. */
  readonly name: string;
  /** As it is applied. */
  readonly text: string;
  /** SHA-256, hexadecimal. */
  readonly checksum: string;
}

export interface SchemaFiles {
  /** In the order that they are applied in. */
  readonly migrations: readonly SchemaFile[];
  /** One for each function, and one for the triggers of each table that has some. */
  readonly functions: readonly SchemaFile[];
  /** What this version uses of the schema, as `readCatalog` tells it. */
  readonly contract: readonly string[];
  /** A checksum of all of it and of the service's version: a release that goes back to earlier functions is a new one. */
  readonly version: string;
}

export function readSchemaFiles(): SchemaFiles {
  const areas = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' });
  const migrations = read(MIGRATIONS, readdirSync(MIGRATIONS));
  const functions = read(FUNCTIONS, areas);
  const contract = readFileSync(CONTRACT, 'utf8');
  const all = [...migrations, ...functions].map(({ name, checksum }) => `${name} ${checksum}`);
  return {
    migrations,
    functions,
    contract: contract.split('\n').filter(Boolean),
    version: checksumOf([VERSION, contract, ...all].join('\n')),
  };
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function read(folder: URL, paths: readonly string[]): SchemaFile[] {
  return paths
    .filter((path) => path.endsWith('.sql'))
    .toSorted()
    .map((path) => {
      const written = readFileSync(new URL(path, folder), 'utf8');
      const text = written.replace(':nested_loops_only', NESTED_LOOPS_ONLY);
      return {
        name: basename(path, '.sql'),
        text,
        checksum: checksumOf(text),
      };
    });
}
