import { type Found, requireBounded, type Reader } from './source.ts';

const QUOTE = '"';
/** Spreadsheets use semicolons in many locales. */
const SEPARATORS = [',', ';', '\t'];

/** Reads the rows of a CSV file (RFC 4180) as records, with the names from its first row. Empty fields are omitted. */
export function createCsvReader(): Reader {
  let names: readonly string[] | undefined;
  let at = 0;
  const read = (row: readonly string[]): Found[] => {
    at += 1;
    if (names === undefined) {
      names = row;
      return [];
    }
    if (row.length === 1 && row[0] === '') return [];
    const fields = row.map((value, column) => [names?.[column] ?? '', value] as const);
    return [{ at, record: Object.fromEntries(fields.filter(([, value]) => value !== '')) }];
  };
  const rows = createRowReader();
  return {
    push: (piece) => rows.push(piece).flatMap(read),
    end: () => rows.end().flatMap(read),
  };
}

/** Returns complete rows, and buffers an incomplete row until the rest of it is read. */
function createRowReader() {
  let rest = '';
  let separator: string | undefined;
  const take = (isEnd: boolean): string[][] => {
    separator ??= separatorOf(rest, isEnd);
    if (separator === undefined) return [];
    const { rows, next } = rowsOf(rest, separator, isEnd);
    rest = rest.slice(next);
    return rows;
  };
  return {
    push(piece: string): string[][] {
      rest += piece;
      const rows = take(false);
      requireBounded(rest);
      return rows;
    },
    end: () => take(true),
  };
}

/** Detects the separator from the first row, after that row is complete. */
function separatorOf(text: string, isEnd: boolean): string | undefined {
  const end = text.indexOf('\n');
  if (end < 0 && !isEnd) return undefined;
  const first = end < 0 ? text : text.slice(0, end);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.toSorted((separator, other) => count(other) - count(separator))[0];
}

interface Rows {
  readonly rows: string[][];
  /** The start of the first incomplete row. */
  readonly next: number;
}

function rowsOf(text: string, separator: string, isEnd: boolean): Rows {
  const rows: string[][] = [];
  let row: string[] = [];
  let start = 0;
  let at = 0;
  // A separator at the end of the file is followed by an empty field.
  while (at < text.length || start < at) {
    if (at === text.length && !isEnd) break;
    const { value, next } = text[at] === QUOTE ? quoted(text, at) : bare(text, at, separator);
    // A quote or a line can continue in the next piece.
    if (!isEnd && next >= text.length - 1) break;
    row.push(value);
    at = next + 1;
    if (text[next] === separator) continue;
    if (text.startsWith('\r\n', next)) at = next + 2;
    rows.push(row);
    [row, start] = [[], at];
  }
  return { rows, next: start };
}

interface Field {
  readonly value: string;
  /** The position after the field. */
  readonly next: number;
}

function quoted(text: string, start: number): Field {
  let value = '';
  let at = start + 1;
  for (;;) {
    const end = text.indexOf(QUOTE, at);
    if (end < 0) return { value: value + text.slice(at), next: text.length };
    value += text.slice(at, end);
    if (text[end + 1] !== QUOTE) return { value, next: end + 1 };
    // A doubled quote is one.
    value += QUOTE;
    at = end + 2;
  }
}

function bare(text: string, start: number, separator: string): Field {
  let at = start;
  while (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') {
    at += 1;
  }
  return { value: text.slice(start, at), next: at };
}
