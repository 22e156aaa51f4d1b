/** Where a caller runs its function: on the connections for what only reads or for what writes, or on one by itself. */
const PLACES = ['reading', 'writing', 'alone', 'transaction', 'none'] as const;

/** What the comment above a function says that the catalogue cannot; `server/sql/README.md` explains the lines. */
export interface Header {
  readonly caller: (typeof PLACES)[number];
  /** The columns that may be null, and the arguments of which a value, or an element, may be. */
  readonly nullable: ReadonlySet<string>;
  /** Columns that are not null where another one has one of these values, or, without any, is not null. */
  readonly when: Condition | undefined;
  /** Types of TypeScript, by the names of columns and arguments. */
  readonly types: ReadonlyMap<string, string>;
  /** The tables of columns that have the type of their table's, by the names of these columns. */
  readonly tables: ReadonlyMap<string, string>;
}

interface Condition {
  readonly column: string;
  readonly values: readonly string[];
  readonly present: readonly string[];
}

/** @throws when the text of a file does not say who calls its function */
export function headerOf(name: string, text: string): Header {
  const lines = text.slice(0, text.indexOf('\nCREATE ')).split('\n');
  const said = (line: RegExp) => lines.flatMap((one) => line.exec(one)?.slice(1) ?? []);
  const [place] = said(/^-- caller: (\w+)$/);
  const caller = PLACES.find((one) => one === place);
  if (!caller) {
    throw new Error(`Say in ${name}.sql who calls it: -- caller: ${PLACES.join(' | ')}`);
  }
  const types = lines.flatMap((one) => {
    const [, of = '', type] = /^-- type (\w+): (.+)$/.exec(one) ?? [];
    return type === undefined ? [] : [[of, type] as const];
  });
  const tables = lines.flatMap((one) => {
    const [, table = '', columns] = /^-- of (\w+): (.+)$/.exec(one) ?? [];
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

/** The types that a type of TypeScript is one of. */
export function alternatives(type: string): string[] {
  return type.split('|').flatMap((one) => one.trim() || []);
}
