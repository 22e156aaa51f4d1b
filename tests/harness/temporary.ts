import { existsSync } from 'node:fs';
import { chown, lchown, mkdtemp, readdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account, reachable } from './account.ts';
import { entrust } from './janitor.ts';

/** Linux keeps its files in memory. Programs are not always executable there. */
const MEMORY = '/dev/shm';
/** Tests use it only if this much space is free. Concurrent tests need less than a quarter of it. */
const ENOUGH_BYTES = 2 ** 31;

/** A new directory, removed after this process ends, where the unprivileged account also has access. */
export async function temporaryDirectory(purpose: string): Promise<string> {
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find(isUsable) ?? tmpdir();
  return makeIn(parent, purpose);
}

/**
 * The same for the files of a database; in memory where possible. A PostgreSQL database has 785 files, and creating and
 * deleting them takes at least 0.1 s of CPU time less there than on a disk.
 */
export async function databaseDirectory(purpose: string): Promise<string> {
  return (await hasMemory()) ? makeIn(MEMORY, purpose) : temporaryDirectory(purpose);
}

async function hasMemory(): Promise<boolean> {
  if (!isUsable(MEMORY)) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize >= ENOUGH_BYTES;
}

function isUsable(directory: string): boolean {
  return existsSync(directory) && (account === undefined || reachable(directory));
}

async function makeIn(parent: string, purpose: string): Promise<string> {
  const path = await mkdtemp(join(parent, `keywright-${purpose}-`));
  entrust({ kind: 'dir', path });
  return path;
}

/** Makes the unprivileged account the owner of the directory and its contents. */
export async function handOver(path: string): Promise<void> {
  if (account === undefined) return;
  const { uid, gid } = account;
  await chown(path, uid, gid);
  const entries = await readdir(path, { recursive: true });
  await Promise.all(entries.map((entry) => lchown(join(path, entry), uid, gid)));
}
