import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';
/** libuv's name of its pool threads. */
const POOL = 'libuv-worker';
/** Of -20 to 19, higher is lower priority: 10 gets a tenth of the time of 0 when both compete for a core. */
const NICENESS = 10;

/**
 * Lowers the priority of the hash threads: otherwise hashes on every core would make other requests wait for the
 * scheduler. Effective on Linux, where priorities are per thread; no effect elsewhere. ADR 30 has the measurements.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync(THREADS)) {
      const name = readFileSync(`${THREADS}/${thread}/comm`, 'latin1').trim();
      const id = Number(thread);
      if (name === POOL && getPriority(id) < NICENESS) setPriority(id, NICENESS);
    }
  } catch {
    // Hashing also works without the lower priority: /proc may be hidden, or setpriority forbidden.
  }
}
