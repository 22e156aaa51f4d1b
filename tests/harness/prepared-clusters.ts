import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseDirectory, handOver } from './temporary.ts';

const run = promisify(execFile);
/** Set for the processes of a test run (global.ts). */
const FOLDER = 'KEYWRIGHT_TEST_CLUSTERS';

/** Stores the results of initdb and the migrations for the duration of the test run. */
export async function shareClusters(): Promise<void> {
  const folder = await databaseDirectory('clusters');
  await handOver(folder);
  process.env[FOLDER] = folder;
}

/**
 * Fills the folder with the cluster of this name: a copy of the one made earlier in this test run, or otherwise the
 * result of `make`, which gets a folder to fill.
 */
export async function copyOrMake(
  name: string,
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const shared = process.env[FOLDER];
  // Outside a test run, the folder is not shared.
  if (shared === undefined) return make(folder);
  const cluster = join(shared, name);
  if (!existsSync(cluster)) await keep(cluster, make);
  await run('cp', ['-Rp', `${cluster}/.`, folder]);
}

/** Makes a cluster. Test files start concurrently: if several make it, the first one is used. */
async function keep(cluster: string, make: (folder: string) => Promise<void>): Promise<void> {
  const draft = `${cluster}.${process.pid}`;
  await mkdir(draft);
  await handOver(draft);
  await make(draft);
  await rename(draft, cluster).catch(async () => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(cluster)) throw new Error(`There is no ${cluster}.`);
  });
}
