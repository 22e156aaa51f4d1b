import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseDirectory, handOver } from './temporary.ts';

const run = promisify(execFile);
/** Set for the processes of a test run (global.ts). */
const FOLDER = 'KEYWRIGHT_TEST_CLUSTERS';

/** Keeps what initdb and the migrations make for the length of the test run. */
export async function shareClusters(): Promise<void> {
  const folder = await databaseDirectory('clusters');
  await handOver(folder);
  process.env[FOLDER] = folder;
}

/**
 * Fills the folder with the cluster of this name: with a copy of the one that was made before in this test run, otherwise
 * with what `make` leaves in the folder that it is given.
 */
export async function copyOrMake(
  name: string,
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const shared = process.env[FOLDER];
  // Outside a test run there is none.
  if (shared === undefined) return make(folder);
  const kept = join(shared, name);
  if (!existsSync(kept)) await keep(kept, make);
  await run('cp', ['-Rp', `${kept}/.`, folder]);
}

/** Test files start concurrently: if several make one, the first is kept. */
async function keep(kept: string, make: (folder: string) => Promise<void>): Promise<void> {
  const draft = `${kept}.${process.pid}`;
  await mkdir(draft);
  await handOver(draft);
  await make(draft);
  await rename(draft, kept).catch(async () => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(kept)) throw new Error(`There is no ${kept}.`);
  });
}
