// A process that runs test files one after the other, as its parent names them (pool.ts). Loading the service costs about
// as much CPU as the tests of a small file, and code that has run before is already optimized.

import hooks from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { usedMs } from './cpu.ts';
import { send } from './reporter.ts';

/**
 * `node:test` tracks all asynchronous work to find its suite and test, which takes a fifth of the CPU time. Here it
 * does so while a file is imported, and finds the suite of each test. Later only errors that no test awaits need it;
 * they are reported for the file.
 */
const { createHook } = hooks;
let following: hooks.AsyncHook | undefined;
hooks.createHook = (callbacks) => (following = createHook(callbacks));
const { suite } = await import('node:test');
hooks.createHook = createHook;

/** The message that ends the worker, sent instead of a file. */
const NO_MORE = '';
const [, , graceMs] = process.argv.map(Number);

// The parent has died: a service that a test has started would keep this process alive.
const exit = () => process.exit(1);
process.on('disconnect', exit);

process.on('message', (file: string) => {
  if (file === NO_MORE) {
    process.off('disconnect', exit);
    process.disconnect?.();
    requireEnd();
  } else {
    void run(file);
  }
});

let file = '';

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (reason) => {
    const error = `An error that no test awaits: ${inspect(reason)}`;
    send({ kind: 'failed', file, depth: 0, name: file, isSuite: true, error });
  });
}

async function run(next: string): Promise<void> {
  file = next;
  const before = usedMs();
  // Tests and hooks that a file registers at its top level become part of this suite.
  following?.enable();
  await suite(file, async () => {
    try {
      await import(pathToFileURL(file).href);
    } finally {
      following?.disable();
    }
  });
  // By the next turn of the event loop, the reporter has read every event.
  setImmediate(() => {
    const memoryMb = process.memoryUsage.rss() / 2 ** 20;
    send({ kind: 'ended', file, cpuMs: usedMs() - before, memoryMb });
  });
}

/** Ends the process even if a failed test left a timer or a connection open. */
function requireEnd(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${graceMs} ms after the last test, because of: ${open}`);
    process.exit(1);
  }, graceMs).unref();
}
