#!/usr/bin/env node
// `keywright`: starts the command line on a Node.js that can run it. It may itself run on an older one:
// built-ins only, no TypeScript.

import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runAttached } from './child.mjs';

const OLDEST_MAJOR = 24;

const name = process.platform === 'win32' ? 'node.exe' : 'node';
// Where the setup of a clone puts the pinned Node.js when the system's is too old.
const pinned = fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));

function hasNewer() {
  return existsSync(pinned) && realpathSync(pinned) !== realpathSync(process.execPath);
}

if (Number(process.versions.node.split('.')[0]) >= OLDEST_MAJOR) {
  await import('./main.ts');
} else if (hasNewer()) {
  const self = fileURLToPath(import.meta.url);
  process.exitCode = await runAttached(pinned, [self, ...process.argv.slice(2)]);
} else {
  process.stderr.write(
    `keywright: this is Node.js ${process.versions.node}, and ${OLDEST_MAJOR} or newer is needed: ` +
      'install it, or run "node tools/setup.mjs" in the clone, which fetches one.\n',
  );
  process.exitCode = 1;
}
