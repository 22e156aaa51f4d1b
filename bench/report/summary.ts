import { barOf } from '../rows/all.ts';
import { isStandardPeer } from '../measure/party.ts';
import type { Published } from './published.ts';
import type { RowRecord } from './record.ts';
import { costOf, describeBar, describeRatio, judge, peersOf, ratiosOf } from './verdict.ts';

/** The requests of the first table and the chart, and their rows, from the cheapest to the dearest. */
const REQUESTS = [
  ['Key set', 'key-set'],
  ['Discovery', 'oauth-discovery'],
  ['`GET /auth/methods`', 'login-methods'],
  ['`GET /me` with an API key', 'api-key'],
  ['`GET /me` with a token', 'me'],
  ['verify-token', 'verify-token-cached'],
  ['Userinfo', 'oauth-userinfo'],
  ['Introspection', 'oauth-introspection'],
  ['Client credentials', 'client-credentials'],
  ['Authorize, with session and consent', 'oauth-authorize'],
  ['Pushed authorization request', 'oauth-par'],
  ['Device poll', 'oauth-device-poll'],
  ['Refresh', 'refresh'],
  ['Refresh, application with ID token', 'oauth-refresh-eddsa'],
  ['Exchange of a code, with ID token', 'oauth-exchange-eddsa'],
  ['Login page', 'oauth-login-page'],
  ['Password login', 'login'],
  ['Users, page 1 of a million', 'users-page-1'],
  ['Users, page 50,000', 'users-page-50000'],
  ['Users, search in a million', 'users-search'],
] as const;

export interface SummaryLine {
  readonly request: string;
  readonly record: RowRecord;
  /** Measured in the same run. */
  readonly peers: readonly RowRecord[];
}

/** The published requests. */
export function summaryOf(published: Published): SummaryLine[] {
  return REQUESTS.flatMap(([request, row]) => {
    const record = published.cost(row);
    return record ? [{ request, record, peers: peersOf(record, published.costs()) }] : [];
  });
}

/** Requests per second that a core handles, shared by the service and the database. */
export function perCore(record: RowRecord): number {
  return 1_000_000 / costOf(record);
}

/** The first table of the page. */
export function summaryTable(published: Published): string[][] {
  const headings = [
    'Request',
    'Per second and core',
    'Best peer',
    'Ratio',
    'To the floor',
    'Bar',
    'Met',
  ];
  const lines = summaryOf(published).map(({ request, record, peers }) => {
    const [best] = peers
      .filter(({ party }) => isStandardPeer(party))
      .toSorted((peer, other) => costOf(peer) - costOf(other));
    const ratios = ratiosOf(record, published.costs());
    const bar = barOf(record.row);
    return [
      request,
      rate(perCore(record)),
      best ? `${best.party}, ${rate(perCore(best))}` : '',
      describeRatio(ratios.toPeer),
      describeRatio(ratios.toFloor),
      describeBar(bar),
      describeVerdict(judge(bar, record, ratios)),
    ];
  });
  return [headings, ...lines];
}

/** The requests of the sentence in the README. */
const SPOKEN = [
  ['lookups of an API key', 'api-key'],
  ['client credentials tokens', 'client-credentials'],
  ['refreshes', 'refresh'],
] as const;

/** The sentence of the README about speed. */
export function speedSentence(published: Published): string {
  const lines = summaryOf(published);
  const spoken = SPOKEN.flatMap(([requests, row]) => {
    const line = lines.find(({ record }) => record.row === row);
    return line ? [`${rate(perCore(line.record))} ${requests}`] : [];
  });
  const ratios = lines.flatMap(({ record }) => {
    const { toPeer } = ratiosOf(record, published.costs());
    return toPeer === undefined || record.row.startsWith('users-') ? [] : [toPeer];
  });
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map(describeRatio);
  return (
    `One core handles ${new Intl.ListFormat('en-US').format(spoken)} a second: ` +
    `${least} to ${most} the best Node.js peer, depending on the request. ` +
    `Measure it with \`npm run bench\`; [Performance](docs/performance.md) has all requests, and where Keywright is behind.`
  );
}

export function describeVerdict(isMet: boolean | undefined): string {
  return isMet === undefined ? '' : isMet ? 'yes' : '**no**';
}

function rate(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** The runs that the figures are from, and their conditions. */
export function describeRuns(published: Published): string {
  const costs = published.measured().filter(({ party }) => party === 'keywright');
  const last = costs.toSorted((record, other) => (record.at < other.at ? 1 : -1))[0];
  if (!last) return 'Not measured yet.';
  const runs = Map.groupBy(
    costs,
    ({ commit, at, rounds, seconds }) =>
      `${commit} (${at.slice(0, 10)}, ${rounds} rounds of ${seconds} s)`,
  );
  const named = [...runs].map(([run, records]) => `${records.length} rows at ${run}`);
  const connections = Math.max(...costs.map((record) => record.connections));
  const { node, database, cores } = last;
  return (
    `Commits: ${named.join(', ')}. Figures are medians of the rounds, ` +
    `with Node.js ${node}, ${database}, ${cores} cores and up to ${connections} connections.`
  );
}
