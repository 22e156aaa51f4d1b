import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../src/platform/db/database.ts';
import { idTypeOf } from './ids.ts';

const MIGRATIONS = new URL('../migrations/', import.meta.url);

/**
 * Returns types that are more precise than PostgreSQL's, by `table.column`: ID types come from column names, text
 * types from the values that a constraint allows, and all others from a `-- type: <type>` comment above the column in
 * its migration.
 */
export async function columnTypes(database: Database): Promise<ReadonlyMap<string, string>> {
  const tables = await database.kysely.introspection.getTables();
  const ids = tables.flatMap((table) =>
    table.columns.flatMap(({ name }): (readonly [string, string])[] => {
      const type = idTypeOf(table.name, name);
      return type === undefined ? [] : [[`${table.name}.${name}`, type]];
    }),
  );
  const stated = readdirSync(MIGRATIONS)
    .toSorted()
    .flatMap((file) => statedTypes(readFileSync(new URL(file, MIGRATIONS), 'utf8')));
  return new Map([...ids, ...(await checkedTypes(database)), ...stated]);
}

/** Returns the types of columns whose values a constraint lists. */
async function checkedTypes({ kysely }: Database): Promise<(readonly [string, string])[]> {
  const { rows } = await sql<{ path: string; definition: string }>`
    SELECT c.relname || '.' || a.attname AS path, pg_get_constraintdef(k.oid) AS definition
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND ARRAY[a.attnum] = k.conkey
     WHERE k.contype = 'c' AND c.relnamespace = current_schema()::regnamespace
     ORDER BY 1`.execute(kysely);
  return rows.flatMap(({ path, definition }): (readonly [string, string])[] => {
    const [, list] = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/.exec(definition) ?? [];
    return list === undefined
      ? []
      : [[path, list.replaceAll('::text', '').replaceAll(', ', ' | ')]];
  });
}

function statedTypes(text: string): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  let [table, type] = ['', ''];
  for (const line of text.split('\n')) {
    [, table = table] = /^(?:CREATE|ALTER) TABLE (\w+)/.exec(line) ?? [];
    const [, stated] = /^ *-- type: (.+)$/.exec(line) ?? [];
    const [, column] = /^ *(?:ALTER TABLE \w+ )?(?:ADD COLUMN )?(\w+) /.exec(line) ?? [];
    if (stated === undefined && column !== undefined && type !== '')
      found.push([`${table}.${column}`, type]);
    type = stated ?? '';
  }
  return found;
}
