import { type Kysely, sql } from 'kysely';
import type { DB } from '../src/platform/db/schema.ts';

/** An argument of a function, or a column of its result. */
export interface Field {
  readonly name: string;
  /** In PostgreSQL notation: `text`, `bigint[]`, `timestamp with time zone`. */
  readonly type: string;
  /** Whether its table allows null. The catalog does not record this for fields outside of tables. */
  readonly isNullable: boolean;
  /** The TypeScript type of a table column, if it is more precise than the PostgreSQL type. */
  readonly stated?: string;
}

export interface DatabaseFunction {
  readonly name: string;
  readonly parameters: readonly Field[];
  /** The columns of its rows: a single `answer` for a function that returns a value, none for one that returns void. */
  readonly columns: readonly Field[];
  /** The table whose row type it returns. */
  readonly table: string | undefined;
  /** Whether it is called in FROM, like a table; otherwise it is called as an expression. */
  readonly isTable: boolean;
  /** The number of rows that the planner expects: 1000 for a function that returns rows, unless it states `ROWS`. */
  readonly expectedRows: number;
}

interface CatalogRow {
  readonly name: string;
  readonly result: string;
  readonly is_set: boolean;
  readonly expected_rows: number;
  readonly argument_names: readonly string[] | null;
  readonly argument_types: readonly string[];
  /** `i` for an argument, `t` for a column. Null if all are arguments. */
  readonly argument_modes: readonly string[] | null;
  readonly table: string | null;
  readonly attributes: readonly Field[] | null;
}

/** Lists all database functions except trigger functions, by name. @param types of columns, by `table.column` */
export async function listFunctions(
  kysely: Kysely<DB>,
  types: ReadonlyMap<string, string>,
): Promise<DatabaseFunction[]> {
  const { rows } = await sql<CatalogRow>`
    SELECT p.proname AS name, format_type(p.prorettype, NULL) AS result, p.proretset AS is_set, p.prorows AS expected_rows,
           p.proargnames AS argument_names, p.proargmodes::text[] AS argument_modes,
           ARRAY(SELECT format_type(type, NULL)
                   FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS listed (type, n)
                  ORDER BY n) AS argument_types,
           (SELECT relname FROM pg_class WHERE oid = t.typrelid) AS table,
           (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, NULL),
                                              'isNullable', NOT attnotnull) ORDER BY attnum)
              FROM pg_attribute
             WHERE attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped) AS attributes
      FROM pg_proc p
      JOIN pg_type t ON t.oid = p.prorettype
     WHERE p.pronamespace = 'public'::regnamespace AND t.typname <> 'trigger'
     ORDER BY p.proname`.execute(kysely);
  return rows.map((row) => functionOf(row, types));
}

function functionOf(row: CatalogRow, types: ReadonlyMap<string, string>): DatabaseFunction {
  const fields = row.argument_types.map((type, index): Field & { readonly mode: string } => ({
    name: row.argument_names?.[index] ?? '',
    type,
    isNullable: false,
    mode: row.argument_modes?.[index] ?? 'i',
  }));
  const columns = fields.filter(({ mode }) => mode === 't');
  return {
    name: row.name,
    parameters: fields.filter(({ mode }) => mode === 'i'),
    columns: attributesOf(row, types) ?? (columns.length > 0 ? columns : answerOf(row)),
    table: row.table ?? undefined,
    isTable: row.is_set || row.attributes !== null,
    expectedRows: row.expected_rows,
  };
}

function attributesOf(
  { table, attributes }: CatalogRow,
  types: ReadonlyMap<string, string>,
): Field[] | undefined {
  return attributes?.map((attribute) => {
    const stated = types.get(`${table}.${attribute.name}`);
    return stated === undefined ? attribute : { ...attribute, stated };
  });
}

function answerOf({ result }: CatalogRow): Field[] {
  return result === 'void' ? [] : [{ name: 'answer', type: result, isNullable: false }];
}
