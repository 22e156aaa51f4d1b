// `npm test`: all tests, or those of the named files: `npm test -- tests/races/*.test.ts`. Passes on flags of
// `node --test`: `npm test -- --test-name-pattern "SPEC errors 3"`. A named file has a process to itself.

import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shareBuild } from '../tests/harness/build.ts';
import { writeProcesses } from './test-processes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALL_TESTS = [
  'contract/src',
  'server/src',
  'server/generate',
  'sdk/test',
  'cli/src',
  'ui/console',
  'tests',
  'tools',
].map((folder) => `${folder}/**/*.test.ts`);
// One process more than there are cores, because tests often wait for a database; at most eight, because each has a
// database in memory.
const concurrency = Math.min(availableParallelism() + 1, 8);

const given = process.argv.slice(2);
const files = given.filter((argument) => argument.endsWith('.ts'));
const flags = given.filter((argument) => !argument.endsWith('.ts'));

/** @returns the exit code */
function run(started: readonly string[]): number {
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${concurrency}`,
      // A promise that never settles would hang the run.
      '--test-timeout=600000',
      '--test-global-setup=tests/harness/global.ts',
      '--test-reporter=spec',
      ...flags,
      ...started,
    ],
    { stdio: 'inherit' },
  );
  return status ?? 1;
}

async function runAll(): Promise<number> {
  await shareBuild();
  const folder = mkdtempSync(join(tmpdir(), 'keywright-tests-'));
  try {
    return run(writeProcesses(ROOT, folder, globSync(ALL_TESTS, { cwd: ROOT })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = files.length > 0 ? run(files) : await runAll();
