import type { Party } from '../measure/party.ts';
import type { RowRecord } from './record.ts';

const WIDTH = 860;
const LEFT = 190;
const RIGHT = 30;
const TOP = 46;
const LINE = 26;
const BOTTOM = 34;
const COLOURS: Readonly<Record<Party, string>> = {
  keywright: '#1f6feb',
  'keywright-embedded': '#8250df',
  'better-auth': '#bf8700',
  'oidc-provider': '#cf222e',
};

interface Mark {
  readonly party: Party;
  readonly from: number;
  readonly to: number;
}

/** CPU time of a request, server and database together, on a logarithmic axis. */
export function drawCosts(costs: readonly RowRecord[]): string {
  const total = (one: RowRecord) => one.server_micros + (one.database_micros ?? 0);
  const marks = (one: RowRecord) => ({ party: one.party, from: total(one), to: total(one) });
  const title = 'CPU µs of a request, server and database together; upright: the bar';
  return draw(title, costs, marks, barMicros);
}

/** From p50 to p99, with every connection busy. */
export function drawLatencies(costs: readonly RowRecord[]): string {
  const marks = (one: RowRecord) => ({ party: one.party, from: one.p50_ms, to: one.p99_ms });
  return draw('Latency under full load, from p50 to p99, ms', costs, marks);
}

/** What a row is held to, server and database together; nothing where it is held to something else. */
function barMicros({ bar }: RowRecord): number | undefined {
  if (!bar.endsWith('µs')) return undefined;
  return bar.split('+').reduce((sum, part) => sum + Number.parseFloat(part), 0);
}

function draw(
  title: string,
  costs: readonly RowRecord[],
  markOf: (one: RowRecord) => Mark,
  barOf: (one: RowRecord) => number | undefined = () => undefined,
): string {
  const rows = [...new Set(costs.map((one) => one.row))];
  const all = costs.map(markOf);
  const low = 10 ** Math.floor(Math.log10(Math.min(1, ...all.map((mark) => mark.from)) || 0.1));
  const least = Math.max(low, Math.min(...all.map((mark) => mark.from)) / 2);
  const most = Math.max(...all.map((mark) => mark.to), least * 10) * 1.3;
  const x = (value: number) =>
    LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(value / least)) / Math.log(most / least);
  const height = TOP + rows.length * LINE + BOTTOM;
  const lines = rows.flatMap((row, index) => {
    const y = TOP + index * LINE + LINE / 2;
    const those = costs.filter((one) => one.row === row);
    const marked = those.map((one) => drawMark(markOf(one), x, y));
    const bar = those.map(barOf).find((value) => value !== undefined);
    return [
      text(LEFT - 10, y + 4, row, 'end'),
      `<line x1="${LEFT}" y1="${y}" x2="${WIDTH - RIGHT}" y2="${y}" stroke="#d0d7de" stroke-width="0.5"/>`,
      bar === undefined ? '' : drawBar(x(bar), y),
      marked.join(''),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(LEFT, 16, title, 'start'),
    ...legend(costs),
    ...ticks(least, most).map((value) => drawTick(value, x(value), height)),
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function drawMark({ party, from, to }: Mark, x: (value: number) => number, y: number): string {
  const colour = COLOURS[party];
  if (from === to)
    return `<circle cx="${at(x(from))}" cy="${y}" r="5" fill="${colour}" fill-opacity="0.85"/>`;
  const [start, end] = [x(from), x(to)];
  return (
    `<line x1="${at(start)}" y1="${y}" x2="${at(end)}" y2="${y}" stroke="${colour}" stroke-width="5" stroke-opacity="0.6"/>` +
    `<circle cx="${at(start)}" cy="${y}" r="3.5" fill="${colour}"/>`
  );
}

function drawBar(x: number, y: number): string {
  return `<line x1="${at(x)}" y1="${y - 10}" x2="${at(x)}" y2="${y + 10}" stroke="#1f2328" stroke-width="2"/>`;
}

function legend(costs: readonly RowRecord[]): string[] {
  const parties = [...new Set(costs.map((one) => one.party))];
  return parties.flatMap((party, index) => {
    const left = LEFT + index * 150;
    return [
      `<circle cx="${left + 5}" cy="30" r="5" fill="${COLOURS[party]}"/>`,
      text(left + 15, 34, party, 'start'),
    ];
  });
}

/** Powers of ten, and their doubles and fives where there are few. */
function ticks(least: number, most: number): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power += 1) {
    found.push(...[1, 2, 5].map((one) => one * 10 ** power));
  }
  const inside = found.filter((value) => value >= least && value <= most);
  return inside.length > 12
    ? inside.filter((value) => Number.isInteger(Math.log10(value)))
    : inside;
}

function drawTick(value: number, x: number, height: number): string {
  const label = value >= 1 ? value.toLocaleString('en-US') : String(Number(value.toPrecision(1)));
  return (
    `<line x1="${at(x)}" y1="${TOP}" x2="${at(x)}" y2="${height - BOTTOM}" stroke="#d0d7de"/>` +
    text(x, height - BOTTOM + 18, label, 'middle')
  );
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}" fill="#1f2328">${content}</text>`;
}

function at(value: number): string {
  return value.toFixed(1);
}
