import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const THREADS = '/proc/self/task';
/** As libuv names the threads of its pool. */
const POOL = 'libuv-worker';
/** Of -20 to 19, more is more patient: one of 10 gets a tenth of what one of 0 gets, where both want the core. */
const NICENESS = 10;

/**
 * Lets everything else go before the hashes: as many of them as there are cores would keep every other request
 * waiting for a turn of the scheduler. On Linux, where priorities are of threads; elsewhere nothing happens. What it
 * gains and costs is in ADR 30.
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
    // Hashes are right without: /proc may be hidden, or setpriority forbidden.
  }
}
