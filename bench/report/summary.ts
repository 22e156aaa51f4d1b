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
  const lines = summaryOf(published).map((line) => {
    const { request, record } = line;
    const best = bestPeer(line);
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

/** The requests of the sentence in the README: a verb, the requests, and their row. */
const SPOKEN = [
  ['handles', 'API key lookups', 'api-key'],
  ['issues', 'client credentials tokens', 'client-credentials'],
  ['performs', 'refreshes', 'refresh'],
] as const;

/** The sentences of the README about speed. */
export function speedSentence(published: Published): string {
  const lines = summaryOf(published);
  const spoken = SPOKEN.flatMap(([verb, requests, row]) => {
    const line = lines.find(({ record }) => record.row === row);
    if (!line) return [];
    const ratio = ratioToPeer(line, published);
    const compared = ratio ? ` (${describeRatio(ratio)} ${bestPeer(line)?.party})` : '';
    return [`${verb} ${rate(perCore(line.record))} ${requests}${compared}`];
  });
  const [least] = lines
    .flatMap((line) => {
      const ratio = ratioToPeer(line, published);
      return ratio === undefined ? [] : [{ request: line.request, ratio }];
    })
    .toSorted((line, other) => line.ratio - other.ratio);
  const phrases = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(spoken);
  return [
    `Per second, one core's worth of CPU ${phrases}.`,
    'Each ratio compares with the cheaper of better-auth and oidc-provider in the same run.',
    ...(least ? [`The lowest is ${describeRatio(least.ratio)} (${least.request}).`] : []),
    '[Performance](docs/performance.md) lists every request type, the missed targets, and where other products are ahead. Measure it with `npm run bench`.',
  ].join(' ');
}

function bestPeer({ peers }: SummaryLine): RowRecord | undefined {
  return peers
    .filter(({ party }) => isStandardPeer(party))
    .toSorted((peer, other) => costOf(peer) - costOf(other))[0];
}

function ratioToPeer({ record }: SummaryLine, published: Published): number | undefined {
  return ratiosOf(record, published.costs()).toPeer;
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
