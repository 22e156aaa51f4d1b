// `npm test`: all tests, or those of the named files: `npm test -- tests/races/*.test.ts`. Passes on flags of
// `node --test`: `npm test -- --test-name-pattern "SPEC errors 3"`.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const ALL_TESTS = ['contract/src', 'server/src', 'sdk/test', 'cli/src', 'tests', 'tools'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
// One file more than there are cores, because tests often wait for a database; at most eight, because each has a
// database in memory.
const concurrency = Math.min(availableParallelism() + 1, 8);

const given = process.argv.slice(2);
const files = given.filter((argument) => argument.endsWith('.ts'));
const flags = given.filter((argument) => !argument.endsWith('.ts'));

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
    ...(files.length > 0 ? files : ALL_TESTS),
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
