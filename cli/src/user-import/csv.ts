import type { Found } from './source.ts';

const QUOTE = '"';

/** The rows of a CSV file (RFC 4180), as records by the names in its first row. Empty fields are left out. */
export function* readCsv(text: string): Generator<Found> {
  const [names = [], ...rows] = rowsOf(text);
  for (const [index, row] of rows.entries()) {
    if (row.length === 1 && row[0] === '') continue;
    const fields = row.map((value, column) => [names[column] ?? '', value] as const);
    const record = Object.fromEntries(fields.filter(([, value]) => value !== ''));
    yield { at: index + 2, record };
  }
}

function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length;) {
    const { value, next } = text[at] === QUOTE ? quoted(text, at) : bare(text, at);
    row.push(value);
    if (text[next] === ',') {
      at = next + 1;
      continue;
    }
    rows.push(row);
    row = [];
    at = text.startsWith('\r\n', next) ? next + 2 : next + 1;
  }
  return rows;
}

interface Field {
  readonly value: string;
  /** Where it ends. */
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

function bare(text: string, start: number): Field {
  let at = start;
  while (at < text.length && !',\r\n'.includes(text[at] ?? '')) at += 1;
  return { value: text.slice(start, at), next: at };
}
