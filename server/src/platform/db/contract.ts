import { type Kysely, sql } from 'kysely';
import type { DB } from './schema.ts';

/** A column whose value has to be named when a row is written. */
const REQUIRED = ' required';

/**
 * What nodes use of a schema, a line each: columns with their types, and functions with their arguments and results. Those
 * of a fresh database are in `server/sql/contract.txt`.
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
 * What keeps a version from working on a schema that is not its own.
 * @param contract what that version uses
 * @param catalog what there is
 */
export function findConflicts(contract: readonly string[], catalog: readonly string[]): string[] {
  const used = new Set(contract);
  const tables = new Set(contract.flatMap((line) => tableOf(line) ?? []));
  const there = new Set(catalog);
  const gone = contract.filter((line) => !there.has(line));
  // A row that this version writes would lack the column.
  const required = catalog.filter(
    (line) => line.endsWith(REQUIRED) && !used.has(line) && tables.has(tableOf(line) ?? ''),
  );
  return [...gone, ...required];
}

function tableOf(line: string): string | undefined {
  return /^column (\w+)\./.exec(line)?.[1];
}
