/**
 * What calls a function: a statement on the read or write connections or alone on a connection, a statement that calls
 * it for each item of a batch, a transaction, or only SQL.
 */
const PLACES = [
  'reading',
  'writing',
  'alone',
  'batched reading',
  'batched writing',
  'transaction',
  'none',
] as const;

/** Facts in a function's header comment that the catalog lacks; `server/sql/README.md` explains the lines. */
export interface Header {
  readonly caller: (typeof PLACES)[number];
  /** The columns that can be null, and the arguments whose value or elements can be null. */
  readonly nullable: ReadonlySet<string>;
  /** Columns that are not null if another column has one of these values or, without values, is not null. */
  readonly when: Condition | undefined;
  /** TypeScript types, by column or argument name. */
  readonly types: ReadonlyMap<string, string>;
  /** The tables that columns take their types from, by column name. */
  readonly tables: ReadonlyMap<string, string>;
}

interface Condition {
  readonly column: string;
  readonly values: readonly string[];
  readonly present: readonly string[];
}

/** @throws when the file does not state who calls its function */
export function headerOf(name: string, text: string): Header {
  const lines = text.slice(0, text.indexOf('\nCREATE ')).split('\n');
  const said = (line: RegExp) =>
    lines.flatMap((headerLine) => line.exec(headerLine)?.slice(1) ?? []);
  const [place] = said(/^-- caller: ([\w ]+)$/);
  const caller = PLACES.find((candidate) => candidate === place);
  if (!caller) {
    throw new Error(`Say in ${name}.sql who calls it: -- caller: ${PLACES.join(' | ')}`);
  }
  const types = lines.flatMap((line) => {
    const [, of = '', type] = /^-- type (\w+): (.+)$/.exec(line) ?? [];
    return type === undefined ? [] : [[of, type] as const];
  });
  const tables = lines.flatMap((line) => {
    const [, table = '', columns] = /^-- of (\w+): (.+)$/.exec(line) ?? [];
    return columns === undefined ? [] : listOf(columns).map((column) => [column, table] as const);
  });
  const [column, values = '', present = ''] = said(/^-- when (\w+)( '.+')?: (.+)$/);
  return {
    caller,
    nullable: new Set(said(/^-- null: (.+)$/).flatMap(listOf)),
    when:
      column === undefined
        ? undefined
        : { column, values: alternatives(values), present: listOf(present) },
    types: new Map(types),
    tables: new Map(tables),
  };
}

function listOf(text: string): string[] {
  return text.split(', ');
}

/** Splits a TypeScript union into its members. */
export function alternatives(type: string): string[] {
  return type.split('|').flatMap((member) => member.trim() || []);
}
