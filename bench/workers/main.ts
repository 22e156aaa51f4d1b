// Measures what a second worker adds, by requests for the key set, which cost only the service's CPU.
// node bench/workers/main.ts [seconds] [rounds]

import { availableParallelism } from 'node:os';
import { groupCpuMicros } from '../measure/cpu.ts';
import { type Load, startLoad } from '../measure/load.ts';
import { median } from '../measure/statistics.ts';
import { keySetsOf } from '../rows/key-set.ts';
import { openBenchDatabase } from '../target/database.ts';
import { seed } from '../target/seed.ts';
import { type Service, startService } from '../target/service.ts';

const CONNECTIONS = 32;
const COUNTS = [1, 2];

interface Side {
  readonly workers: number;
  readonly service: Service;
  readonly load: Load;
  readonly serverMicros: number[];
  readonly loadMicros: number[];
  readonly perSecond: number[];
}

async function measure(side: Side, seconds: number): Promise<void> {
  const before = groupCpuMicros(side.service.pid);
  const { requests, elapsedMs, cpuMicros } = await side.load.run(seconds);
  side.serverMicros.push((groupCpuMicros(side.service.pid) - before) / requests);
  side.loadMicros.push(cpuMicros / requests);
  side.perSecond.push((requests / elapsedMs) * 1000);
}

function describe(side: Side): string {
  const perSecond = Math.round(median(side.perSecond)).toLocaleString('en');
  const [server = 0, load = 0] = [side.serverMicros, side.loadMicros].map(median);
  return `${side.workers} workers: ${perSecond} a second, ${server.toFixed(1)} µs of CPU each, ${load.toFixed(1)} µs of the load`;
}

const [seconds = 2, rounds = 7] = process.argv.slice(2).map(Number);
const database = await openBenchDatabase('postgres');
try {
  const env = { ...database.env, KEYWRIGHT_BASE_URL: 'https://id.example.com' };
  const { tenantId } = await seed(env);
  const sides: Side[] = [];
  for (const workers of COUNTS) {
    const service = await startService({ ...env, KEYWRIGHT_WORKERS: String(workers) });
    const load = startLoad();
    await load.connect(service.port, keySetsOf([tenantId], CONNECTIONS));
    sides.push({ workers, service, load, serverMicros: [], loadMicros: [], perSecond: [] });
    await load.run(seconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) await measure(side, seconds);
  }
  const [single, two] = sides;
  for (const side of sides) console.log(describe(side));
  if (single && two) {
    const gain = median(two.perSecond) / median(single.perSecond);
    const dearer = median(two.serverMicros) / median(single.serverMicros);
    console.log(
      `measured: ${gain.toFixed(2)} times as many, on ${availableParallelism()} cores that database and load use too`,
    );
    console.log(
      `by the CPU that a request costs: ${(COUNTS.length / dearer).toFixed(2)} times as many where each worker has a core`,
    );
  }
  for (const { load, service } of sides) {
    load.close();
    await service.stop();
  }
} finally {
  await database.close();
}
