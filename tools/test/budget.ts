// The CPU time that a run of all tests may take. It is counted as if on a reference machine, so that it does not depend on
// the speed of this one.

import { type LoopName, LOOPS } from '../../bench/floor/loops.ts';

/** In CI, a run that takes more fails. The limit can only be lowered. */
export const BUDGET_SECONDS = 1800;

/**
 * The limit for one file, unless tests/expensive.ts lists it, as it does files from ten seconds. Alongside other work,
 * and as the first one in its process, a file takes more.
 */
export const FILE_BUDGET_SECONDS = 15;

/** CPU microseconds of one Ed25519 signature and one verification on the reference machine. */
const REFERENCE_MICROS = { sign: 31, verify: 87 } as const satisfies Partial<
  Record<LoopName, number>
>;
const MEASURED = ['sign', 'verify'] as const;
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
