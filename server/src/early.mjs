import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** What has to be in place before anything else is loaded, from sources or from a bundle. */
export function prepareRuntime() {
  // A start leaves much behind that nobody needs again. The space for the young would grow by it and never shrink:
  // it may grow once requests come.
  setFlagsFromString('--semi-space-growth-factor=1');

  // What one start has compiled, types stripped, the next one reads: a third of its CPU time, and memory for sources.
  // Beside the packages, where whoever can write can change the code itself; where nobody may, nothing is kept.
  enableCompileCache(
    fileURLToPath(new URL('../../node_modules/.cache/keywright', import.meta.url)),
  );

  // Hashes fill as many threads of the pool as there are cores; files and name look-ups need some beside.
  process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 2);
}
