import { parseArgs } from 'node:util';
import { MILLION } from './target/users.ts';
import { PEER_NAMES, type PeerName, STANDARD_PEERS } from './measure/party.ts';

export const USAGE = `npm run bench -- [options]

  --row NAME            rows whose names start with NAME; may be repeated; default: all, about an hour
  --quick               skips the rows with 10,000 tenants or a million users
  --tenants LIST        numbers of tenants in the rows about many tenants; default 1,100,10000
  --extra-users N       additional users in each installation of the rows about many tenants; default a million
                        if all rows are measured, else none
  --extra-clients N     applications that registered themselves in the tenant of the request rows; default none
  --engine NAME         postgres or embedded; default postgres, and if all rows are measured, the request rows also
                        on the embedded database
  --seconds N           load per round; default 3
  --rounds N            rounds per row; default 5, the minimum for figures worth quoting
  --connections N       concurrent connections; default 32
  --log LEVEL           log level of the service; default info
  --peers LIST          peers to measure: better-auth,oidc-provider (default), also keycloak; or none
  --gate                compares ten rows with the published figures, in about five minutes; fails if one of them costs
                        15 % more, relative to its floor and to the best peer, in each of three measurements
  --publish             writes the figures into docs/performance.md; needs better-auth and oidc-provider
  --profile             prints a CPU profile instead of figures
`;

export interface Options {
  readonly rows: readonly string[];
  readonly tenants: readonly number[];
  /** Added to each installation with many tenants. */
  readonly extraUsers: number;
  /** Added to the tenant of the request rows. */
  readonly extraClients: number;
  readonly engine: 'postgres' | 'embedded';
  /** Whether costs are measured on the embedded database as well. */
  readonly includesEmbedded: boolean;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly log: string;
  readonly isQuick: boolean;
  readonly peers: readonly PeerName[];
  readonly publish: boolean;
  /** Whether the main rows are compared with the published ones instead. */
  readonly isGate: boolean;
  readonly profile: boolean;
}

/** An invalid command line; the message ends with the usage. */
export class UsageError extends Error {
  constructor(problem: string) {
    super(`${problem}\n\n${USAGE}`);
    this.name = 'UsageError';
  }
}

/** @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  const { engine = 'postgres' } = values;
  if (engine !== 'postgres' && engine !== 'embedded') {
    throw new UsageError(`--engine ${engine}: expected postgres or embedded.`);
  }
  const peers = peersOf(values.peers);
  if (values.publish && !STANDARD_PEERS.every((name) => peers.includes(name))) {
    throw new UsageError(
      `--publish needs ${STANDARD_PEERS.join(' and ')}: figures of a row are from one run.`,
    );
  }
  if (values.gate && (values.publish || values.row.length > 0 || peers.length === 0)) {
    throw new UsageError('--gate selects its rows, needs peers, and publishes nothing.');
  }
  const isAll = values.row.length === 0 && !values.gate;
  return {
    rows: values.row,
    extraUsers: extraUsersOf(values['extra-users'], isAll),
    extraClients: noneOr('extra-clients', values['extra-clients']),
    tenants: values.tenants.split(',').map((text) => whole('tenants', text)),
    engine,
    includesEmbedded: values.engine === undefined && isAll && !values.quick,
    seconds: positive('seconds', values.seconds ?? (values.gate ? '1' : '3')),
    rounds: whole('rounds', values.rounds),
    connections: whole('connections', values.connections),
    log: values.log,
    isQuick: values.quick,
    peers,
    publish: values.publish,
    isGate: values.gate,
    profile: values.profile,
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        row: { type: 'string', multiple: true, default: [] },
        tenants: { type: 'string', default: '1,100,10000' },
        'extra-users': { type: 'string' },
        'extra-clients': { type: 'string', default: '0' },
        engine: { type: 'string' },
        seconds: { type: 'string' },
        rounds: { type: 'string', default: '5' },
        connections: { type: 'string', default: '32' },
        log: { type: 'string', default: 'info' },
        quick: { type: 'boolean', default: false },
        peers: { type: 'string', default: STANDARD_PEERS.join(',') },
        publish: { type: 'boolean', default: false },
        gate: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
      },
    });
    return { 'extra-users': undefined, engine: undefined, seconds: undefined, ...values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function peersOf(list: string): readonly PeerName[] {
  if (list === 'none') return [];
  return list.split(',').map((name) => {
    const peer = PEER_NAMES.find((peerName) => peerName === name);
    if (peer) return peer;
    throw new UsageError(`--peers ${name}: expected ${PEER_NAMES.join(', ')} or none.`);
  });
}

function extraUsersOf(text: string | undefined, isEveryRow: boolean): number {
  if (text === undefined) return isEveryRow ? MILLION : 0;
  return noneOr('extra-users', text);
}

function noneOr(name: string, text: string): number {
  return text === '0' ? 0 : whole(name, text);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new UsageError(`--${name} ${text}: expected a number above 0.`);
  return value;
}

function whole(name: string, text: string): number {
  const value = positive(name, text);
  if (!Number.isInteger(value)) throw new UsageError(`--${name} ${text}: expected an integer.`);
  return value;
}
