import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BARS } from './bars.ts';
import type { Published } from './published.ts';
import type { RowRecord } from './record.ts';
import { describeRatio } from './verdict.ts';

const PAGE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const OXFMT = fileURLToPath(new URL('../../node_modules/.bin/oxfmt', import.meta.url));

/** Regenerates the tables of the page and keeps the text between them. */
export function writePage(published: Published): void {
  published.write();
  let page = readFileSync(PAGE, 'utf8');
  page = replaced(page, 'bars', barsTable(published));
  page = replaced(page, 'rows', rowsTable(published.costs()));
  writeFileSync(PAGE, page);
  execFileSync(OXFMT, [PAGE]);
}

/** @throws when the page lacks the marks */
function replaced(page: string, part: string, text: string): string {
  const [start, end] = [`<!-- bench: ${part} -->`, `<!-- end of ${part} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no ${start} … ${end}.`);
  return `${page.slice(0, from + start.length)}\n\n${text}\n\n${page.slice(to)}`;
}

function barsTable(published: Published): string {
  const headings = [
    'Operation',
    'Bar',
    'Measured',
    'To the floor',
    'Best peer',
    'Met',
    'Peers',
    'Row',
  ];
  const lines = BARS.map(({ operation, bar, row, read }) => {
    const found = read(published);
    const met = found?.isMet === undefined ? '' : found.isMet ? 'yes' : '**no**';
    return [
      operation,
      bar,
      found?.measured ?? 'not measured yet',
      describeRatio(found?.ratios?.toFloor),
      describeRatio(found?.ratios?.toPeer),
      met,
      found?.peers?.join('; ') ?? '',
      `\`${row}\``,
    ];
  });
  return markdown([headings, ...lines]);
}

function rowsTable(costs: readonly RowRecord[]): string {
  const headings = [
    'Row',
    'Whose',
    'Server µs',
    'Database µs',
    'p50 ms',
    'p99 ms',
    'Per s',
    'RSS MB',
  ];
  const conditions = ['Spread', 'Others', 'Floor', 'Commit', 'Day'];
  const lines = costs.map((cost) => [
    `\`${cost.row}\``,
    cost.party,
    number(cost.server_micros),
    cost.database_micros === null ? 'in server' : number(cost.database_micros),
    String(cost.p50_ms),
    String(cost.p99_ms),
    number(cost.per_second),
    cost.resident_mb.toFixed(0),
    `${(cost.spread * 100).toFixed(0)} %`,
    cost.others_cores.toFixed(2),
    `${cost.floor.name} ${cost.floor.micros} µs`,
    cost.commit,
    cost.at.slice(0, 10),
  ]);
  return markdown([[...headings, ...conditions], ...lines]);
}

function markdown(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...lines] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...lines.map(line)].join('\n');
}

function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 1000 ? 1 : 0 });
}
