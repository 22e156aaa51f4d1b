import { setTimeout as pause } from 'node:timers/promises';
import { startBareServer, openBareHttp, bareTraffic, type BareServer } from '../floor/bare-http.ts';
import type { Floor, FloorCost } from '../floor/floor.ts';
import { openLoop } from '../floor/loop.ts';
import type { Row } from '../rows/row.ts';
import type { Bench } from './bench.ts';
import { type Contender, openContenders } from './contender.ts';
import { cpuMicros, groupCpuMicros, machineMicros, residentKib } from './cpu.ts';
import { type Load, startLoad } from './load.ts';
import type { Party } from './party.ts';
import type { LoadResult } from './traffic.ts';

const FLOOR_SECONDS = 1;
const WARM_UP_SECONDS = 2;
const PROBE_EVERY_MS = 25;
/**
 * The JVM is warm when the CPU time of a request changes by less than the share `maxChange` from one load to the next.
 * Before `minRequests`, it can be stable although the JVM has not compiled the code yet.
 */
const JVM_WARM_UP = { maxChange: 0.05, minRequests: 20_000, maxSeconds: 120 };

export interface Round {
  readonly floor: FloorCost;
  readonly load: LoadResult;
  /** Cores that other work on the machine kept busy during that time. */
  readonly othersCores: number;
  /** CPU time of the service per request. */
  readonly serverMicros: number;
  /** CPU time of the database; undefined if it runs inside the service or on another machine. */
  readonly databaseMicros: number | undefined;
  /** Latencies of the other routes, by name. */
  readonly probesMs: Readonly<Record<string, Float64Array>>;
  /** Latencies of plain node:http during that time, for rows with probes: the least that this machine allows. */
  readonly bareMs: Float64Array | undefined;
}

/** The rounds of one party. */
export interface Measured {
  readonly row: Row;
  readonly party: Party;
  readonly rounds: readonly Round[];
  readonly residentKib: number;
}

/** What all parties of a round share. */
type FloorRound = Pick<Round, 'floor' | 'bareMs'>;

/**
 * Measures a row: a new process of the service, a warm-up, then rounds of the floor and of load. Peers take
 * turns with the service within each round.
 */
export async function measureRow(bench: Bench, row: Row): Promise<Measured[]> {
  await bench.database.settle();
  const contenders = await openContenders(bench, row);
  const floor = await openFloor(row, contenders[0] as Contender, bench.options.connections);
  const bare = row.probes ? await startBareProbe() : undefined;
  try {
    const rounds: Round[][] = contenders.map(() => []);
    // Backwards: the JVM is last and warms up for so long that codes issued to other parties before would expire.
    for (const contender of contenders.toReversed()) await warmUp(contender, row);
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const floorRound = await measureFloor(floor, bare?.load);
      for (let turn = 0; turn < contenders.length; turn += 1) {
        // In a different order each time.
        const place = (round + turn) % contenders.length;
        const contender = contenders[place] as Contender;
        rounds[place]?.push(await measureRound(bench, row, contender, floorRound));
      }
    }
    return contenders.map(({ party, pid }, place) => ({
      row,
      party,
      rounds: rounds[place] ?? [],
      residentKib: residentKib(pid),
    }));
  } finally {
    floor.close();
    bare?.load.close();
    bare?.server.close();
    for (const contender of contenders) await contender.close();
  }
}

/** Runs the load before the first round. The JVM gets it until its compilers have settled. */
async function warmUp({ party, pid, stage }: Contender, row: Row): Promise<void> {
  const seconds = row.warmUpSeconds ?? WARM_UP_SECONDS;
  if (party !== 'keycloak') {
    await stage.run(seconds);
    return;
  }
  let last = Infinity;
  let count = 0;
  for (let load = 1; load * seconds <= JVM_WARM_UP.maxSeconds; load += 1) {
    const before = cpuMicros(pid);
    const { requests } = await stage.run(seconds);
    const micros = (cpuMicros(pid) - before) / requests;
    const change = Math.abs(micros / last - 1);
    count += requests;
    if (count >= JVM_WARM_UP.minRequests && change < JVM_WARM_UP.maxChange) return;
    last = micros;
  }
}

async function measureFloor(floor: Floor, bareProbe: Load | undefined): Promise<FloorRound> {
  const [cost, probed] = await Promise.all([
    floor.run(FLOOR_SECONDS),
    bareProbe?.run(FLOOR_SECONDS),
  ]);
  return { floor: cost, bareMs: probed?.latenciesMs };
}

async function measureRound(
  bench: Bench,
  { worksForMs = 0 }: Row,
  { pid, stage }: Contender,
  floorRound: FloorRound,
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
    ...floorRound,
    load,
    othersCores: Math.max(0, others) / 1000 / load.elapsedMs,
    serverMicros: server / load.requests,
    databaseMicros: database && database / load.requests,
    // In a separate run, so that their cost does not count as the row's.
    probesMs: stage.hasProbes ? await stage.probe(seconds) : {},
  };
}

async function openFloor(row: Row, { stage }: Contender, connections: number): Promise<Floor> {
  if (row.floor !== 'bare-http') return openLoop(row.floor);
  return openBareHttp(connections, await stage.exchange());
}

async function startBareProbe(): Promise<{ server: BareServer; load: Load }> {
  const server = await startBareServer();
  const load = startLoad();
  await load.connect(server.port, bareTraffic(1, PROBE_EVERY_MS));
  return { server, load };
}
