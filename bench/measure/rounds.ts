import { setTimeout as pause } from 'node:timers/promises';
import {
  startBareServer,
  calibrateByBareHttp,
  bareTraffic,
  type BareServer,
} from '../calibrate/bare-http.ts';
import type { Calibration, CalibrationResult } from '../calibrate/calibration.ts';
import { calibrateByLoop } from '../calibrate/loop.ts';
import type { Row } from '../rows/row.ts';
import type { Bench } from './bench.ts';
import { type Contender, openContenders } from './contender.ts';
import { cpuMicros, groupCpuMicros, machineMicros, residentKib } from './cpu.ts';
import { type Load, startLoad } from './load.ts';
import type { Party } from './party.ts';
import type { LoadResult } from './traffic.ts';

const CALIBRATION_SECONDS = 1;
const WARM_UP_SECONDS = 2;
const PROBE_EVERY_MS = 25;

export interface Round {
  readonly calibration: CalibrationResult;
  readonly load: LoadResult;
  /** Cores that other work on the machine kept busy meanwhile. */
  readonly othersCores: number;
  /** CPU time of the service per request. */
  readonly serverMicros: number;
  /** CPU time of the database; undefined if it runs inside the service or on another machine. */
  readonly databaseMicros: number | undefined;
  /** Latencies of the other routes, by name. */
  readonly probesMs: Readonly<Record<string, Float64Array>>;
  /** Latencies of node:http alone during the calibration: the least that this machine allows. */
  readonly floorMs: Float64Array | undefined;
}

/** The rounds of one party. */
export interface Measured {
  readonly row: Row;
  readonly party: Party;
  readonly rounds: readonly Round[];
  readonly residentKib: number;
}

/** What all parties of a round share. */
type Calibrated = Pick<Round, 'calibration' | 'floorMs'>;

/**
 * Measures a row: a new process of the service, a warm-up, then rounds of calibration and load. Peers take
 * turns with the service within each round.
 */
export async function measureRow(bench: Bench, row: Row): Promise<Measured[]> {
  await bench.database.settle();
  const contenders = await openContenders(bench, row);
  const calibration = await startCalibration(row, bench.options.connections);
  const bare = row.probes ? await startFloor() : undefined;
  try {
    const rounds: Round[][] = contenders.map(() => []);
    for (const { stage } of contenders) await stage.run(row.warmUpSeconds ?? WARM_UP_SECONDS);
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const calibrated = await calibrate(calibration, bare?.load);
      for (let turn = 0; turn < contenders.length; turn += 1) {
        // In a different order each time.
        const place = (round + turn) % contenders.length;
        const one = contenders[place] as Contender;
        rounds[place]?.push(await measureRound(bench, row, one, calibrated));
      }
    }
    return contenders.map(({ party, pid }, place) => ({
      row,
      party,
      rounds: rounds[place] ?? [],
      residentKib: residentKib(pid),
    }));
  } finally {
    calibration.close();
    bare?.load.close();
    bare?.server.close();
    for (const contender of contenders) await contender.close();
  }
}

async function calibrate(calibration: Calibration, floor: Load | undefined): Promise<Calibrated> {
  const [calibrated, floorResult] = await Promise.all([
    calibration.run(CALIBRATION_SECONDS),
    floor?.run(CALIBRATION_SECONDS),
  ]);
  return { calibration: calibrated, floorMs: floorResult?.latenciesMs };
}

async function measureRound(
  bench: Bench,
  { worksForMs = 0 }: Row,
  { pid, stage }: Contender,
  calibrated: Calibrated,
): Promise<Round> {
  const { seconds } = bench.options;
  const { postmaster } = bench.database;
  await stage.refill(seconds);
  const machineBefore = machineMicros();
  const serverBefore = cpuMicros(pid);
  const databaseBefore = postmaster && groupCpuMicros(postmaster);
  const load = await stage.run(seconds);
  await pause(worksForMs);
  const server = cpuMicros(pid) - serverBefore;
  const database = postmaster && groupCpuMicros(postmaster) - (databaseBefore ?? 0);
  const others = machineMicros() - machineBefore - server - (database ?? 0) - load.cpuMicros;
  return {
    ...calibrated,
    load,
    othersCores: Math.max(0, others) / 1000 / load.elapsedMs,
    serverMicros: server / load.requests,
    databaseMicros: database && database / load.requests,
    // In a separate run, so that their cost does not count as the row's.
    probesMs: stage.hasProbes ? await stage.probe(seconds) : {},
  };
}

function startCalibration(row: Row, connections: number): Calibration | Promise<Calibration> {
  if (row.calibration === 'bare-http') return calibrateByBareHttp(connections);
  return calibrateByLoop(row.calibration);
}

async function startFloor(): Promise<{ server: BareServer; load: Load }> {
  const server = await startBareServer();
  const load = startLoad();
  await load.connect(server.port, bareTraffic(1, PROBE_EVERY_MS));
  return { server, load };
}
