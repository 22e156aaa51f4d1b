import { enableCompileCache, flushCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// A start leaves much behind that nobody needs again. The space for the young would grow by it and never shrink: it may
// grow once requests come. And a thousand small calls are enough for V8 to load its optimizing compilers, 6 MB that a
// service at rest does without. While requests come V8 would let what was alive after a collection grow to four times that
// before the next one, which is memory that many tenants' requests fill with nothing that is needed.
const WHILE_STARTING = ['--semi-space-growth-factor=1', '--no-maglev', '--no-turbofan'];
const WHILE_SERVING = [
  '--semi-space-growth-factor=2',
  '--maglev',
  '--turbofan',
  '--heap-growing-percent=100',
];

/** What has to be in place before anything else is loaded, from sources or from a bundle. */
export function prepareRuntime() {
  for (const flag of WHILE_STARTING) setFlagsFromString(flag);

  // What one start has compiled, types stripped, the next one reads: a third of its CPU time, and memory for sources.
  // Beside the packages, where whoever can write can change the code itself; where nobody may, nothing is kept.
  enableCompileCache(
    fileURLToPath(new URL('../../node_modules/.cache/keywright', import.meta.url)),
  );

  // Hashes fill as many threads of the pool as there are cores; files and name look-ups need some beside.
  process.env['UV_THREADPOOL_SIZE'] ??= String(availableParallelism() + 2);
}

/** Once everything is in place. */
export function endPreparation() {
  // First: what is kept is good for the flags that it was compiled under.
  flushCompileCache();
  for (const flag of WHILE_SERVING) setFlagsFromString(flag);
}
