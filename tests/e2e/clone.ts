// The build in a clone of its own, as `npm start` makes it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { PREPARED_DATABASE } from '../../tools/setup/prepared-database.mjs';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { createDatabase } from '../harness/database.ts';
import { startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LONGEST_START_MS = 90_000;
const COPIED = ['package.json', 'package-lock.json', 'contract', 'server', 'sdk', 'tools', 'ui'];

export type Environment = Readonly<Record<string, string>>;

/** The settings of a service with a database of its own. */
export async function newEnvironment(): Promise<Environment> {
  const { url } = await createDatabase();
  const key = randomBytes(32).toString('base64');
  return { KEYWRIGHT_DATABASE_URL: url, KEYWRIGHT_MASTER_KEY: key };
}

/** A separate clone that shares the packages. */
export async function newClone(): Promise<string> {
  const root = await realpath(await temporaryDirectory('clone'));
  const isSource = (path: string) => !/node_modules|(server|console).dist/.test(path);
  for (const name of COPIED) {
    await cp(join(ROOT, name), join(root, name), { recursive: true, filter: isSource });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await mkdir(join(root, 'server/dist'));
  const prepared = join(ROOT, PREPARED_DATABASE);
  // Building another one takes six seconds. Setup checks that this one is current.
  if (existsSync(prepared)) await cp(prepared, join(root, PREPARED_DATABASE));
  return root;
}

/** The build step of `npm start`. @returns its output and exit code */
export async function setUp(root: string): Promise<readonly [said: string, code: number | null]> {
  const setup = spawn(process.execPath, [join(root, 'tools/setup.mjs'), '--build'], {
    env: inheritedEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said] = await Promise.all([text(setup.stderr), once(setup, 'close')]);
  return [said, setup.exitCode];
}

/** Starts the service as `npm start` does. @returns what it logs once it listens */
export async function startedWith(root: string, env: Environment, workers = 1): Promise<string> {
  const server = await startServerProcess({
    env: { ...env, KEYWRIGHT_WORKERS: String(workers) },
    program: join(root, 'server/dist/start.mjs'),
  });
  const listening = () => server.stdout.matchAll(/"engine":.*"msg":"(listening[^"]*)"/g).toArray();
  await until('all workers listen', () => listening().length === workers, LONGEST_START_MS);
  assert.equal((await server.http.request('GET', '/health')).status, 200);
  assert.equal((await server.interrupt()).code, 0);
  return listening().at(-1)?.[1] ?? '';
}

/** Replaces a part of a file. @returns its line */
export async function edit(path: string, from: string, to: string): Promise<number> {
  const source = await readFile(path, 'utf8');
  assert.ok(source.includes(from));
  await writeFile(path, source.replace(from, to));
  return source.slice(0, source.indexOf(from)).split('\n').length;
}
