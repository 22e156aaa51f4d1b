import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BarLine, BARS, DETAILS, GROWTH, OTHERS, STARTS } from './bars.ts';
import { chartOf } from './chart.ts';
import type { Published } from './published.ts';
import type { RowRecord } from './record.ts';
import { describeRuns, describeVerdict, speedSentence, summaryTable } from './summary.ts';
import { describeRatio } from './verdict.ts';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const PAGE = `${DOCS}performance.md`;
const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const ROWS_PAGE = `${DOCS}performance/rows.md`;
const CHART = `${DOCS}performance/per-core.svg`;
const OXFMT = fileURLToPath(new URL('../../node_modules/.bin/oxfmt', import.meta.url));

/** Regenerates the tables and the chart, and keeps the text between the tables. */
export function writePage(published: Published): void {
  published.write();
  writeFileSync(CHART, chartOf(published));
  rewrite(PAGE, {
    requests: `${markdown(summaryTable(published))}\n\n${describeRuns(published)}`,
    growth: linesTable('Operation', GROWTH, published),
    others: linesTable('Metric', OTHERS, published),
    starts: startsTable(published),
  });
  rewrite(README, { speed: speedSentence(published) });
  rewrite(ROWS_PAGE, { bars: barsTable(published), rows: rowsTable(published.measured()) });
}

/** @param parts the texts between the marks, by name */
function rewrite(file: string, parts: Readonly<Record<string, string>>): void {
  let page = readFileSync(file, 'utf8');
  for (const [part, text] of Object.entries(parts)) page = replaced(page, part, text);
  writeFileSync(file, page);
  execFileSync(OXFMT, [file]);
}

/** @throws when the page lacks the marks */
function replaced(page: string, part: string, text: string): string {
  const [start, end] = [`<!-- bench: ${part} -->`, `<!-- end of ${part} -->`];
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no ${start} … ${end}.`);
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
  const lines = [...BARS, ...GROWTH, ...OTHERS, ...DETAILS, ...STARTS].map(
    ({ operation, bar, row, read }) => {
      const found = read(published);
      return [
        operation,
        bar,
        found?.measured ?? 'not measured yet',
        describeRatio(found?.ratios?.toFloor),
        describeRatio(found?.ratios?.toPeer),
        describeVerdict(found?.isMet),
        found?.peers?.join('; ') ?? '',
        `\`${row}\``,
      ];
    },
  );
  return markdown([headings, ...lines]);
}

function linesTable(heading: string, bars: readonly BarLine[], published: Published): string {
  const lines = bars.map(({ operation, bar, read }) => {
    const found = read(published);
    const measured = found?.measured ?? 'not measured yet';
    return [operation, measured, bar, describeVerdict(found?.isMet)];
  });
  return markdown([[heading, 'Measured', 'Bar', 'Met'], ...lines]);
}

function startsTable(published: Published): string {
  const lines = STARTS.map(({ operation, bar, read }) => {
    const found = read(published);
    const peers = found?.peers?.join('; ') ?? '';
    return [operation, found?.measured ?? '', peers, bar, describeVerdict(found?.isMet)];
  });
  return markdown([['Metric', 'Keywright', 'Others', 'Bar', 'Met'], ...lines]);
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
