// `npm run clients`: tests that need the tools of other languages: generated clients of the OpenAPI document, and
// libraries that verify tokens. Flags of `node --test` are passed on: `npm run clients -- --test-name-pattern PyJWT`.

import { spawnSync } from 'node:child_process';

const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-concurrency=2',
    // Dependencies are fetched and compiled first.
    '--test-timeout=1800000',
    '--test-global-setup=tests/harness/global.ts',
    '--test-reporter=spec',
    ...process.argv.slice(2),
    'tests/clients/*.clients.ts',
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
