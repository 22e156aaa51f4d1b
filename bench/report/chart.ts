import type { Party } from '../measure/party.ts';
import type { Published } from './published.ts';
import { perCore, type SummaryLine, summaryOf } from './summary.ts';

const WIDTH = 760;
const LABELS_WIDTH = 300;
const RIGHT = 30;
const TOP = 62;
const LINE = 24;
const DECADES = [1, 10, 100, 1000, 10_000, 100_000];

type Mark = (x: number, y: number) => string;

/** Each party has a shape as well as a color, so that the chart needs no colors. */
const MARKS: Readonly<Record<Exclude<Party, 'keywright-embedded'>, Mark>> = {
  keywright: (x, y) => `<circle class="keywright" cx="${x}" cy="${y}" r="5"/>`,
  'oidc-provider': (x, y) =>
    `<rect class="oidc-provider" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`,
  'better-auth': (x, y) =>
    `<path class="better-auth" d="M${x} ${y - 5.5}l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`,
  keycloak: (x, y) => `<path class="keycloak" d="M${x} ${y - 5}l5.5 9.5h-11z"/>`,
};

const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.axis { font-size: 11px; fill: #59636e }
line { stroke: #d1d9e0 }
.keywright { fill: #0757ae } .oidc-provider { fill: #9a5b00 } .better-auth { fill: #59636e } .keycloak { fill: #8a2a6b }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .axis { fill: #9198a1 } line { stroke: #3d444d }
.keywright { fill: #6cb2ff } .oidc-provider { fill: #f0b13c } .better-auth { fill: #b1bac4 } .keycloak { fill: #e08cc4 }
}`;

/** Requests per second and core of each party, as dots on a logarithmic scale. */
export function chartOf(published: Published): string {
  const lines = summaryOf(published);
  const height = TOP + lines.length * LINE + 12;
  const parties = Object.keys(MARKS).filter((party) =>
    lines.some(({ record, peers }) => [record, ...peers].some((found) => found.party === party)),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`,
    '<title id="title">Requests per second and core, of Keywright and of its peers</title>',
    `<style>${STYLE}\n</style>`,
    ...parties.map((party, index) => legendOf(party, index)),
    ...DECADES.map((value) => gridOf(value, height)),
    ...lines.map((line, index) => lineOf(line, TOP + (index + 0.5) * LINE)),
    '</svg>\n',
  ].join('\n');
}

function lineOf({ request, record, peers }: SummaryLine, y: number): string {
  const name = request.replaceAll('`', '');
  const label = `<text x="${LABELS_WIDTH - 12}" y="${y + 4}" text-anchor="end">${name}</text>`;
  const marks = [...peers, record].map((found) => markOf(found.party, xOf(perCore(found)), y));
  return `${label}${marks.join('')}`;
}

function legendOf(party: string, index: number): string {
  const x = LABELS_WIDTH + 8 + index * 118;
  return `${markOf(party, x, 16)}<text x="${x + 12}" y="20">${party === 'keywright' ? 'Keywright' : party}</text>`;
}

function gridOf(value: number, height: number): string {
  const x = xOf(value);
  const label = `<text class="axis" x="${x}" y="${TOP - 12}" text-anchor="middle">${value.toLocaleString('en-US')}</text>`;
  return `<line x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${height - 8}"/>${label}`;
}

function markOf(party: string, x: number, y: number): string {
  const [, mark] = Object.entries(MARKS).find(([name]) => name === party) ?? [];
  return mark ? mark(x, y) : '';
}

function xOf(value: number): number {
  const [first = 1] = DECADES;
  const decades = Math.log10(value / first) / (DECADES.length - 1);
  return Math.round(LABELS_WIDTH + decades * (WIDTH - LABELS_WIDTH - RIGHT));
}
