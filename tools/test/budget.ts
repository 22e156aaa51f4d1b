// The CPU time that a run of all tests may take. It is counted as if the machine were the bench's reference machine.

import { REFERENCE_MICROS } from '../../bench/calibrate/calibration.ts';
import { type LoopName, LOOPS } from '../../bench/calibrate/loops.ts';

/** In CI, a run that takes more fails. The limit can only be lowered. */
export const BUDGET_SECONDS = 1800;

/**
 * The limit for one file, unless tests/expensive.ts lists it, as it does files from ten seconds. Alongside other work,
 * and as the first one in its process, a file takes more.
 */
export const FILE_BUDGET_SECONDS = 15;

const MEASURED: readonly LoopName[] = ['sign', 'verify'];
const MEASURED_MS = 300;

/** How many times as much CPU time as the reference machine this one takes at the moment. */
export async function measureSlowness(): Promise<number> {
  const ratios: number[] = [];
  for (const name of MEASURED) {
    const run = LOOPS[name]();
    const before = process.cpuUsage();
    const operations = await run(performance.now() + MEASURED_MS);
    const { user, system } = process.cpuUsage(before);
    ratios.push((user + system) / operations / REFERENCE_MICROS[name]);
  }
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}
