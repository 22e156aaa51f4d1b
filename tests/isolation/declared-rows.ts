import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The column types of one kind of rows. */
type Kind = readonly (readonly [column: string, type: string])[];

const SQL = new URL('../../server/sql/', import.meta.url);

/** The kinds of rows of each function, by function name, as declared by its generated caller. */
const KINDS: ReadonlyMap<string, readonly Kind[]> = new Map(
  readdirSync(SQL, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [basename(path, '.ts'), kindsOf(readFileSync(new URL(path, SQL), 'utf8'))]),
);

function kindsOf(text: string): Kind[] {
  const [declared = '', caller = ''] = text.split('\nexport const ');
  const answer = /\{ readonly answer: (.+) \}/.exec(caller)?.[1];
  if (answer !== undefined) return [[['answer', answer]]];
  return [...declared.matchAll(/\{\n([^}]*)\n\}/g)].map(([, fields = '']) =>
    [...fields.matchAll(/readonly (\w+): (.+);/g)].map(
      ([, column = '', type = '']) => [column, type] as const,
    ),
  );
}

/**
 * Fails if a function returns null in a column that its caller declares non-null. Functions without a caller, and
 * nested values, are not checked.
 */
export function requireDeclaredTypes(call: string, rows: readonly Record<string, unknown>[]): void {
  const kinds = KINDS.get(/^(kw_\w+)\(.*\)$/.exec(call)?.[1] ?? '') ?? [];
  if (kinds.length === 0) return;
  for (const row of rows) {
    assert.ok(
      kinds.some((kind) => kind.every(([column, type]) => isOf(type, valueOf(row, column)))),
      `${call} answers ${JSON.stringify(row)}: say what may be null in its file in server/sql`,
    );
  }
}

/** The column name of a single value is chosen by its caller. */
function valueOf(row: Record<string, unknown>, column: string): unknown {
  return column === 'answer' ? Object.values(row)[0] : row[column];
}

function isOf(type: string, value: unknown): boolean {
  const types = type.split(' | ');
  if (value === null || value === undefined) return types.includes('null');
  // An object, an array or a tuple, whose contents are not checked.
  if (/[{([]/.test(type)) return true;
  const literals = types.filter((member) => member.startsWith("'"));
  if (literals.length > 0) return typeof value === 'string' && literals.includes(`'${value}'`);
  return types.join() !== 'null';
}
