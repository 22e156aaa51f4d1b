// Builds the documentation site and serves it on this machine: `npm run docs`. With --build, only builds it; --out names a
// folder other than site/dist, and --port (or KEYWRIGHT_DOCS_PORT) a port other than 4321.

import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { serveSite } from './docs/serve.ts';
import { holdLock } from './setup/lock.mjs';
import { cleanInstall } from './setup/npm.mjs';
import { isInstalled, writeStamp } from './setup/stamps.mjs';

const DEFAULT_PORT = 4321;
/** As for the files of the console: the best quality takes many times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const site = fileURLToPath(new URL('../site', import.meta.url));

function say(line: string): void {
  process.stderr.write(`keywright: ${line}\n`);
}

function stop(message: string): never {
  say(message);
  process.exit(1);
}

async function install(): Promise<void> {
  const { addOwner } = await holdLock(join(site, '.install-lock'), () =>
    say('waiting for an installation that another command started'),
  );
  if (isInstalled(site)) return;
  say('installing the packages of the documentation site (npm ci, up to a minute)');
  const problem = await cleanInstall(site, addOwner);
  if (problem !== undefined) stop(`the installation failed:\n${problem}`);
  writeStamp(site);
}

/** Builds the site with Astro, which uses no network for it. */
function build(out: string): void {
  const astro = join(site, 'node_modules/astro/bin/astro.mjs');
  const { status } = spawnSync(process.execPath, [astro, 'build', '--silent', '--outDir', out], {
    cwd: site,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  if (status !== 0) stop('the build of the documentation site failed');
}

/** Writes a compressed copy next to each text of a built site, so that the service does not compress on requests. */
function compress(dist: string): void {
  for (const file of globSync('**/*.{css,html,js,json,md,svg,txt}', { cwd: dist })) {
    const bytes = readFileSync(join(dist, file));
    writeFileSync(join(dist, `${file}.br`), brotliCompressSync(bytes, BROTLI));
    writeFileSync(join(dist, `${file}.gz`), gzipSync(bytes));
  }
}

const { values } = parseArgs({
  options: { build: { type: 'boolean' }, out: { type: 'string' }, port: { type: 'string' } },
});
if (!isInstalled(site)) await install();
say('building the documentation site');
const dist = resolve(values.out ?? join(site, 'dist'));
build(dist);
if (values.build) {
  compress(dist);
  say(`the site is in ${dist}`);
} else {
  const port = Number(values.port ?? process.env['KEYWRIGHT_DOCS_PORT'] ?? DEFAULT_PORT);
  const { url } = await serveSite(dist, port);
  say(`the documentation is at ${url}`);
}
