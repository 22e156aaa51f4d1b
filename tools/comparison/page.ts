// The tables of docs/comparison.md and of the README, from docs/comparison.json.

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Cell, type Comparison, type OwnCell, readComparison, type Row } from './data.ts';

const MARKS = ['<!-- comparison -->', '<!-- end of comparison -->'] as const;
const SYMBOLS = { yes: '✓', no: '–', partly: '(✓)', text: '' };

/** The pages with their tables, as `npm run generate` writes them. */
export function comparisonFiles(root: string): (readonly [string, string])[] {
  const data = readComparison(root);
  return [
    ['docs/comparison.md', replaced(root, 'docs/comparison.md', fullTables(data))],
    ['README.md', replaced(root, 'README.md', shortTable(data))],
  ];
}

function replaced(root: string, file: string, text: string): string {
  const page = readFileSync(join(root, file), 'utf8');
  const [start, end] = MARKS.map((mark) => page.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error(`${file} has no ${MARKS.join(' … ')}.`);
  return `${page.slice(0, start + MARKS[0].length)}\n\n${text}\n\n${page.slice(end)}`;
}

function shortTable({ products, rows }: Comparison): string {
  const lines = rows.flatMap(({ readme, keywright, others }) =>
    readme === undefined
      ? []
      : [[readme, symbolOf(keywright), ...products.map(({ id }) => symbolOf(others[id]))]],
  );
  return aligned([['', 'Keywright', ...products.map(({ name }) => name)], ...lines]);
}

/** A table for each group, with its sources as footnotes. */
function fullTables({ checked, products, rows }: Comparison): string {
  const sources: string[] = [];
  const numberOf = (source: string) => {
    if (!sources.includes(source)) sources.push(source);
    return sources.indexOf(source) + 1;
  };
  const detailed = (cell: Cell | undefined) =>
    cell ? `${describe(cell)}[^${numberOf(cell.source)}]` : '?';
  const groups = Map.groupBy(rows, ({ group }) => group);
  const parts = [...groups].map(([group, members]) => {
    const lines = members.map(({ title, keywright, others }: Row) => [
      title,
      describeOwn(keywright),
      ...products.map(({ id }) => detailed(others[id])),
    ]);
    return `### ${group}\n\n${table([['', 'Keywright', ...products.map(({ name }) => name)], ...lines])}`;
  });
  const notes = sources.map((url, index) => `[^${index + 1}]: [${labelOf(url)}](${url})`);
  return [`Last checked: ${checked}.`, ...parts, notes.join('\n\n')].join('\n\n');
}

/** The host or GitHub repository of a source, and its file or page. */
function labelOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const isRepository = hostname === 'github.com' || hostname === 'raw.githubusercontent.com';
  const site = isRepository ? segments.slice(0, 2).join('/') : hostname;
  const rest = isRepository ? segments.slice(2) : segments;
  return [site, ...rest.slice(-1)].join(': ');
}

function symbolOf(cell: Pick<Cell, 'value'> | undefined): string {
  return cell ? SYMBOLS[cell.value] : '?';
}

function describe({ value, note }: Pick<Cell, 'value' | 'note'>): string {
  return [SYMBOLS[value], note].filter((part) => part !== undefined && part !== '').join(' ');
}

/** The symbol, and the note or the word "guide" with a link to the guide. */
function describeOwn(cell: OwnCell): string {
  if (cell.value === 'no') return describe(cell);
  const { value, note = 'guide', guide } = cell;
  const page = relative('docs', guide);
  return describe({ value, note: `[${note}](${page})` });
}

function table(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...lines] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...lines.map(line)].join('\n');
}

/** As oxfmt formats a short table: columns have the width of their longest cell. */
function aligned(rows: readonly (readonly string[])[]): string {
  const [headings = []] = rows;
  const widths = headings.map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return table(padded).replace(
    /^\| -.*$/m,
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
  );
}
