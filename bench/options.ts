import { parseArgs } from 'node:util';
import { CROWD } from './target/crowd.ts';
import { PEER_NAMES, type PeerName } from './measure/party.ts';

export const USAGE = `npm run bench -- [options]

  --row NAME            rows whose names start with NAME; may be repeated; default: all, about an hour
  --quick               leaves out the rows with 10,000 tenants and with a million people
  --tenants LIST        of the rows about many tenants; default 1,100,10000
  --crowd N             people beside those in the rows about many tenants, in each installation; default a million
                        where all rows are measured, else none
  --engine NAME         postgres or embedded; default postgres, and where all rows are measured those of requests
                        on the embedded database as well
  --seconds N           load in each round; default 3
  --rounds N            rounds of each row; default 5, which is the least that a figure is worth quoting from
  --connections N       connections under load; default 32
  --log LEVEL           log level of the service; default info, as it is shipped
  --peers LIST          who takes part beside the service: better-auth,oidc-provider (default) or none
  --publish             writes the figures into docs/performance.md
  --compare FILE        also prints how the rows differ from those of an earlier run
  --profile             shows where the service spends its time, in place of figures
`;

export interface Options {
  readonly rows: readonly string[];
  readonly tenants: readonly number[];
  readonly crowd: number;
  readonly engine: 'postgres' | 'embedded';
  /** Whether costs are measured on the embedded database too. */
  readonly isEmbeddedBeside: boolean;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly log: string;
  readonly isQuick: boolean;
  readonly peers: readonly PeerName[];
  readonly publish: boolean;
  readonly compare: string | undefined;
  readonly profile: boolean;
}

/** The command line does not say what to do; the message tells what can be said. */
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
    throw new UsageError(`--engine ${engine}: there are postgres and embedded.`);
  }
  return {
    rows: values.row,
    crowd: crowdOf(values.crowd, values.row.length === 0),
    tenants: values.tenants.split(',').map((one) => whole('tenants', one)),
    engine,
    isEmbeddedBeside: values.engine === undefined && values.row.length === 0 && !values.quick,
    seconds: positive('seconds', values.seconds),
    rounds: whole('rounds', values.rounds),
    connections: whole('connections', values.connections),
    log: values.log,
    isQuick: values.quick,
    peers: peersOf(values.peers),
    publish: values.publish,
    compare: values.compare,
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
        crowd: { type: 'string' },
        engine: { type: 'string' },
        seconds: { type: 'string', default: '3' },
        rounds: { type: 'string', default: '5' },
        connections: { type: 'string', default: '32' },
        log: { type: 'string', default: 'info' },
        quick: { type: 'boolean', default: false },
        peers: { type: 'string', default: PEER_NAMES.join(',') },
        publish: { type: 'boolean', default: false },
        compare: { type: 'string' },
        profile: { type: 'boolean', default: false },
      },
    });
    return { compare: undefined, crowd: undefined, engine: undefined, ...values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function peersOf(list: string): readonly PeerName[] {
  if (list === 'none') return [];
  return list.split(',').map((name) => {
    const known = PEER_NAMES.find((one) => one === name);
    if (known) return known;
    throw new UsageError(`--peers ${name}: there are ${PEER_NAMES.join(', ')}.`);
  });
}

function crowdOf(text: string | undefined, isEveryRow: boolean): number {
  if (text === undefined) return isEveryRow ? CROWD : 0;
  return text === '0' ? 0 : whole('crowd', text);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new UsageError(`--${name} ${text}: not above 0.`);
  return value;
}

function whole(name: string, text: string): number {
  const value = positive(name, text);
  if (!Number.isInteger(value)) throw new UsageError(`--${name} ${text}: not a whole number.`);
  return value;
}
