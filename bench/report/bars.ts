import { MILLION_ROWS, ROWS } from '../rows/all.ts';
import type { FigureRecord } from './figure.ts';
import type { Published, TenantsRecord } from './published.ts';
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

/** How far the figures of 10,000 tenants can deviate from those of one, as a share. */
const TENANTS_TOLERANCE = 0.05;
const TENANTS_MAX_MORE_MB = 30;

export const BARS: readonly BarLine[] = [
  share('Password login', 'login'),
  cost('Refresh', 'refresh'),
  cost('API key', 'api-key'),
  cost('`GET /me` with a token', 'me'),
  cost('verify-token, seen before', 'verify-token-cached'),
  cost('verify-token, new', 'verify-token-new'),
  cost('Client credentials', 'client-credentials'),
  cost('Code by mail → tokens', 'flow-code'),
  cost('Wrong code', 'flow-wrong-code'),
  cost('Code of an app, after the password → tokens', 'flow-totp'),
  cost('Login with a passkey, each of two requests', 'passkey-login'),
  cost('`GET /auth/methods`', 'login-methods'),
  cost('the same, 304', 'login-methods-304'),
  cost('Discovery', 'oauth-discovery'),
  cost('Authorize, with session and consent', 'oauth-authorize'),
  cost('the same, with a login that cannot last longer', 'oauth-authorize-ending'),
  cost('the same, with a login not used for a minute', 'oauth-authorize-unused'),
  cost('The login page', 'oauth-login-page'),
  figure('the same: until it is painted, in the median', '≤200 ms', 'page-paint'),
  cost('Code → tokens, ID token EdDSA, each of two requests', 'oauth-code-eddsa'),
  cost('the same, ES256', 'oauth-code-es256'),
  cost('the same, RS256', 'oauth-code-rs256'),
  cost('Refresh of an application, without an ID token', 'oauth-refresh-none'),
  cost('the same, ID token EdDSA', 'oauth-refresh-eddsa'),
  cost('the same, ES256', 'oauth-refresh-es256'),
  cost('the same, RS256', 'oauth-refresh-rs256'),
  cost('Userinfo', 'oauth-userinfo'),
  cost('the same, with a token that is bound to a key', 'oauth-userinfo-dpop'),
  cost('Introspection', 'oauth-introspection'),
  cost('A pushed authorization request', 'oauth-par'),
  cost('A device that asks for its tokens', 'oauth-device-poll'),
  cost('Key set', 'key-set'),
  cost('Key set, 304', 'key-set-304'),
  cost('Users, 1 M in a tenant: page 1', 'users-page-1'),
  cost('the same: page 50,000', 'users-page-50000'),
  latency('the same: search', 'users-search'),
  figure('the same: search → rows in the console, in the median', '≤100 ms', 'console-search'),
  figure('Console: interaction to next paint', '≤100 ms', 'console-interaction'),
  tenants('1 → 10,000 tenants: login', 'tenants-login'),
  tenants('the same: refresh', 'tenants-refresh'),
  tenants('the same: `GET /me`', 'tenants-me'),
  tenants('the same: `GET /me` with an API key', 'tenants-api-key'),
  tenants('the same: key set', 'tenants-key-set'),
  tenants('the same: authorize, without a login', 'tenants-authorize'),
  tenants('the same: code → tokens, of a client each', 'tenants-code'),
  tenants('the same: `GET /auth/methods`', 'tenants-methods'),
  tenants('the same: a login begins at a provider of each', 'tenants-provider'),
  tenantMemory('the same: memory, after look-ups', 'tenants-rss-look-ups', TENANTS_MAX_MORE_MB),
  tenantMemory('the same: memory, after every kind of request', 'tenants-rss'),
  figure('Webhook delivery: server', '', 'webhooks-cost-server'),
  figure('the same: database', '', 'webhooks-cost-database'),
  figure('the same: what a dead endpoint costs others', '<5 %', 'webhooks-cost-dead-endpoint'),
  figure('the same: commit → receiver, p99', '<50 ms', 'webhooks-latency'),
  figure('the same: p99 of 498 beside a dead and a slow one', '<2 s', 'webhooks-fairness'),
  figure('Mail: service and database', '', 'mail-cost'),
  figure('the same: queued → data, p99', '<250 ms', 'mail-latency'),
  figure('the same: 10,000 queued, p99 of `GET /me`', '≤10 % more', 'mail-beside'),
  figure('Text message: service and database', '', 'sms-cost'),
  figure('Revocation → refusal by 1,000 offline verifiers, p99', '≤2 s', 'revocation-offline'),
  figure('the same: while a node is restarted', '≤2 s', 'revocation-offline-sigterm'),
  figure('the same: while a node is killed', '≤2 s', 'revocation-offline-sigkill'),
  figure('Start on a migrated PostgreSQL', '≤1.2× oidc-provider', 'cold-start'),
  figure(
    'First start with the embedded database',
    '≤6 s',
    'cold-start-embedded',
    'keywright-embedded',
  ),
  figure('Idle memory on PostgreSQL', '≤1× oidc-provider', 'idle-memory'),
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
  const bar = [...ROWS, ...MILLION_ROWS].find(({ name }) => name === row)?.bar;
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
      measured: `${found.value} ${found.unit}`,
      isMet: found.verdict?.isMet,
      peers: peers.map((peer) => `${peer.party} ${peer.value} ${peer.unit}`),
    };
  };
  return { operation, bar, row, read };
}

function tenants(operation: string, row: string): BarLine {
  const read = (published: Published) => {
    const found = mostTenants(published.tenants().filter((record) => record.row === row));
    if (found.length === 0) return undefined;
    const ratios = found.flatMap(({ to_first: ratio }) => Object.values(ratio));
    return {
      measured: found.map(describeTenants).join('; '),
      isMet: ratios.every((ratio) => Math.abs(ratio - 1) <= TENANTS_TOLERANCE),
    };
  };
  return { operation, bar: 'CPU, p50, p99 and throughput within 5 %', row, read };
}

function mostTenants<Item extends { readonly tenants: number }>(found: readonly Item[]): Item[] {
  const most = Math.max(...found.map((item) => item.tenants));
  return found.filter((item) => item.tenants === most);
}

function describeTenants({ reach, to_first: ratio }: TenantsRecord): string {
  const { cpu, p50, p99, per_second: perSecond } = ratio;
  const changes = [`CPU ${percent(cpu)}`, `p50 ${percent(p50)}`, `p99 ${percent(p99)}`];
  return `${reach}: ${changes.join(', ')}, throughput ${percent(perSecond)}`;
}

function percent(ratio: number): string {
  const change = (ratio - 1) * 100;
  return `${change > 0 ? '+' : ''}${change.toFixed(0)} %`;
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
