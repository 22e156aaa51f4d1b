// A process that runs test files one after the other, as its parent names them (pool.ts). Loading the service costs about
// as much CPU as the tests of a small file, and code that has run before is already optimized.

import { suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { usedMs } from './cpu.ts';
import { send } from './reporter.ts';

/** What the parent sends in place of a file. */
const NO_MORE = '';
const [, , graceMs] = process.argv.map(Number);

process.on('message', (file: string) => {
  if (file === NO_MORE) {
    process.disconnect?.();
    requireEnd();
  } else {
    void run(file);
  }
});

async function run(file: string): Promise<void> {
  const before = usedMs();
  // What a file registers at its top, hooks as well, becomes part of this suite.
  await suite(file, () => import(pathToFileURL(file).href));
  // By the next turn of the event loop, the reporter has read every event.
  setImmediate(() => {
    const memoryMb = process.memoryUsage.rss() / 2 ** 20;
    send({ kind: 'ended', file, cpuMs: usedMs() - before, memoryMb });
  });
}

/** What a failed test leaves open, a timer or a connection, would keep the process alive. */
function requireEnd(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${graceMs} ms after the last test, because of: ${open}`);
    process.exit(1);
  }, graceMs).unref();
}
