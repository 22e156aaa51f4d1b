// A process that runs test files one after the other, as its parent names them (pool.ts). Loading the service costs about
// as much CPU as the tests of a small file, and code that has run before is already optimized.

import hooks from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { usedMs } from './cpu.ts';
import { send } from './reporter.ts';

/**
 * `node:test` follows everything asynchronous to find the suite and the test that it belongs to, which takes a fifth of the
 * CPU time. Here it does so while a file is imported, and finds the suite of each test. Later it is needed for errors that
 * no test awaits; they are reported for the file.
 */
const { createHook } = hooks;
let following: hooks.AsyncHook | undefined;
hooks.createHook = (callbacks) => (following = createHook(callbacks));
const { suite } = await import('node:test');
hooks.createHook = createHook;

/** What the parent sends instead of a file. */
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
  // What a file registers at its top, hooks as well, becomes part of this suite.
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

/** What a failed test leaves open, a timer or a connection, would keep the process alive. */
function requireEnd(): void {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`still running ${graceMs} ms after the last test, because of: ${open}`);
    process.exit(1);
  }, graceMs).unref();
}
