#!/usr/bin/env node
// `keywright`: starts the command line on a supported Node.js. This file must also run on older versions, so it uses
// only built-ins and no TypeScript.

import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runAttached } from './child.mjs';

const MIN_MAJOR = 24;

const name = process.platform === 'win32' ? 'node.exe' : 'node';
// `tools/setup.mjs` installs Node.js here when the system's version is too old.
const pinned = fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));

function hasPinned() {
  return existsSync(pinned) && realpathSync(pinned) !== realpathSync(process.execPath);
}

if (Number(process.versions.node.split('.')[0]) >= MIN_MAJOR) {
  await import('./main.ts');
} else if (hasPinned()) {
  const self = fileURLToPath(import.meta.url);
  process.exitCode = await runAttached(pinned, [self, ...process.argv.slice(2)]);
} else {
  process.stderr.write(
    `keywright: Node.js ${MIN_MAJOR} or newer is required, and this is ${process.versions.node}: ` +
      'install it, or run "node tools/setup.mjs" in the clone, which downloads it.\n',
  );
  process.exitCode = 1;
}
