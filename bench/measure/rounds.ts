import {
  startBareServer,
  calibrateByBareHttp,
  bareTraffic,
  type BareServer,
} from '../calibrate/bare-http.ts';
import type { Calibration, CalibrationResult } from '../calibrate/calibration.ts';
import { calibrateByLoop } from '../calibrate/loop.ts';
import type { Row } from '../rows/row.ts';
import { type Service, startService } from '../target/service.ts';
import type { Bench } from './bench.ts';
import { cpuMicros, groupCpuMicros, machineMicros, residentBytes } from './cpu.ts';
import { type Load, startLoad } from './load.ts';
import { Stage } from './stage.ts';
import type { LoadResult } from './traffic.ts';

const CALIBRATION_SECONDS = 1;
const WARM_UP_SECONDS = 2;
const PROBE_EVERY_MS = 25;

/** What one round found. */
export interface Round {
  readonly calibration: CalibrationResult;
  readonly load: LoadResult;
  /** How many cores everything else on the machine kept busy meanwhile: the noise. */
  readonly othersCores: number;
  /** CPU time of the service for one request. */
  readonly serverMicros: number;
  /** Of the database; nothing where it works inside the service, or on another machine. */
  readonly databaseMicros: number | undefined;
  /** How long each of the other routes took, by name. */
  readonly probesMs: Readonly<Record<string, Float64Array>>;
  /** How long node:http alone took beside the calibration: what the machine itself makes of such a flood. */
  readonly floorMs: Float64Array | undefined;
}

export interface Measured {
  readonly row: Row;
  readonly rounds: readonly Round[];
  readonly residentBytes: number;
}

/** Measures a row: a new process of the service, a warm-up, then rounds of calibration and load. */
export async function measureRow(bench: Bench, row: Row): Promise<Measured> {
  await bench.database.settle();
  const service = await startService({ ...bench.env, ...row.env });
  const calibration = await startCalibration(row, bench.options.connections);
  const stage = await Stage.open(bench, row, service);
  const bare = stage.hasProbes ? await startFloor() : undefined;
  try {
    await stage.run(WARM_UP_SECONDS);
    const rounds: Round[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      rounds.push(await measureRound(bench, service, calibration, stage, bare?.load));
    }
    return { row, rounds, residentBytes: residentBytes(service.pid) };
  } finally {
    stage.close();
    calibration.close();
    bare?.load.close();
    bare?.server.close();
    await service.stop();
  }
}

async function measureRound(
  bench: Bench,
  service: Service,
  calibration: Calibration,
  stage: Stage,
  floor: Load | undefined,
): Promise<Round> {
  const { seconds } = bench.options;
  const { postmaster } = bench.database;
  await stage.refill(seconds);
  const [calibrated, floorResult] = await Promise.all([
    calibration.run(CALIBRATION_SECONDS),
    floor?.run(CALIBRATION_SECONDS),
  ]);
  const machineBefore = machineMicros();
  const serverBefore = cpuMicros(service.pid);
  const databaseBefore = postmaster && groupCpuMicros(postmaster);
  const load = await stage.run(seconds);
  const server = cpuMicros(service.pid) - serverBefore;
  const database = postmaster && groupCpuMicros(postmaster) - (databaseBefore ?? 0);
  const others = machineMicros() - machineBefore - server - (database ?? 0) - load.cpuMicros;
  return {
    calibration: calibrated,
    load,
    othersCores: Math.max(0, others) / 1000 / load.elapsedMs,
    serverMicros: server / load.requests,
    databaseMicros: database && database / load.requests,
    // In a run of their own: what they cost must not be counted as a cost of the row.
    probesMs: stage.hasProbes ? await stage.probe(seconds) : {},
    floorMs: floorResult?.latenciesMs,
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
