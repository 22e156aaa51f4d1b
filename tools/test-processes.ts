// Which test files run in one process. Loading the service costs a process about as much CPU as running the tests of a
// small file, and code that has run before is already optimized.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Keeps the processes short, so that the last ones end at about the same time. */
const FILES_PER_PROCESS = 10;

/**
 * Paths of files that have a process to themselves: most of their time passes in programs that they start, or they
 * measure their process, or they run for long. They start first.
 */
const ALONE = [
  'sdk/',
  'tests/console/',
  'tests/costs/',
  'tests/e2e/',
  'tests/faults/',
  'tests/harness/',
  'tests/pages/',
  'tests/passkeys/',
  'tests/shutdown/',
  'tests/workers/',
  'tools/',
];

/** The files of each process, in the order in which the processes start. */
export function processesOf(files: readonly string[]): string[][] {
  const sorted = files.toSorted();
  const isAlone = (file: string) => ALONE.some((prefix) => file.startsWith(prefix));
  const alone = sorted.filter(isAlone).map((file) => [file]);
  const others = sorted.filter((file) => !isAlone(file));
  const count = Math.ceil(others.length / FILES_PER_PROCESS);
  // Neighbours have similar costs and are spread, so that no process has all of the expensive ones.
  const shared = Array.from({ length: count }, (_, at) =>
    others.filter((_file, index) => index % count === at),
  );
  return [...alone, ...shared];
}

const ENDING = new URL('./test-ending.ts', import.meta.url).href;
/** How long a process may stay alive after its last test. */
const GRACE_MS = 60_000;

/**
 * Writes a test file for each process, which runs the files that are named in it, one after the other.
 * @returns their paths; `node --test` starts them in alphabetical order
 */
export function writeProcesses(
  root: string,
  folder: string,
  files: readonly string[],
  graceMs = GRACE_MS,
): string[] {
  return processesOf(files).map((together, index) => {
    const path = join(folder, `${String(index).padStart(4, '0')}.mjs`);
    // Hooks at the top of a file become those of its suite.
    const suites = together.map((file) => {
      const address = pathToFileURL(join(root, file)).href;
      return `suite(${JSON.stringify(file)}, () => import(${JSON.stringify(address)}));\n`;
    });
    const imports = "import { after, suite } from 'node:test';\n";
    const ending = `import { requireEnd } from ${JSON.stringify(ENDING)};\n`;
    const last = `suite('the end', () => after(() => requireEnd(${graceMs})));\n`;
    writeFileSync(path, [imports, ending, ...suites, last].join(''));
    return path;
  });
}
