import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const FUNCTIONS = new URL('../../../sql/', import.meta.url);

export interface SchemaFile {
  /** Of the file, without its ending: `0001_tenants`, `kw_enter`, `sessions.triggers`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256, hexadecimal. */
  readonly checksum: string;
}

export interface SchemaFiles {
  /** In the order that they are applied in. */
  readonly migrations: readonly SchemaFile[];
  /** One for each function, and one for the triggers of each table that has some. */
  readonly functions: readonly SchemaFile[];
}

export function readSchemaFiles(): SchemaFiles {
  const areas = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' });
  return {
    migrations: read(MIGRATIONS, readdirSync(MIGRATIONS)),
    functions: read(FUNCTIONS, areas),
  };
}

function read(folder: URL, paths: readonly string[]): SchemaFile[] {
  return paths
    .filter((path) => path.endsWith('.sql'))
    .toSorted()
    .map((path) => {
      const text = readFileSync(new URL(path, folder), 'utf8');
      return {
        name: basename(path, '.sql'),
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    });
}
