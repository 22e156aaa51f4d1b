import type { DatabaseFunction, Field } from './catalog.ts';
import { alternatives, type Header } from './header.ts';
import { columnType } from './types.ts';

/** Returns the type of a function's rows, and its declaration if the type has a name. */
export function rowOf(
  fn: DatabaseFunction,
  header: Header,
): { readonly type: string; readonly declaration: string } {
  const { columns } = fn;
  const fieldOf = fields(fn, header);
  if (columns.length === 0) return { type: 'unknown', declaration: '' };
  const [only] = columns;
  if (only?.name === 'answer') {
    return { type: `{ readonly answer: ${fieldOf(only)} }`, declaration: '' };
  }
  const type = `${fn.name.slice(3).replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Row`;
  const variants = variantsOf(fn, header).map(({ kinds, stated }) => {
    const decisive = kinds.length > 1 ? header.when?.column : undefined;
    const lines = columns
      .filter(({ name }) => name !== decisive)
      .map((column) => `  readonly ${column.name}: ${fieldOf(column, stated)};\n`);
    const row = `{\n${lines.join('')}}`;
    return decisive === undefined ? row : `RowFor<'${decisive}', ${kinds.join(' | ')}, ${row}>`;
  });
  const declaration =
    variants.length === 1
      ? `export interface ${type} ${variants[0]}\n\n`
      : `export type ${type} = ${variants.join(' | ')};\n\n`;
  return { type, declaration };
}

/** Types of columns in a variant of the rows, by column name. */
type Stated = ReadonlyMap<string, string>;

function fields(fn: DatabaseFunction, header: Header) {
  const mayBeNull = new Set([...header.nullable, ...(header.when?.present ?? [])]);
  return (column: Field, stated: Stated = new Map()): string => {
    const type = columnType(fn, column, header);
    const isNullable = column.isNullable || mayBeNull.has(column.name);
    return stated.get(column.name) ?? (isNullable ? `${type} | null` : type);
  };
}

interface Variant {
  /** The values of the decisive column. */
  readonly kinds: readonly string[];
  readonly stated: Stated;
}

/** Splits the rows into those that meet the header's condition and the others. */
function variantsOf(fn: DatabaseFunction, header: Header): readonly Variant[] {
  const { when, types } = header;
  const decisive = fn.columns.find(({ name }) => name === when?.column);
  if (!when || !decisive) return [{ kinds: [], stated: new Map() }];
  const nonNullTypes = fn.columns
    .filter(({ name }) => when.present.includes(name))
    .map((column): [string, string] => [column.name, columnType(fn, column, header)]);
  const type = types.get(when.column) ?? columnType(fn, decisive, header);
  const all = when.values.length > 0 ? alternatives(type) : [type, 'null'];
  const isMet = (kind: string) =>
    when.values.length > 0 ? when.values.includes(kind) : kind === type;
  return Array.from(Map.groupBy(all, isMet), ([holds, kinds]) => ({
    kinds,
    stated: new Map([...(holds ? nonNullTypes : []), [when.column, kinds.join(' | ')]]),
  }));
}
