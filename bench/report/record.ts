import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { FloorName } from '../floor/floor.ts';
import type { Bench } from '../measure/bench.ts';
import type { Party } from '../measure/party.ts';
import type { Measured, Round } from '../measure/rounds.ts';
import { joined, median, quantile, spread } from '../measure/statistics.ts';

/** The conditions of a run. */
export interface Conditions {
  readonly at: string;
  /** With a + if there are uncommitted changes. */
  readonly commit: string;
  readonly node: string;
  readonly database: string;
  readonly cores: number;
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly log: string;
}

/** A line of a result file: medians of the rounds, times in microseconds of CPU unless named otherwise. */
export interface RowRecord extends Conditions {
  readonly row: string;
  readonly party: Party;
  readonly server_micros: number;
  readonly database_micros: number | null;
  /** The range of the rounds as a share of the median, for server and database together. */
  readonly spread: number;
  /** Cores that other work on the machine kept busy during that time. */
  readonly others_cores: number;
  /** CPU time of one operation of the floor. */
  readonly floor: {
    readonly name: FloorName;
    readonly micros: number;
    readonly per_second: number;
  };
  /** Requests per operation of the floor, in the same time. */
  readonly share: number;
  /** The same by CPU time, which other work on the machine does not change. */
  readonly share_by_cpu: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly per_second: number;
  readonly resident_mb: number;
  readonly probes_p99_ms: Readonly<Record<string, number>>;
  /** The p99 of plain node:http next to the floor, for rows with probes. */
  readonly floor_p99_ms: number | null;
}

export function conditionsOf({ options, database }: Bench): Conditions {
  return {
    at: new Date().toISOString(),
    commit: currentCommit(),
    node: process.version,
    database: database.description,
    cores: availableParallelism(),
    connections: options.connections,
    seconds: options.seconds,
    rounds: options.rounds,
    log: options.log,
  };
}

/** The line above the tables. */
export function titleOf(conditions: Conditions): string {
  const { commit, node, database, cores, connections, seconds, rounds, log } = conditions;
  return (
    `Commit ${commit}, Node.js ${node}, ${database}, ${cores} cores, ${connections} connections, ` +
    `log level ${log}, medians of ${rounds} rounds of ${seconds} s`
  );
}

export function recordOf(
  conditions: Conditions,
  { row, party, rounds, residentKib }: Measured,
): RowRecord {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const latencies = joined(rounds.map((round) => round.load.latenciesMs));
  const together = (round: Round) => round.serverMicros + (round.databaseMicros ?? 0);
  const hasDatabase = rounds.every((round) => round.databaseMicros !== undefined);
  return {
    row: row.name,
    party,
    ...conditions,
    connections: row.connections ?? conditions.connections,
    server_micros: rounded(of((round) => round.serverMicros)),
    database_micros: hasDatabase ? rounded(of((round) => round.databaseMicros ?? 0)) : null,
    spread: rounded(spread(rounds.map(together)), 3),
    others_cores: rounded(
      of((round) => round.othersCores),
      2,
    ),
    floor: {
      name: row.floor,
      micros: rounded(of((round) => round.floor.micros)),
      per_second: rounded(of((round) => round.floor.perSecond)),
    },
    share: rounded(
      of((round) => perSecond(round) / round.floor.perSecond),
      3,
    ),
    share_by_cpu: rounded(
      of((round) => round.floor.micros / together(round)),
      3,
    ),
    p50_ms: rounded(quantile(latencies, 0.5), 2),
    p99_ms: rounded(quantile(latencies, 0.99), 2),
    per_second: rounded(of(perSecond)),
    resident_mb: rounded(residentKib / 1024),
    probes_p99_ms: probesP99(rounds),
    floor_p99_ms: floorP99(rounds),
  };
}

function perSecond({ load }: Round): number {
  return (load.requests / load.elapsedMs) * 1000;
}

function probesP99(rounds: readonly Round[]): Record<string, number> {
  const names = Object.keys(rounds[0]?.probesMs ?? {});
  const p99 = (name: string) =>
    quantile(joined(rounds.map((round) => round.probesMs[name] ?? new Float64Array())), 0.99);
  return Object.fromEntries(names.map((name) => [name, rounded(p99(name), 2)]));
}

function floorP99(rounds: readonly Round[]): number | null {
  const floors = rounds.flatMap((round) => round.bareMs ?? []);
  return floors.length === 0 ? null : rounded(quantile(joined(floors), 0.99), 2);
}

function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

function currentCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    return (
      git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+')
    );
  } catch {
    return 'unknown';
  }
}
