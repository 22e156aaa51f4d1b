import { existsSync } from 'node:fs';
import { chown, lchown, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account, reachable } from './account.ts';
import { entrust } from './janitor.ts';

/** A new directory, removed after this process; in a place that the unprivileged account reaches too. */
export async function temporaryDirectory(purpose: string): Promise<string> {
  const usable = (dir: string) => existsSync(dir) && (account === undefined || reachable(dir));
  const parent = [tmpdir(), '/tmp', '/var/tmp'].find(usable) ?? tmpdir();
  const path = await mkdtemp(join(parent, `keywright-${purpose}-`));
  entrust({ kind: 'dir', path });
  return path;
}

/** Gives the directory and everything in it to the unprivileged account. */
export async function handOver(path: string): Promise<void> {
  if (account === undefined) return;
  const { uid, gid } = account;
  await chown(path, uid, gid);
  const entries = await readdir(path, { recursive: true });
  await Promise.all(entries.map((entry) => lchown(join(path, entry), uid, gid)));
}
