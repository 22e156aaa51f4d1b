import { barOf } from '../rows/all.ts';
import type { FigureRecord } from './figure.ts';
import type { Published } from './published.ts';
import type { RowRecord } from './record.ts';
import { describeBar, judge, type Ratios, ratiosOf, slowestProbe } from './verdict.ts';

/** A line of the table of bars. */
export interface BarLine {
  readonly operation: string;
  readonly bar: string;
  /** As `--row` names it. */
  readonly row: string;
  /** Undefined if it was never published. */
  readonly read: (published: Published) => Reading | undefined;
}

interface Reading {
  readonly measured: string;
  /** Absent where costs are not measured. */
  readonly ratios?: Ratios;
  readonly isMet: boolean | undefined;
  readonly peers?: readonly string[];
}

/** The CPU time of a request with 10,000 tenants, relative to one, by which of them take part. */
const TENANTS_AT_MOST = { some: 1.1, all: 1.15 } as const;
const TENANTS_MAX_MORE_MB = 30;

export const BARS: readonly BarLine[] = [
  share('Password login', 'login'),
  cost('Refresh', 'refresh'),
  cost('`GET /me` with an API key', 'api-key'),
  cost('`GET /me` with a token', 'me'),
  cost('verify-token, seen before', 'verify-token-cached'),
  cost('verify-token, new', 'verify-token-new'),
  cost('Client credentials', 'client-credentials'),
  cost('Code by email → tokens', 'flow-code'),
  cost('Wrong code', 'flow-wrong-code'),
  cost('TOTP code after the password → tokens', 'flow-totp'),
  cost('Login with a passkey, each of two requests', 'passkey-login'),
  cost('`GET /auth/methods`', 'login-methods'),
  cost('`GET /auth/methods`, 304', 'login-methods-304'),
  cost('Discovery', 'oauth-discovery'),
  cost('Authorize, with session and consent', 'oauth-authorize'),
  cost('Authorize, with a login that cannot last longer', 'oauth-authorize-ending'),
  cost('Authorize, with a login not used for a minute', 'oauth-authorize-unused'),
  cost('Login page', 'oauth-login-page'),
  cost('Code → tokens, ID token EdDSA, each of two requests', 'oauth-code-eddsa'),
  cost('Code → tokens, ES256', 'oauth-code-es256'),
  cost('Code → tokens, RS256', 'oauth-code-rs256'),
  cost('Only the exchange of a code, ID token EdDSA', 'oauth-exchange-eddsa'),
  cost('Only the exchange of a code, ES256', 'oauth-exchange-es256'),
  cost('Only the exchange of a code, RS256', 'oauth-exchange-rs256'),
  cost('Refresh of an application, without an ID token', 'oauth-refresh-none'),
  cost('Refresh of an application, ID token EdDSA', 'oauth-refresh-eddsa'),
  cost('Refresh of an application, ES256', 'oauth-refresh-es256'),
  cost('Refresh of an application, RS256', 'oauth-refresh-rs256'),
  cost('Userinfo', 'oauth-userinfo'),
  cost('Userinfo, with a token that is bound to a key', 'oauth-userinfo-dpop'),
  cost('Introspection', 'oauth-introspection'),
  cost('Pushed authorization request', 'oauth-par'),
  cost('Device poll', 'oauth-device-poll'),
  cost('Key set', 'key-set'),
  cost('Key set, 304', 'key-set-304'),
  cost('Users, a million in a tenant: page 1', 'users-page-1'),
  cost('Users, page 50,000', 'users-page-50000'),
  latency('Users, search', 'users-search'),
  latency('Users, search by name', 'users-search-name'),
  latency('Users, search for one or two characters', 'users-search-short'),
  latency('Users, search by name in another order or with a filter', 'users-search-sorted'),
];

/** What more tenants cost. */
export const GROWTH: readonly BarLine[] = [
  tenants('Password login', 'tenants-login'),
  tenants('Refresh', 'tenants-refresh'),
  tenants('`GET /me` with a token', 'tenants-me'),
  tenants('`GET /me` with an API key', 'tenants-api-key'),
  tenants('Key set', 'tenants-key-set'),
  tenants('Authorize, without a login', 'tenants-authorize'),
  tenants('Code → tokens', 'tenants-code'),
  tenants('`GET /auth/methods`', 'tenants-methods'),
  tenants('Start of a login with a provider', 'tenants-provider'),
  tenantMemory('Memory after look-ups in all tenants', 'tenants-rss-look-ups', TENANTS_MAX_MORE_MB),
  tenantMemory('Memory after all kinds of requests in all tenants', 'tenants-rss'),
];

/** Latencies, background work, starts and memory. */
export const OTHERS: readonly BarLine[] = [
  figure('Login page until it is painted, median', '≤200 ms', 'page-paint'),
  figure('The same with a filled cache', '≤200 ms', 'page-paint-cached'),
  figure('Console: overview until it is painted, median', '≤250 ms', 'console-paint-overview'),
  figure('The same with a filled cache', '≤250 ms', 'console-paint-overview-cached'),
  figure('Console: users until they are painted, median', '≤250 ms', 'console-paint-users'),
  figure('The same with a filled cache', '≤250 ms', 'console-paint-users-cached'),
  figure('Console: interaction to next paint', '≤100 ms', 'console-interaction'),
  figure('The same with a CPU slowed down to a quarter', '', 'console-interaction-slow'),
  figure('Console: search until its rows are painted, median', '≤100 ms', 'console-search'),
  figure('Webhook delivery: CPU, to a bare POST', '≤1.6×', 'webhooks-cost'),
  figure('Webhook delivery: CPU of the server', '', 'webhooks-cost-server'),
  figure('Webhook delivery: CPU of the database', '', 'webhooks-cost-database'),
  figure('Webhook: commit → receiver, p99', '<50 ms', 'webhooks-latency'),
  figure(
    'Webhook: the same for 498 endpoints next to two bad ones, p99',
    '<2 s',
    'webhooks-fairness',
  ),
  figure('Email: CPU of server and database', '', 'mail-cost'),
  figure('Email: queued → mail server, p99', '<250 ms', 'mail-latency'),
  figure('Revocation → rejection by 1,000 offline verifiers, p99', '≤2 s', 'revocation-offline'),
  figure('The same while a node is killed', '≤2 s', 'revocation-offline-sigkill'),
];

/** More of them, which only the page of all rows has. */
export const DETAILS: readonly BarLine[] = [
  ...interactions('screens', 'open a screen, the palette'),
  ...interactions('typing', 'type a search'),
  ...interactions('filter', 'set a filter'),
  ...interactions('sort', 'sort a column'),
  ...interactions('tab', 'switch a tab'),
  ...interactions('selection', 'select 100 rows'),
  ...interactions('row-menu', 'open the menu of a row'),
  ...interactions('dialog', 'open a dialog'),
  ...interactions('sheet', 'open a side sheet'),
  ...interactions('theme', 'switch the theme'),
  figure('Webhook: cost of a dead endpoint for the others', '<5 %', 'webhooks-cost-dead-endpoint'),
  figure('`GET /me` while 10,000 emails are sent, p99', '≤10 % more', 'mail-beside'),
  figure('Text message: CPU of server and database', '', 'sms-cost'),
  figure(
    'Revocation → rejection while a node is restarted, p99',
    '≤2 s',
    'revocation-offline-sigterm',
  ),
];

/** Starts and memory, next to the peers. */
export const STARTS: readonly BarLine[] = [
  figure('Start on a migrated PostgreSQL', '≤1.2× oidc-provider', 'cold-start'),
  figure('Idle memory on PostgreSQL', '≤1× oidc-provider', 'idle-memory'),
  figure(
    'First start with the embedded database',
    '≤6 s',
    'cold-start-embedded',
    'keywright-embedded',
  ),
];

function cost(operation: string, row: string): BarLine {
  return ofRow(operation, row, describeCost);
}

function latency(operation: string, row: string): BarLine {
  return ofRow(operation, row, ({ p99_ms, p50_ms }) => `p99 ${p99_ms} ms, p50 ${p50_ms} ms`);
}

function share(operation: string, row: string): BarLine {
  return ofRow(operation, row, (record) => {
    const probe = slowestProbe(record);
    const { floor_p99_ms: bare } = record;
    const others =
      probe === 0 ? '' : `, p99 ${probe.toFixed(0)} ms, \`node:http\` ${bare?.toFixed(0)} ms`;
    return `${(record.share * 100).toFixed(0)} %${others}`;
  });
}

function ofRow(operation: string, row: string, describe: (record: RowRecord) => string): BarLine {
  const bar = barOf(row);
  const read = (published: Published) => {
    const found = published.cost(row);
    if (!found) return undefined;
    const ratios = ratiosOf(found, published.costs());
    const peers = published
      .costs()
      .filter((record) => record.row === row && record.party !== found.party);
    return {
      measured: describe(found),
      ratios,
      isMet: judge(bar, found, ratios),
      peers: peers.map((peer) => `${peer.party} ${describe(peer)}`),
    };
  };
  return { operation, bar: describeBar(bar), row, read };
}

function describeCost({ server_micros, database_micros }: RowRecord): string {
  const server = micros(server_micros);
  return database_micros === null ? `${server} µs` : `${server} + ${micros(database_micros)} µs`;
}

function micros(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** The interactions of one kind with the console, at both speeds of the browser. */
function interactions(kind: string, operation: string): readonly BarLine[] {
  return [
    figure(`Console: ${operation}, p98`, '≤100 ms', `console-interaction-${kind}`),
    figure('The same with a CPU slowed down to a quarter', '', `console-interaction-slow-${kind}`),
  ];
}

function figure(
  operation: string,
  bar: string,
  row: string,
  party: FigureRecord['party'] = 'keywright',
): BarLine {
  const read = (published: Published) => {
    const found = published.figure(row, party);
    if (!found) return undefined;
    const peers = published
      .figures()
      .filter((record) => record.row === row && record.party !== party);
    return {
      measured: valueOf(found),
      isMet: found.verdict?.isMet,
      peers: peers.map((peer) => `${peer.party} ${valueOf(peer)}`),
    };
  };
  return { operation, bar, row, read };
}

function valueOf({ value, unit }: FigureRecord): string {
  return unit === '×' ? `${value}×` : `${value} ${unit}`;
}

function tenants(operation: string, row: string): BarLine {
  const read = (published: Published) => {
    const found = mostTenants(published.tenants().filter((record) => record.row === row));
    if (found.length === 0) return undefined;
    return {
      measured: found.map(({ reach, to_first: { cpu } }) => `${reach} ${percent(cpu)}`).join(', '),
      isMet: found.every(({ reach, to_first: { cpu } }) =>
        Object.entries(TENANTS_AT_MOST).every(([name, most]) => name !== reach || cpu <= most),
      ),
    };
  };
  return { operation, bar: 'some ≤+10 %, all ≤+15 %', row, read };
}

function mostTenants<Item extends { readonly tenants: number }>(found: readonly Item[]): Item[] {
  const most = Math.max(...found.map((item) => item.tenants));
  return found.filter((item) => item.tenants === most);
}

function percent(ratio: number): string {
  const change = Math.round((ratio - 1) * 100);
  return `${change > 0 ? '+' : ''}${change} %`;
}

function tenantMemory(operation: string, row: string, maxMoreMb?: number): BarLine {
  const read = (published: Published) => {
    const found = published.memory().filter((record) => record.row === row);
    const [most] = mostTenants(found);
    const [fewest] = found.toSorted((record, other) => record.tenants - other.tenants);
    if (!most || !fewest) return undefined;
    const more = most.resident_mb - fewest.resident_mb;
    const isMet = maxMoreMb === undefined ? undefined : more <= maxMoreMb;
    return { measured: `+${more.toFixed(0)} MB`, isMet };
  };
  return { operation, bar: maxMoreMb === undefined ? '' : `+${maxMoreMb} MB`, row, read };
}
