import { type Kysely, sql } from 'kysely';
import type { DB } from './schema.ts';

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
