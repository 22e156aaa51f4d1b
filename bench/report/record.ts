import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type CalibrationName, REFERENCE_MICROS } from '../calibrate/calibration.ts';
import type { Bench } from '../measure/bench.ts';
import type { Party } from '../measure/party.ts';
import type { Measured, Round } from '../measure/rounds.ts';
import type { Row } from '../rows/row.ts';
import { joined, median, quantile, spread } from '../measure/statistics.ts';
import { describeBar, judge, type Verdict } from './verdict.ts';

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
  /** Cores that other work on the machine kept busy meanwhile. */
  readonly others_cores: number;
  readonly calibration: {
    readonly name: CalibrationName;
    readonly micros: number;
    readonly per_second: number;
    /** Above 1: slower than the reference machine. */
    readonly to_reference: number;
  };
  /** Requests per operation of the calibration, in the same time. */
  readonly share: number;
  /** The same by CPU time, which other work on the machine does not change. */
  readonly share_by_cpu: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly per_second: number;
  readonly resident_mb: number;
  readonly probes_p99_ms: Readonly<Record<string, number>>;
  readonly floor_p99_ms: number | null;
  /** Empty without a bar, and for peers. */
  readonly bar: string;
  readonly verdict: Verdict | null;
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
  const bar = isPeer(party) ? undefined : row.bar;
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  const latencies = joined(rounds.map((round) => round.load.latenciesMs));
  const together = (round: Round) => round.serverMicros + (round.databaseMicros ?? 0);
  const hasDatabase = rounds.every((round) => round.databaseMicros !== undefined);
  const figures = {
    serverMicros: of((round) => round.serverMicros),
    databaseMicros: hasDatabase ? of((round) => round.databaseMicros ?? 0) : undefined,
    share: of((round) => perSecond(round) / round.calibration.perSecond),
    p99Ms: quantile(latencies, 0.99),
    probesP99Ms: Math.max(0, ...Object.values(probesP99(rounds))),
  };
  return {
    row: row.name,
    party,
    ...conditions,
    connections: row.connections ?? conditions.connections,
    server_micros: rounded(figures.serverMicros),
    database_micros: figures.databaseMicros === undefined ? null : rounded(figures.databaseMicros),
    spread: rounded(spread(rounds.map(together)), 3),
    others_cores: rounded(
      of((round) => round.othersCores),
      2,
    ),
    calibration: calibrationOf(row, rounds),
    share: rounded(figures.share, 3),
    share_by_cpu: rounded(
      of((round) => round.calibration.micros / together(round)),
      3,
    ),
    p50_ms: rounded(quantile(latencies, 0.5), 2),
    p99_ms: rounded(figures.p99Ms, 2),
    per_second: rounded(of(perSecond)),
    resident_mb: rounded(residentKib / 1024),
    probes_p99_ms: probesP99(rounds),
    floor_p99_ms: floorP99(rounds),
    bar: describeBar(bar),
    verdict: judge(bar, figures) ?? null,
  };
}

function calibrationOf(row: Row, rounds: readonly Round[]): RowRecord['calibration'] {
  const micros = median(rounds.map((round) => round.calibration.micros));
  return {
    name: row.calibration,
    micros: rounded(micros),
    per_second: rounded(median(rounds.map((round) => round.calibration.perSecond))),
    to_reference: rounded(micros / REFERENCE_MICROS[row.calibration], 3),
  };
}

function isPeer(party: Party): boolean {
  return !party.startsWith('keywright');
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
  const floors = rounds.flatMap((round) => round.floorMs ?? []);
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
