// `npm test`: every test of the repository, or those of the files named: `npm test -- tests/races/*.test.ts`.
// Flags of `node --test` are passed on: `npm test -- --test-name-pattern "SPEC errors 3"`.

import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const ALL_TESTS = ['contract/src', 'server/src', 'sdk/test', 'cli/src', 'tests', 'tools'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
// Many tests wait for a database more than they compute, so there is a file more than there are cores; each
// holds a database in memory, so many cores run no more than eight.
const concurrency = Math.min(availableParallelism() + 1, 8);

const given = process.argv.slice(2);
const files = given.filter((argument) => argument.endsWith('.ts'));
const flags = given.filter((argument) => !argument.endsWith('.ts'));

const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${concurrency}`,
    // A promise that nothing settles any more would wait for ever.
    '--test-timeout=600000',
    '--test-global-setup=tests/harness/global.ts',
    '--test-reporter=spec',
    ...flags,
    ...(files.length > 0 ? files : ALL_TESTS),
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
