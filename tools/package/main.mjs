// `npm run package`: lays out in dist/keywright what is published as the npm package `keywright`, the command line with
// the service, and packs it. With `--image FOLDER`, also what the container image holds: the package, installed.

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildConsole } from '../../ui/console/build.mjs';
import { bundle } from '../setup/build.mjs';
import { prepareDatabase } from '../setup/prepared-database.mjs';
import { digestOfConsole } from '../setup/sources.mjs';
import { describePackage } from './manifest.mjs';
import { lockFor } from './lock.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { out: { type: 'string' }, image: { type: 'string' } } });
const dist = values.out ?? join(root, 'dist');
const folder = join(dist, 'keywright');

/** Files with the same paths as in a clone, relative to the code. */
const COPIED = [
  'LICENSE',
  'cli/package.json',
  'deploy/health.mjs',
  'server/fonts',
  'server/migrations',
  'server/sql',
];
const ENTRY_POINTS = {
  keywright: 'cli/src/keywright.mjs',
  start: 'server/src/start.ts',
  operate: 'server/src/operate.ts',
};

async function layOut() {
  fs.rmSync(folder, { recursive: true, force: true });
  const outdir = join(folder, 'dist');
  fs.mkdirSync(outdir, { recursive: true });
  const files = await bundle({ root, placedIn: join(root, 'dist'), entryPoints: ENTRY_POINTS });
  for (const [name, text] of files) {
    if (!name.endsWith('.json')) fs.writeFileSync(join(outdir, name), text);
  }
  await buildConsole({
    root,
    outdir: join(folder, 'ui', 'console', 'dist'),
    release: true,
    sources: digestOfConsole(root),
  });
  copyDocs();
  await prepareDatabase(root, folder);
  for (const path of COPIED) fs.cpSync(join(root, path), join(folder, path), { recursive: true });
  fs.copyFileSync(join(root, 'cli/README.md'), join(folder, 'README.md'));
  const manifest = describePackage(root);
  write('package.json', manifest);
  write('npm-shrinkwrap.json', lockFor(root, manifest));
}

/** Includes the documentation if it was built. `npm run docs -- --build` downloads packages for it. */
function copyDocs() {
  const built = join(root, 'site', 'dist');
  if (!fs.existsSync(built)) {
    console.error(
      'keywright: the package has no documentation. Build it with: npm run docs -- --build',
    );
    return;
  }
  fs.cpSync(built, join(folder, 'site', 'dist'), { recursive: true });
}

/**
 * @param {string} name
 * @param {object} content
 */
function write(name, content) {
  fs.writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`);
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 */
function npm(cwd, ...args) {
  const { status, error } = spawnSync('npm', [...args, '--no-audit', '--no-fund'], {
    cwd,
    shell: process.platform === 'win32',
    // npm's output goes to stderr, because stdout is for this command's own.
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (status !== 0) throw error ?? new Error(`npm ${args[0]} ended with ${status}`);
}

await layOut();
npm(folder, 'pack', '--pack-destination', dist);
if (values.image !== undefined) {
  fs.cpSync(folder, values.image, { recursive: true });
  npm(values.image, 'ci', '--omit=dev', '--ignore-scripts', '--prefer-offline');
}
